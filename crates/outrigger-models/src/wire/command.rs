//! A command that prints a key.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};

use super::key::MOST_BYTES;
use super::redact::Redactor;

/// The longest a command may take.
const LONGEST: Duration = Duration::from_secs(10);

/// How long output is waited for after the command has ended: what it started in the background may hold it open.
const GRACE: Duration = Duration::from_millis(200);

/// The most bytes that are kept of what a command complains; the end of it.
const COMPLAINT: usize = 4096;

/// The most characters of its last line that are shown.
const LINE_CHARS: usize = 200;

/// Why a command gave no key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandFailure {
    /// There is no program.
    #[error("names no program")]
    NoProgram,
    /// It did not start.
    #[error("cannot be started: {0}")]
    NotStarted(std::io::Error),
    /// It failed.
    #[error("failed ({status}){}", said(.complaint))]
    Failed {
        /// How it ended.
        status: ExitStatus,
        /// The last line of what it complained.
        complaint: String,
    },
    /// It took too long.
    #[error("was not done within {0:?}")]
    TooLong(Duration),
    /// It printed too much.
    #[error("prints more than 64 KiB: that is no key")]
    TooMuch,
    /// What it printed could not be read.
    #[error("cannot be read: {0}")]
    Unread(std::io::Error),
    /// What it printed is no text.
    #[error("prints bytes that are no text")]
    NoText,
}

fn said(complaint: &str) -> String {
    if complaint.is_empty() { String::new() } else { format!(": {complaint}") }
}

/// What the command prints.
pub(super) async fn run(words: &[String], directory: Option<&Path>) -> Result<SecretString, CommandFailure> {
    run_within(words, directory, LONGEST).await
}

async fn run_within(
    words: &[String],
    directory: Option<&Path>,
    longest: Duration,
) -> Result<SecretString, CommandFailure> {
    let (program, arguments) = words.split_first().ok_or(CommandFailure::NoProgram)?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    // A group of its own, so that what the command starts ends with it.
    #[cfg(unix)]
    command.process_group(0);
    let child = command.spawn().map_err(CommandFailure::NotStarted)?;
    let mut running = Running { child, done: false };
    match tokio::time::timeout(longest, running.read()).await {
        Ok(read) => read,
        Err(_) => Err(CommandFailure::TooLong(longest)),
    }
}

/// A command that ends, with all it started, when this is dropped.
struct Running {
    child: Child,
    done: bool,
}

impl Running {
    async fn read(&mut self) -> Result<SecretString, CommandFailure> {
        let (mut stdout, mut stderr) = (self.child.stdout.take(), self.child.stderr.take());
        let (mut printed, mut complaint) = (Vec::new(), Vec::new());
        let mut status = None;
        while status.is_none() || stdout.is_some() || stderr.is_some() {
            tokio::select! {
                more = read(&mut stdout, &mut printed) => {
                    more?;
                    if printed.len() as u64 > MOST_BYTES {
                        return Err(CommandFailure::TooMuch);
                    }
                }
                more = read(&mut stderr, &mut complaint) => {
                    more?;
                    let surplus = complaint.len().saturating_sub(COMPLAINT);
                    complaint.drain(..surplus);
                }
                ended = self.child.wait(), if status.is_none() => status = Some(ended.map_err(CommandFailure::Unread)?),
                () = tokio::time::sleep(GRACE), if status.is_some() => break,
            }
        }
        self.done = true;
        let printed = String::from_utf8(printed).map(SecretString::from);
        match status {
            Some(status) if !status.success() => {
                Err(CommandFailure::Failed { status, complaint: last_line(&complaint, printed.ok()) })
            }
            _ => printed.map_err(|_| CommandFailure::NoText),
        }
    }
}

/// Reads more; what has ended becomes `None` and is not asked again.
async fn read(from: &mut Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>) -> Result<(), CommandFailure> {
    match from {
        None => std::future::pending().await,
        Some(open) => {
            if open.read_buf(into).await.map_err(CommandFailure::Unread)? == 0 {
                *from = None;
            }
            Ok(())
        }
    }
}

/// The last line that says something, without what was printed.
fn last_line(complaint: &[u8], printed: Option<SecretString>) -> String {
    let text = String::from_utf8_lossy(complaint);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    let printed = printed.map(|printed| printed.expose_secret().trim().into());
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Redactor::new(printed).clean(&line).chars().take(LINE_CHARS).collect()
}

impl Drop for Running {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let (false, Some(id)) = (self.done, self.child.id()) {
            let group = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
            // A group that is gone already has nothing left to end.
            let _ = group.map(|group| rustix::process::kill_process_group(group, rustix::process::Signal::KILL));
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn run_for(longest: u64, script: &str) -> Result<SecretString, CommandFailure> {
        let words = ["sh", "-c", script].map(str::to_owned);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(run_within(&words, None, Duration::from_millis(longest)))
    }

    // Nothing from outside hangs: a command that does not end is ended, with what it started.
    #[test]
    fn a_command_that_takes_too_long_is_ended_with_all_it_started() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("late");
        let began = Instant::now();
        let failure = run_for(300, &format!("(sleep 1; touch {}) & sleep 60", file.display())).unwrap_err();
        assert!(matches!(failure, CommandFailure::TooLong(_)) && began.elapsed() < Duration::from_secs(1));
        std::thread::sleep(Duration::from_millis(1200));
        assert!(!file.exists());
    }

    #[test]
    fn what_a_command_leaves_in_the_background_is_not_waited_for() {
        let began = Instant::now();
        let printed = run_for(5000, "echo key; sleep 4 &").unwrap();
        assert_eq!(printed.expose_secret(), "key\n");
        assert!(began.elapsed() < Duration::from_secs(3));
    }

    #[test]
    fn a_command_reads_nothing() {
        assert_eq!(run_for(5000, "cat; echo key").unwrap().expose_secret(), "key\n");
    }
}

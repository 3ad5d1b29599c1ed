//! The file a recording is kept in.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::scripted::script::Script;

/// A file that always holds a whole script.
pub(super) struct RecordFile {
    path: PathBuf,
}

impl RecordFile {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The file, as it was named.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces what is in the file. A reader, and whoever comes after a crash, finds the old script or the new one.
    pub(super) fn write(&self, script: &Script) -> io::Result<()> {
        let (target, before) = self.target()?;
        let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Made with access for its owner alone: what a model said may be private.
        let mut file = tempfile::Builder::new().prefix(".outrigger-").suffix(".json").tempfile_in(directory)?;
        file.write_all(script.to_json().as_bytes())?;
        if let Some(before) = before {
            file.as_file().set_permissions(before.permissions())?;
        }
        file.persist(&target).map_err(|error| error.error)?;
        Ok(())
    }

    /// Where it is, links followed, and what stands there now. Nothing but an ordinary file may be replaced.
    fn target(&self) -> io::Result<(PathBuf, Option<std::fs::Metadata>)> {
        match std::fs::canonicalize(&self.path) {
            Ok(target) => {
                let metadata = std::fs::metadata(&target)?;
                if metadata.is_dir() {
                    return Err(io::Error::other("it is a directory: name a file in it"));
                }
                if !metadata.is_file() {
                    return Err(io::Error::other("it is no ordinary file"));
                }
                if metadata.permissions().readonly() {
                    return Err(io::Error::other("it is read-only"));
                }
                Ok((target, Some(metadata)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((self.path.clone(), None)),
            Err(error) => Err(error),
        }
    }
}

//! The one way to a file: every path is opened relative to the root's handle, so that neither
//! `..` nor a link nor a race leads outside.

use super::FilesError;
use cap_fs_ext::{OpenOptionsSyncExt, ambient_authority};
use cap_std::fs::{Dir, File, FileType, Metadata, OpenOptions};
use outrigger_core::contract::nearest_names as nearest;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// Bytes a path may have.
const MAX_PATH: usize = 4_096;
/// Names looked at for a suggestion.
const MAX_NAMES: usize = 1_000;

#[derive(Debug)]
pub(super) struct Root(Dir);

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Directory,
    Link,
    Special(&'static str),
}

impl Kind {
    pub(super) fn of(file_type: FileType) -> Self {
        if file_type.is_file() {
            Self::File
        } else if file_type.is_dir() {
            Self::Directory
        } else if file_type.is_symlink() {
            Self::Link
        } else {
            Self::Special(special(file_type))
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "directory",
            Self::Link => "link",
            Self::Special(kind) => kind,
        }
    }
}

#[cfg(unix)]
fn special(file_type: FileType) -> &'static str {
    use cap_std::fs::FileTypeExt;
    if file_type.is_fifo() {
        "pipe"
    } else if file_type.is_socket() {
        "socket"
    } else {
        "device"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "special file"
}

impl Root {
    pub(super) fn open(root: &Path) -> Result<Self, FilesError> {
        match Dir::open_ambient_dir(root, ambient_authority()) {
            Ok(dir) => Ok(Self(dir)),
            Err(source) => Err(FilesError::Root { root: root.display().to_string(), source }),
        }
    }

    pub(super) fn metadata(&self, path: &RootPath) -> Result<Metadata, FilesError> {
        self.0.metadata(&path.relative).map_err(|error| self.explain(path, error))
    }

    pub(super) fn open_dir(&self, path: &RootPath) -> Result<Dir, FilesError> {
        let kind = Kind::of(self.metadata(path)?.file_type());
        if kind != Kind::Directory {
            return Err(FilesError::NotDirectory { path: path.shown() });
        }
        self.0.open_dir(&path.relative).map_err(|error| self.explain(path, error))
    }

    /// Opens a regular file. The kind is checked before, so that no device is touched, and again
    /// on the open file, which is opened without waiting, so that a pipe put there cannot block.
    pub(super) fn open_file(&self, path: &RootPath) -> Result<(File, Metadata), FilesError> {
        regular(path, &self.metadata(path)?)?;
        let file = open_regular(&self.0, &path.relative).map_err(|error| self.explain(path, error))?;
        let metadata = file.metadata().map_err(|error| self.explain(path, error))?;
        regular(path, &metadata)?;
        Ok((file, metadata))
    }

    /// Turns what the system says into what a model can act on.
    pub(super) fn explain(&self, path: &RootPath, error: io::Error) -> FilesError {
        match error.kind() {
            ErrorKind::NotFound => FilesError::NotFound { path: path.shown(), nearest: self.nearest(path) },
            ErrorKind::NotADirectory => FilesError::NotFound { path: path.shown(), nearest: None },
            // The sandbox's own refusal carries no code of the system.
            ErrorKind::PermissionDenied if error.raw_os_error().is_none() => FilesError::Outside { path: path.shown() },
            _ => FilesError::Io { path: path.shown(), source: error },
        }
    }

    fn nearest(&self, path: &RootPath) -> Option<String> {
        let name = path.relative.file_name()?.to_str()?;
        let parent = path.relative.parent()?;
        let directory = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        let names: Vec<String> = self
            .0
            .read_dir(directory)
            .ok()?
            .take(MAX_NAMES)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        let found = nearest(name, names.iter().map(String::as_str), 1);
        Some(parent.join(found.first()?).display().to_string())
    }
}

pub(super) fn open_regular(dir: &Dir, path: &Path) -> io::Result<File> {
    dir.open_with(path, OpenOptions::new().read(true).nonblock(true))
}

fn regular(path: &RootPath, metadata: &Metadata) -> Result<(), FilesError> {
    match Kind::of(metadata.file_type()) {
        Kind::File => Ok(()),
        Kind::Directory => Err(FilesError::IsDirectory { path: path.shown() }),
        Kind::Link => Err(FilesError::Special { path: path.shown(), kind: "link" }),
        Kind::Special(kind) => Err(FilesError::Special { path: path.shown(), kind }),
    }
}

/// A path as a model wrote it, relative to the root.
#[derive(Debug, Clone)]
pub(super) struct RootPath {
    relative: PathBuf,
}

impl RootPath {
    /// Empty, `.` and `/` mean the root.
    pub(super) fn new(written: &str) -> Result<Self, FilesError> {
        if written.len() > MAX_PATH || written.contains('\0') {
            let path = written.chars().filter(|c| *c != '\0').take(80).collect();
            return Err(FilesError::InvalidPath { path, limit: MAX_PATH });
        }
        let path = Path::new(written);
        if matches!(written, "" | "." | "/" | "./") {
            return Ok(Self { relative: PathBuf::from(".") });
        }
        if path.has_root() || path.is_absolute() {
            let normal = |part: &Component<'_>| matches!(part, Component::Normal(_));
            let relative: PathBuf = path.components().filter(normal).collect();
            return Err(FilesError::Absolute { path: written.to_owned(), relative: relative.display().to_string() });
        }
        // `./` before and between says nothing; `..` is left to the handle, which knows the links.
        let relative = path.components().filter(|part| *part != Component::CurDir).collect();
        Ok(Self { relative })
    }

    pub(super) fn shown(&self) -> String {
        self.relative.display().to_string()
    }

    pub(super) fn is_root(&self) -> bool {
        self.relative == Path::new(".")
    }
}

//! Who drives a thread, among the processes of this machine: a lock on a file, which the system gives back when its
//! process is gone, however it went.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use outrigger_core::session::{ContentHash, LocalLease, StoreError, ThreadKey};

/// A locked file, removed and unlocked when dropped.
pub(super) struct FileLease {
    path: PathBuf,
    _file: File,
    _local: Option<LocalLease>,
}

impl FileLease {
    /// Locks the thread's file in this folder if nobody has.
    pub(super) fn try_take(folder: &Path, key: &ThreadKey) -> Result<Option<Self>, StoreError> {
        let path = folder.join(file_name(key));
        let failed = |error: io::Error| StoreError::failed(format!("{}: {error}", path.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        match file.try_lock() {
            // Whoever had it may have removed it after it was opened here: then it keeps nobody away.
            Ok(()) if !is_at(&file, &path) => Ok(None),
            Ok(()) => Ok(Some(Self { path, _file: file, _local: None })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// The same lease, which gives this one back as well.
    pub(super) fn with(mut self, local: LocalLease) -> Self {
        self._local = Some(local);
        self
    }
}

impl Drop for FileLease {
    fn drop(&mut self) {
        // Elsewhere a file that is open cannot be removed; it stays, and is locked again.
        if cfg!(unix) {
            drop(std::fs::remove_file(&self.path));
        }
    }
}

/// A name of the same few characters for any thread, since names of threads are whatever people like.
fn file_name(key: &ThreadKey) -> String {
    let name = format!("{}\0{}", key.session, key.thread);
    format!("{}.lock", ContentHash::of(name.as_bytes()))
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(open), Ok(there)) => open.ino() == there.ino() && open.dev() == there.dev(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

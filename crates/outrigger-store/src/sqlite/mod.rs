//! Threads in one SQLite file.

mod lease;
mod read;
mod schema;
mod worker;
mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use outrigger_core::session::{
    ContentHash, Damage, Fork, Lease, Lines, LocalLeases, MAX_DERIVED, Page, Reading, Restore, SessionInfo, SetAside,
    Store, StoreError, ThreadInfo, ThreadKey, ThreadQuery, within,
};
use outrigger_core::transcript::{Envelope, SessionId};
use rusqlite::Connection;
use serde_json::Value;

use crate::record::{Batch, metadata_text, no_thread};
use crate::rows::{Kept, lines, reading};
use lease::FileLease;
use read::Db;
use worker::Workers;

/// Keeps threads in one SQLite file, with what it writes ahead beside it (`-wal`, `-shm`) and a folder (`-leases`) of
/// locks. Many processes of one machine may have it open; on a file system shared between machines it is not safe.
///
/// What was acknowledged survives the end of the process and a power cut. Calls need a tokio runtime with time for
/// leases only.
pub struct SqliteStore {
    path: Arc<Path>,
    leases: PathBuf,
    local: LocalLeases,
    workers: Workers,
}

/// How a file is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqliteOptions {
    /// How long a call waits for another process that writes. Default 10 s.
    pub busy_timeout: Duration,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(10) }
    }
}

impl SqliteStore {
    /// Opens the file, or makes it where there is none. Its folder must exist. Blocks for as long as that takes.
    ///
    /// # Errors
    /// When it cannot be opened, is no store of threads, or is of a newer program.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_with(path, SqliteOptions::default())
    }

    /// Opens the file, used so.
    ///
    /// # Errors
    /// When it cannot be opened, is no store of threads, or is of a newer program.
    pub fn open_with(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, StoreError> {
        let path: Arc<Path> = std::path::absolute(path).map_err(StoreError::failed)?.into();
        let writer = schema::open_writer(&path, options.busy_timeout)?;
        let workers = Workers::start(writer, || schema::open_reader(&path, options.busy_timeout))?;
        let mut leases = path.as_os_str().to_owned();
        leases.push("-leases");
        Ok(Self { leases: leases.into(), path, local: LocalLeases::default(), workers })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until everything is done and the file closed. Dropping the store closes it too, in its own time.
    pub async fn close(self) {
        self.workers.close().await;
    }

    async fn read_with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let path = Arc::clone(&self.path);
        self.workers.read(move |connection: &Connection| work(&Db { connection, path: &path })).await
    }

    async fn write_with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let path = Arc::clone(&self.path);
        self.workers.write(move |connection: &Connection| work(&Db { connection, path: &path })).await
    }

    async fn take_lease(&self, key: &ThreadKey) -> Result<Lease, StoreError> {
        let local = self.local.wait(key).await;
        let mut wait = Duration::from_millis(2);
        loop {
            let (folder, name) = (self.leases.clone(), key.clone());
            let taken = self.workers.read(move |_| FileLease::try_take(&folder, &name)).await?;
            if let Some(lease) = taken {
                return Ok(Lease::new(lease.with(local)));
            }
            tokio::time::sleep(wait).await;
            wait = wait.saturating_mul(2).min(Duration::from_millis(100));
        }
    }
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SqliteStore").field("path", &self.path).finish()
    }
}

impl Store for SqliteStore {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        expected: u64,
        records: Arc<[Envelope]>,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            key.check()?;
            let (key, batch) = (key.clone(), Batch::new(&records)?);
            self.write_with(move |db| db.append(&key, expected, &batch)).await
        })
    }

    fn read<'a>(&'a self, key: &'a ThreadKey, from: u64) -> BoxFuture<'a, Result<Reading, StoreError>> {
        let key = key.clone();
        Box::pin(self.read_with(move |db| db.walk(&key, from, Kept::Records(Vec::new())).map(reading)))
    }

    fn lease<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(self.take_lease(key))
    }

    fn set_aside<'a>(
        &'a self,
        key: &'a ThreadKey,
        damage: &'a Damage,
        fact: Envelope,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            let (key, damage, fact) = (key.clone(), damage.clone(), Batch::new(&[fact])?);
            self.write_with(move |db| db.set_aside(&key, &damage, &fact)).await
        })
    }

    fn aside<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Vec<SetAside>, StoreError>> {
        let key = key.clone();
        Box::pin(self.read_with(move |db| db.asides(&key)))
    }

    fn sessions(&self, page: Page<SessionId>) -> BoxFuture<'_, Result<Vec<SessionInfo>, StoreError>> {
        Box::pin(self.read_with(move |db| db.sessions(&page)))
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Vec<ThreadInfo>, StoreError>> {
        Box::pin(self.read_with(move |db| db.threads(&query)))
    }

    fn info<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadInfo>, StoreError>> {
        let key = key.clone();
        Box::pin(self.read_with(move |db| db.info(&key)))
    }

    fn set_metadata<'a>(&'a self, key: &'a ThreadKey, metadata: Value) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let (key, metadata) = (key.clone(), metadata_text(&metadata)?);
            self.write_with(move |db| db.set_metadata(&key, metadata.as_deref())).await
        })
    }

    fn fork(&self, fork: Fork) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        Box::pin(async move {
            fork.target.check()?;
            self.write_with(move |db| db.fork(&fork)).await
        })
    }

    fn delete<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<bool, StoreError>> {
        let key = key.clone();
        Box::pin(self.write_with(move |db| db.delete(&key)))
    }

    fn derived_get<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
    ) -> BoxFuture<'a, Result<Option<Arc<[u8]>>, StoreError>> {
        let key = key.clone();
        Box::pin(self.read_with(move |db| db.derived(&key, &hash)))
    }

    fn derived_put<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
        value: Arc<[u8]>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            within("a derived value", value.len(), MAX_DERIVED)?;
            let key = key.clone();
            self.write_with(move |db| db.put_derived(&key, &hash, &value)).await
        })
    }

    fn lines<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lines, StoreError>> {
        let key = key.clone();
        Box::pin(self.read_with(move |db| {
            db.thread(&key)?.ok_or_else(|| no_thread(&key))?;
            db.walk(&key, 0, Kept::Lines(Vec::new())).map(lines)
        }))
    }

    fn restore(&self, restore: Restore) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        Box::pin(async move {
            restore.key.check()?;
            let (batch, metadata) = (Batch::of_lines(&restore.lines)?, metadata_text(&restore.metadata)?);
            self.write_with(move |db| db.restore(&restore, &batch, metadata.as_deref())).await
        })
    }
}

//! Threads that own the connections, so that no executor waits for a disk.
//!
//! One writes, and commits all that waits for it at once: one sync to disk for many appends. The others read.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use outrigger_core::session::StoreError;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

/// How many jobs may wait before callers do.
const QUEUE: usize = 1024;

/// The most jobs of one commit.
const BATCH: usize = 256;

/// How many connections read.
const READERS: usize = 2;

type ReadJob = Box<dyn FnOnce(&Connection) + Send>;

/// The threads. They end when this is dropped and all jobs are done.
pub(super) struct Workers {
    writes: mpsc::Sender<Box<dyn Write>>,
    reads: mpsc::Sender<ReadJob>,
    /// Each tells, by going away, that its thread has closed its connection.
    open: Vec<oneshot::Receiver<()>>,
}

impl Workers {
    pub(super) fn start(
        writer: Connection,
        open_reader: impl Fn() -> Result<Connection, StoreError>,
    ) -> Result<Self, StoreError> {
        let mut open = Vec::with_capacity(READERS.saturating_add(1));
        let (writes, jobs) = mpsc::channel(QUEUE);
        open.push(spawn("outrigger-sqlite-write", move || write_all(writer, jobs))?);
        let (reads, jobs) = mpsc::channel::<ReadJob>(QUEUE);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..READERS {
            let (reader, jobs) = (open_reader()?, Arc::clone(&jobs));
            open.push(spawn("outrigger-sqlite-read", move || {
                let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
                while let Some(job) = next() {
                    job(&reader);
                }
                drop(reader);
            })?);
        }
        Ok(Self { writes, reads, open })
    }

    /// Waits until all jobs are done and all connections closed.
    pub(super) async fn close(self) {
        let Self { writes, reads, open } = self;
        drop((writes, reads));
        for thread in open {
            // The thread never sends; it goes away.
            drop(thread.await);
        }
    }

    /// Reads on one of the reading connections.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (tell, told) = oneshot::channel();
        // Whoever asked may have left.
        let job: ReadJob = Box::new(move |connection| drop(tell.send(work(connection))));
        self.reads.send(job).await.map_err(|_| gone())?;
        told.await.map_err(|_| gone())?
    }

    /// Does the work in a transaction and tells of it once it is on disk. Work that fails leaves nothing behind.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (tell, told) = oneshot::channel();
        let job = WriteJob { work: Some(work), result: None, tell };
        self.writes.send(Box::new(job)).await.map_err(|_| gone())?;
        told.await.map_err(|_| gone())?
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<oneshot::Receiver<()>, StoreError> {
    let (open, closed) = oneshot::channel::<()>();
    let work = move || {
        work();
        drop(open);
    };
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map_err(StoreError::failed)?;
    Ok(closed)
}

fn gone() -> StoreError {
    StoreError::failed("the store's thread is gone")
}

/// One caller's part of a commit.
trait Write: Send {
    /// Does the work; says whether it is to be kept.
    fn run(&mut self, connection: &Connection) -> bool;

    /// Tells the caller, now that the commit is made or has failed.
    fn end(self: Box<Self>, commit: Result<(), &str>);
}

struct WriteJob<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    tell: oneshot::Sender<Result<T, StoreError>>,
}

impl<T: Send, F: FnOnce(&Connection) -> Result<T, StoreError> + Send> Write for WriteJob<T, F> {
    fn run(&mut self, connection: &Connection) -> bool {
        self.result = self.work.take().map(|work| work(connection));
        matches!(self.result, Some(Ok(_)))
    }

    fn end(self: Box<Self>, commit: Result<(), &str>) {
        let result = match (commit, self.result) {
            (_, Some(Err(error))) => Err(error),
            (Ok(()), Some(result)) => result,
            (Err(error), _) => Err(StoreError::failed(error)),
            (Ok(()), None) => Err(gone()),
        };
        drop(self.tell.send(result));
    }
}

fn write_all(connection: Connection, mut jobs: mpsc::Receiver<Box<dyn Write>>) {
    while let Some(first) = jobs.blocking_recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH {
            match jobs.try_recv() {
                Ok(job) => batch.push(job),
                Err(_) => break,
            }
        }
        let commit = commit(&connection, &mut batch);
        if commit.is_err() && !connection.is_autocommit() {
            // Nothing of a failed batch may stay, and the next must be able to begin.
            drop(connection.execute_batch("ROLLBACK"));
        }
        let told = commit.map_err(|error| error.to_string());
        batch.into_iter().for_each(|job| job.end(told.as_ref().copied().map_err(String::as_str)));
    }
}

fn commit(connection: &Connection, batch: &mut [Box<dyn Write>]) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    for job in batch {
        connection.execute_batch("SAVEPOINT job")?;
        if !job.run(connection) {
            connection.execute_batch("ROLLBACK TO job")?;
        }
        // A full disk or an error of it ends the whole transaction; then this fails, and so does the batch.
        connection.execute_batch("RELEASE job")?;
    }
    connection.execute_batch("COMMIT")
}

/// An error of the database in this file.
pub(super) fn failed(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
    |error| StoreError::failed(format!("{}: {error}", path.display()))
}

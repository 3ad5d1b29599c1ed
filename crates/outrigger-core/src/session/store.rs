//! What keeps logs.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::transcript::{Envelope, SessionId, ThreadId};

/// A thread, wherever it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreadKey {
    /// The session it belongs to.
    pub session: SessionId,
    /// Its name there.
    pub thread: ThreadId,
}

impl fmt::Display for ThreadKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.session, self.thread)
    }
}

/// Keeps threads. A store knows numbers and bytes, and nothing of turns.
pub trait Store: Send + Sync {
    /// Appends records behind the first `expected` of the thread, all or none, and returns the new length.
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        expected: u64,
        records: Arc<[Envelope]>,
    ) -> BoxFuture<'a, Result<u64, StoreError>>;

    /// The records from number `from` on. A thread nobody wrote to has none.
    fn read<'a>(&'a self, key: &'a ThreadKey, from: u64) -> BoxFuture<'a, Result<Vec<Envelope>, StoreError>>;

    /// Waits until nobody else drives the thread, and keeps others from driving it until the lease is dropped.
    fn lease<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lease, StoreError>>;
}

/// The right to drive a thread; dropping it gives it back.
pub struct Lease(#[allow(dead_code, reason = "held for its drop")] Box<dyn Any + Send>);

impl Lease {
    /// A lease that lasts as long as `held`.
    #[must_use]
    pub fn new(held: impl Any + Send) -> Self {
        Self(Box::new(held))
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Lease")
    }
}

/// Why a store did not do as it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Someone else appended meanwhile.
    #[error("thread {key} has {found} records where {expected} were expected: another writer was faster")]
    Stale {
        /// The thread.
        key: ThreadKey,
        /// How many the writer knew of.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// The store itself failed.
    #[error("the store failed: {0}")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

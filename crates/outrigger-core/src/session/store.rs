//! What keeps logs.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::damage::{Damage, Lines, Reading, SetAside};
use super::hash::ContentHash;
use super::listing::{Fork, Page, Restore, SessionInfo, ThreadInfo, ThreadQuery};
use crate::transcript::{Envelope, SessionId, Text, ThreadId};

/// The most bytes of a thread's metadata, as JSON.
pub const MAX_METADATA: usize = 64 << 10;

/// The most bytes of one derived value.
pub const MAX_DERIVED: usize = 16 << 20;

/// The most bytes of a session's or a thread's name.
pub const MAX_NAME: usize = 512;

/// A thread, wherever it is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ThreadKey {
    /// The session it belongs to.
    pub session: SessionId,
    /// Its name there.
    pub thread: ThreadId,
}

impl ThreadKey {
    /// Whether both names may be kept: from 1 to [`MAX_NAME`] bytes, and no control characters.
    ///
    /// # Errors
    /// Which name is wrong, and why.
    pub fn check(&self) -> Result<(), StoreError> {
        for name in [self.session.as_str(), self.thread.as_str()] {
            let problem = match name {
                "" => "is empty",
                _ if name.len() > MAX_NAME => "is longer than 512 bytes",
                _ if name.contains(char::is_control) => "has control characters",
                _ => continue,
            };
            let shown: String = name.chars().take(40).collect();
            return Err(StoreError::BadName { name: shown.into(), problem });
        }
        Ok(())
    }
}

impl fmt::Display for ThreadKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.session, self.thread)
    }
}

/// Keeps threads. A store knows numbers and bytes, and nothing of turns.
///
/// A call once begun is to be finished whatever happens to its future: a caller that goes away may find its records
/// appended or not, but never in part. `outrigger_store::conformance` holds a store to all of this.
pub trait Store: Send + Sync {
    /// Appends records behind the first `expected` of the thread, all or none, and returns the new length. The first
    /// append makes the thread.
    ///
    /// Records whose origin the thread has already are not appended again: its length is returned, whatever `expected`
    /// says. A thread has an origin if the newest origin in it is of the same turn and of the same or a later step.
    /// Otherwise a length other than `expected` is [`StoreError::Stale`].
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        expected: u64,
        records: Arc<[Envelope]>,
    ) -> BoxFuture<'a, Result<u64, StoreError>>;

    /// The records from number `from` on, as far as they are consistent, and what is wrong with the rest. A thread
    /// nobody wrote to has none. From behind the end it is [`StoreError::Stale`].
    fn read<'a>(&'a self, key: &'a ThreadKey, from: u64) -> BoxFuture<'a, Result<Reading, StoreError>>;

    /// Waits until nobody else drives the thread, and keeps others from driving it until the lease is dropped or its
    /// process is gone.
    fn lease<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Sets everything from the damage on aside, kept but no longer part of the thread, and appends `fact` in its place,
    /// both or neither. Returns the new length. A thread whose length is not the damage's is [`StoreError::Stale`].
    fn set_aside<'a>(
        &'a self,
        key: &'a ThreadKey,
        damage: &'a Damage,
        fact: Envelope,
    ) -> BoxFuture<'a, Result<u64, StoreError>>;

    /// What was set aside of the thread, the oldest first.
    fn aside<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Vec<SetAside>, StoreError>>;

    /// Sessions by name, from behind `page.after`.
    fn sessions(&self, page: Page<SessionId>) -> BoxFuture<'_, Result<Vec<SessionInfo>, StoreError>>;

    /// Threads by session and name.
    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Vec<ThreadInfo>, StoreError>>;

    /// What is known of one thread.
    fn info<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadInfo>, StoreError>>;

    /// Replaces the thread's metadata: small JSON that a host keeps beside it, at most [`MAX_METADATA`] bytes.
    fn set_metadata<'a>(
        &'a self,
        key: &'a ThreadKey,
        metadata: serde_json::Value,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Makes a thread whose first records are another's, shared and not copied. Metadata is copied; derived data is
    /// shared.
    fn fork(&self, fork: Fork) -> BoxFuture<'_, Result<ThreadInfo, StoreError>>;

    /// Deletes the thread, and says whether there was one. Records that forks share stay with them.
    fn delete<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// What was derived from content with this hash, by this thread or one it shares its origin with.
    fn derived_get<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
    ) -> BoxFuture<'a, Result<Option<Arc<[u8]>>, StoreError>>;

    /// Keeps what was derived from content with this hash: at most [`MAX_DERIVED`] bytes.
    fn derived_put<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
        value: Arc<[u8]>,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// The whole thread as it is stored, one JSON text a record, as far as it is consistent.
    fn lines<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lines, StoreError>>;

    /// Makes a thread of records as another store held them, all or none. The thread must not exist.
    fn restore(&self, restore: Restore) -> BoxFuture<'_, Result<ThreadInfo, StoreError>>;
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
    /// The thread is not as it was written.
    #[error("{0}")]
    Damaged(Box<Damage>),
    /// There is no such thread.
    #[error("there is no thread {key}")]
    NoThread {
        /// The thread.
        key: ThreadKey,
    },
    /// There is such a thread already.
    #[error("there is a thread {key} already")]
    Exists {
        /// The thread.
        key: ThreadKey,
    },
    /// A fork from behind the end.
    #[error("thread {key} has {length} records, so it cannot be forked at {at}")]
    ForkBeyondEnd {
        /// The thread.
        key: ThreadKey,
        /// Where it was to be forked.
        at: u64,
        /// How many records there are.
        length: u64,
    },
    /// A fork from behind the last message.
    #[error("thread {key} has {length} messages, so it cannot be forked after {at}")]
    TooFewMessages {
        /// The thread.
        key: ThreadKey,
        /// After how many messages it was to be forked.
        at: usize,
        /// How many there are.
        length: usize,
    },
    /// A name that cannot be kept.
    #[error("the name {name:?} {problem}; names have 1 to 512 bytes and no control characters")]
    BadName {
        /// The name, cut.
        name: Text,
        /// What is wrong.
        problem: &'static str,
    },
    /// A value over its limit.
    #[error("{what} has {size} bytes and at most {limit} are kept")]
    TooLarge {
        /// What kind of value.
        what: &'static str,
        /// Its bytes.
        size: usize,
        /// The limit.
        limit: usize,
    },
    /// A text that is to be restored is no record.
    #[error("record {number} cannot be restored: {problem}")]
    NotARecord {
        /// Its number, from 0.
        number: u64,
        /// What is wrong.
        problem: Text,
    },
    /// The store's form is of a later program.
    #[error("{place} has schema version {found} and this program knows up to {known}: use a newer program")]
    Newer {
        /// Which store.
        place: Text,
        /// The version it has.
        found: u64,
        /// The newest this program knows.
        known: u64,
    },
    /// What was opened is not a store.
    #[error("{place} is not a store of threads: {problem}")]
    NotAStore {
        /// What was opened.
        place: Text,
        /// What is wrong.
        problem: Text,
    },
    /// The store itself failed.
    #[error("the store failed: {0}")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// The word for it in faults and events.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Stale { .. } => "store.stale",
            Self::Damaged(_) => "store.damaged",
            Self::NoThread { .. } => "store.no_thread",
            Self::Exists { .. } => "store.exists",
            Self::TooFewMessages { .. } => "store.too_few_messages",
            Self::ForkBeyondEnd { .. } => "store.fork_beyond_end",
            Self::BadName { .. } => "store.bad_name",
            Self::TooLarge { .. } => "store.too_large",
            Self::NotARecord { .. } => "store.not_a_record",
            Self::Newer { .. } => "store.newer",
            Self::NotAStore { .. } => "store.not_a_store",
            Self::Failed(_) => "store.failed",
        }
    }

    /// A failure of what is underneath.
    pub fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }
}

/// Refuses a value over its limit.
///
/// # Errors
/// [`StoreError::TooLarge`].
pub fn within(what: &'static str, size: usize, limit: usize) -> Result<(), StoreError> {
    if size > limit { Err(StoreError::TooLarge { what, size, limit }) } else { Ok(()) }
}

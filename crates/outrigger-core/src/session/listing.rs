//! What a store tells of its sessions and threads, and how threads come from others.

use serde::{Deserialize, Serialize};

use super::store::ThreadKey;
use crate::transcript::{SessionId, Text, ThreadId, Timestamp};

/// The most items of one answer, and what is answered where nobody says.
pub const MAX_PAGE: usize = 1000;

/// What is known of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionInfo {
    /// The session.
    pub session: SessionId,
    /// How many threads it has.
    pub threads: u64,
    /// How many records they have, shared ones counted in each.
    pub records: u64,
    /// When the first of them was made.
    pub created: Timestamp,
    /// When one of them was last appended to.
    pub changed: Timestamp,
}

/// What is known of a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadInfo {
    /// The thread.
    #[serde(flatten)]
    pub key: ThreadKey,
    /// How many records it has.
    pub records: u64,
    /// When it was made.
    pub created: Timestamp,
    /// When it was last appended to.
    pub changed: Timestamp,
    /// What it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<Lineage>,
    /// What a host keeps beside it; `null` where it keeps nothing.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub metadata: serde_json::Value,
}

/// Where a fork comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lineage {
    /// The thread it was forked from, which may be gone by now.
    pub parent: ThreadKey,
    /// How many records they share.
    pub at: u64,
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The last item of the part before.
    pub after: Option<T>,
    /// How many items at most: from 1 to [`MAX_PAGE`].
    pub limit: usize,
}

impl<T> Page<T> {
    /// The limit, kept within its bounds.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit.clamp(1, MAX_PAGE)
    }
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Self { after: None, limit: MAX_PAGE }
    }
}

/// Which threads to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadQuery {
    /// Only those of this session.
    pub session: Option<SessionId>,
    /// Only forks of this thread.
    pub forked_from: Option<ThreadKey>,
    /// Which part.
    pub page: Page<ThreadKey>,
}

impl ThreadQuery {
    /// The threads of a session.
    #[must_use]
    pub fn session(session: impl Into<SessionId>) -> Self {
        Self { session: Some(session.into()), ..Self::default() }
    }

    /// The forks of a thread.
    #[must_use]
    pub fn forks_of(parent: ThreadKey) -> Self {
        Self { forked_from: Some(parent), ..Self::default() }
    }
}

/// A thread to be made from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The other.
    pub source: ThreadKey,
    /// How many of its records are shared; all of them without.
    pub at: Option<u64>,
    /// The new thread, which must not exist.
    pub target: ThreadKey,
    /// When.
    pub time: Timestamp,
}

/// A thread to be made of records as another store held them.
#[derive(Clone, Debug, PartialEq)]
pub struct Restore {
    /// The new thread, which must not exist.
    pub key: ThreadKey,
    /// One JSON text a record.
    pub lines: Vec<Text>,
    /// What a host keeps beside it.
    pub metadata: serde_json::Value,
    /// When, for a thread without records.
    pub time: Timestamp,
}

impl ThreadKey {
    /// A thread of a session.
    #[must_use]
    pub fn new(session: impl Into<SessionId>, thread: impl Into<ThreadId>) -> Self {
        Self { session: session.into(), thread: thread.into() }
    }
}

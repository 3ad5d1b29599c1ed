//! What a store finds when a thread is not as it was written.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::store::ThreadKey;
use crate::transcript::{Envelope, RecordsLost, Text};

/// What a store holds of a thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The records, as far as they are consistent.
    pub records: Vec<Envelope>,
    /// What is wrong behind them.
    pub damage: Option<Damage>,
}

/// A thread as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// One JSON text a record, as far as they are consistent.
    pub lines: Vec<Text>,
    /// What is wrong behind them.
    pub damage: Option<Damage>,
}

/// What was set aside of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// The number of the first record that was set aside.
    pub from: u64,
    /// Why.
    pub reason: Text,
    /// What is stored of them, byte for byte where it is text.
    pub rows: Vec<Text>,
}

/// Where a thread stops being as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The thread.
    pub key: ThreadKey,
    /// The number of the first record that cannot be relied on; those before it can.
    pub from: u64,
    /// How many records are lost from there on, as far as the store can tell.
    pub count: u64,
    /// How many records the store says the thread has.
    pub length: u64,
    /// The file or table, and the row.
    pub place: Text,
    /// What is wrong there.
    pub reason: DamageReason,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageReason {
    /// It is not there.
    Missing,
    /// It is there a second time, or where nothing should be.
    Surplus,
    /// It is not what was written: its check differs.
    Changed,
    /// It is no record.
    Unreadable(Text),
    /// The database cannot read it.
    Unreachable(Text),
}

impl Damage {
    /// The fact that stands in the thread for what was lost.
    #[must_use]
    pub fn fact(&self) -> RecordsLost {
        let reason = self.reason.to_string().into();
        RecordsLost { from: self.from, count: self.count, place: self.place.clone(), reason }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, from, count, place, reason, .. } = self;
        let records = if *count == 1 { "record is" } else { "records are" };
        write!(
            out,
            "thread {key} is damaged at record {from} ({place}): {reason}; {count} {records} lost from there on"
        )
    }
}

impl fmt::Display for DamageReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => out.write_str("the row is missing"),
            Self::Surplus => out.write_str("a row is there that was never appended"),
            Self::Changed => out.write_str("the row is not what was written, its check differs"),
            Self::Unreadable(error) => write!(out, "the row is no record: {error}"),
            Self::Unreachable(error) => write!(out, "the database cannot read the row: {error}"),
        }
    }
}

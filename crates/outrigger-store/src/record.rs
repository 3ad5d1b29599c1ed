//! What databases keep of threads, in their types.

use std::sync::Arc;

use outrigger_core::session::{MAX_METADATA, StoreError, ThreadKey, within};
use outrigger_core::transcript::{Envelope, Origin, Text, Timestamp};
use serde_json::Value;

/// Records on their way into a database.
pub(crate) struct Batch {
    pub(crate) texts: Vec<Text>,
    pub(crate) first_origin: Option<Origin>,
    pub(crate) last_origin: Option<Origin>,
    pub(crate) first_time: Option<Timestamp>,
    pub(crate) last_time: Option<Timestamp>,
}

impl Batch {
    pub(crate) fn new(records: &[Envelope]) -> Result<Self, StoreError> {
        let texts = records.iter().map(|record| Ok(serde_json::to_string(record).map_err(StoreError::failed)?.into()));
        Ok(Self { texts: texts.collect::<Result<_, StoreError>>()?, ..Self::told_by(records) })
    }

    /// Records that stay as they are written.
    pub(crate) fn of_lines(lines: &[Text]) -> Result<Self, StoreError> {
        let mut records = Vec::with_capacity(lines.len());
        for (number, line) in (0..).zip(lines) {
            let record = serde_json::from_str::<Envelope>(line);
            records.push(record.map_err(|error| StoreError::NotARecord { number, problem: error.to_string().into() })?);
        }
        Ok(Self { texts: lines.to_vec(), ..Self::told_by(&records) })
    }

    fn told_by(records: &[Envelope]) -> Self {
        Self {
            texts: Vec::new(),
            first_origin: records.first().and_then(|record| record.origin.clone()),
            last_origin: records.iter().rev().find_map(|record| record.origin.clone()),
            first_time: records.first().map(|record| record.time),
            last_time: records.last().map(|record| record.time),
        }
    }
}

/// Whether a thread whose newest origin is `last` has this one.
pub(crate) fn has_origin(last: Option<(&str, i64)>, origin: &Origin) -> bool {
    last.is_some_and(|(turn, step)| turn == origin.turn.as_str() && step >= i64::from(origin.step))
}

/// A number of a record as databases have it.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of a record as it comes from a database. None is negative, unless another program made it so.
pub(crate) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// Metadata as text; nothing for `null`.
pub(crate) fn metadata_text(metadata: &Value) -> Result<Option<String>, StoreError> {
    let text = (!metadata.is_null()).then(|| metadata.to_string());
    within("metadata", text.as_ref().map_or(0, String::len), MAX_METADATA)?;
    Ok(text)
}

/// Metadata from text. What is no JSON any more is not worth a thread.
pub(crate) fn metadata_value(text: Option<&str>) -> Value {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// A derived value, if it is still what was put.
pub(crate) fn derived(value: &[u8], check: &[u8]) -> Option<Arc<[u8]>> {
    (crate::rows::check_alone(value) == check).then(|| value.into())
}

pub(crate) fn stale(key: &ThreadKey, expected: u64, found: u64) -> StoreError {
    StoreError::Stale { key: key.clone(), expected, found }
}

pub(crate) fn no_thread(key: &ThreadKey) -> StoreError {
    StoreError::NoThread { key: key.clone() }
}

//! What is read of threads. Everything here runs on a thread of the store.

use std::path::Path;
use std::sync::Arc;

use outrigger_core::session::{
    ContentHash, Damage, Lineage, Page, SessionInfo, SetAside, StoreError, ThreadInfo, ThreadKey, ThreadQuery,
};
use outrigger_core::transcript::{SessionId, Text, Timestamp};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row as SqlRow, params};

use super::worker::failed;
use crate::record::{derived, metadata_value, signed, stale, unsigned};
use crate::rows::{Check, Head, Kept, Part, ROOT, Row, Walk, segment_of};

/// What appends and reads need of a thread's row.
pub(super) struct Thread {
    pub(super) segment: i64,
    pub(super) head: Head,
    pub(super) turn: Option<String>,
    pub(super) step: Option<i64>,
    pub(super) family: i64,
}

impl Thread {
    pub(super) fn origin(&self) -> Option<(&str, i64)> {
        self.turn.as_deref().zip(self.step)
    }
}

/// A database, and which file it is.
pub(super) struct Db<'a> {
    pub(super) connection: &'a Connection,
    pub(super) path: &'a Path,
}

impl Db<'_> {
    pub(super) fn failed(&self) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        failed(self.path)
    }

    pub(super) fn thread(&self, key: &ThreadKey) -> Result<Option<Thread>, StoreError> {
        let sql = "SELECT segment, length, digest, turn, step, family FROM threads WHERE session = ?1 AND thread = ?2";
        let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
        let thread = statement.query_row(params![key.session.as_str(), key.thread.as_str()], |row| {
            let check: Check = row.get::<_, Vec<u8>>(2)?.try_into().unwrap_or(ROOT);
            Ok(Thread {
                segment: row.get(0)?,
                head: Head { length: unsigned(row.get(1)?), check },
                turn: row.get(3)?,
                step: row.get(4)?,
                family: row.get(5)?,
            })
        });
        thread.optional().map_err(self.failed())
    }

    /// The segments of a thread, the oldest first; each begins within the one before.
    pub(super) fn parts(&self, last: i64) -> Result<Vec<Part>, StoreError> {
        let sql = "SELECT parent, start FROM segments WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
        let mut parts: Vec<Part> = Vec::new();
        let mut next = Some(last);
        while let Some(segment) = next {
            let found = statement.query_row([segment], |row| Ok((row.get(0)?, unsigned(row.get(1)?))));
            let Some((parent, start)) = found.optional().map_err(self.failed())? else { break };
            // A chain that does not lead down ends here, and what is missing below it is found as missing.
            if parts.last().is_some_and(|part| start >= part.start) {
                break;
            }
            parts.push(Part { segment, start });
            next = if start == 0 { None } else { parent };
        }
        parts.reverse();
        Ok(parts)
    }

    /// Goes through the rows of a thread from a number on.
    pub(super) fn walk(&self, key: &ThreadKey, from: u64, kept: Kept) -> Result<(Kept, Option<Damage>), StoreError> {
        let snapshot = self.connection.unchecked_transaction().map_err(self.failed())?;
        let Some(thread) = self.thread(key)? else {
            return if from == 0 { Ok((kept, None)) } else { Err(stale(key, from, 0)) };
        };
        let length = thread.head.length;
        if from > length {
            return Err(stale(key, from, length));
        }
        let parts = self.parts(thread.segment)?;
        let before = match from {
            0 => ROOT,
            _ if from == length => thread.head.check,
            _ => self.check_of(&parts, from.saturating_sub(1))?.unwrap_or(ROOT),
        };
        let mut walk = Walk::new(thread.head, from, before, kept);
        self.walk_parts(&parts, from, |row| walk.row(&row)).unwrap_or_else(|error| walk.unreachable(&error));
        drop(snapshot);
        Ok(walk.end(key, |number| self.place(&parts, number)))
    }

    fn walk_parts(&self, parts: &[Part], from: u64, mut each: impl FnMut(Row<'_>)) -> rusqlite::Result<()> {
        let sql = "SELECT number, digest, text FROM records WHERE segment = ?1 AND number >= ?2 AND number < ?3 \
                   ORDER BY number";
        let mut statement = self.connection.prepare_cached(sql)?;
        let ends = parts.iter().skip(1).map(|part| signed(part.start)).chain([i64::MAX]);
        for (part, end) in parts.iter().zip(ends) {
            let start = signed(part.start.max(from));
            if start >= end {
                continue;
            }
            let mut rows = statement.query(params![part.segment, start, end])?;
            while let Some(row) = rows.next()? {
                each(Row { number: unsigned(row.get(0)?), check: bytes(row, 1)?, text: bytes(row, 2)? });
            }
        }
        Ok(())
    }

    /// The check of one row.
    pub(super) fn check_of(&self, parts: &[Part], number: u64) -> Result<Option<Check>, StoreError> {
        let Some(segment) = segment_of(parts, number) else { return Ok(None) };
        let sql = "SELECT digest FROM records WHERE segment = ?1 AND number = ?2";
        let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
        let check = statement.query_row(params![segment, signed(number)], |row| row.get::<_, Vec<u8>>(0));
        Ok(check.optional().map_err(self.failed())?.and_then(|check| check.try_into().ok()))
    }

    fn place(&self, parts: &[Part], number: u64) -> Text {
        let path = self.path.display();
        match segment_of(parts, number) {
            Some(segment) => format!("{path}, table records, segment {segment}, number {number}").into(),
            None => format!("{path}, table segments, the segment of number {number}").into(),
        }
    }

    pub(super) fn info(&self, key: &ThreadKey) -> Result<Option<ThreadInfo>, StoreError> {
        let sql = format!("SELECT {INFO} FROM threads WHERE session = ?1 AND thread = ?2");
        let mut statement = self.connection.prepare_cached(&sql).map_err(self.failed())?;
        let info = statement.query_row(params![key.session.as_str(), key.thread.as_str()], info);
        info.optional().map_err(self.failed())
    }

    pub(super) fn sessions(&self, page: &Page<SessionId>) -> Result<Vec<SessionInfo>, StoreError> {
        let sql = "SELECT session, count(*), sum(length), min(created), max(changed) FROM threads \
                   WHERE session > ?1 GROUP BY session ORDER BY session LIMIT ?2";
        let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
        // No name is empty, so that all are behind it.
        let after = page.after.as_ref().map_or("", SessionId::as_str);
        let sessions = statement.query_map(params![after, page.limit() as i64], |row| {
            Ok(SessionInfo {
                session: row.get::<_, String>(0)?.as_str().into(),
                threads: unsigned(row.get(1)?),
                records: unsigned(row.get(2)?),
                created: Timestamp(row.get(3)?),
                changed: Timestamp(row.get(4)?),
            })
        });
        sessions.and_then(Iterator::collect).map_err(self.failed())
    }

    pub(super) fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadInfo>, StoreError> {
        let sql = format!(
            "SELECT {INFO} FROM threads WHERE (session, thread) > (?1, ?2) AND (?3 IS NULL OR session = ?3) \
             AND (?4 IS NULL OR (parent_session = ?4 AND parent_thread = ?5)) ORDER BY session, thread LIMIT ?6"
        );
        let mut statement = self.connection.prepare_cached(&sql).map_err(self.failed())?;
        let after = query.page.after.as_ref();
        let parent = query.forked_from.as_ref();
        let values = params![
            after.map_or("", |key| key.session.as_str()),
            after.map_or("", |key| key.thread.as_str()),
            query.session.as_ref().map(SessionId::as_str),
            parent.map(|key| key.session.as_str()),
            parent.map(|key| key.thread.as_str()),
            query.page.limit() as i64,
        ];
        statement.query_map(values, info).and_then(Iterator::collect).map_err(self.failed())
    }

    pub(super) fn asides(&self, key: &ThreadKey) -> Result<Vec<SetAside>, StoreError> {
        let snapshot = self.connection.unchecked_transaction().map_err(self.failed())?;
        let sql = "SELECT segment, start, reason FROM asides WHERE session = ?1 AND thread = ?2 ORDER BY id";
        let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
        let values = params![key.session.as_str(), key.thread.as_str()];
        let found = statement.query_map(values, |row| Ok((row.get(0)?, unsigned(row.get(1)?), row.get(2)?)));
        let found: Vec<(i64, u64, String)> = found.and_then(Iterator::collect).map_err(self.failed())?;
        let mut asides = Vec::with_capacity(found.len());
        for (segment, from, reason) in found {
            let mut rows = Vec::new();
            let parts = self.parts(segment)?;
            // What the database cannot read is not there to be shown.
            drop(self.walk_parts(&parts, from, |row| rows.push(String::from_utf8_lossy(row.text).into())));
            asides.push(SetAside { from, reason: reason.into(), rows });
        }
        drop(snapshot);
        Ok(asides)
    }

    pub(super) fn derived(&self, key: &ThreadKey, hash: &ContentHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        let sql = "SELECT value, derived.digest FROM derived JOIN threads USING (family) \
                   WHERE session = ?1 AND thread = ?2 AND hash = ?3";
        let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
        let values = params![key.session.as_str(), key.thread.as_str(), hash.bytes()];
        let found = statement.query_row(values, |row| Ok(derived(bytes(row, 0)?, bytes(row, 1)?)));
        Ok(found.optional().map_err(self.failed())?.flatten())
    }
}

const INFO: &str = "session, thread, length, created, changed, parent_session, parent_thread, parent_at, metadata";

fn info(row: &SqlRow<'_>) -> rusqlite::Result<ThreadInfo> {
    let text = |at: usize| row.get::<_, String>(at);
    let key = |session: String, thread: String| ThreadKey::new(session.as_str(), thread.as_str());
    let at: Option<i64> = row.get(7)?;
    let lineage = match at {
        Some(at) => Some(Lineage { parent: key(text(5)?, text(6)?), at: unsigned(at) }),
        None => None,
    };
    Ok(ThreadInfo {
        key: key(text(0)?, text(1)?),
        records: unsigned(row.get(2)?),
        created: Timestamp(row.get(3)?),
        changed: Timestamp(row.get(4)?),
        lineage,
        metadata: metadata_value(row.get::<_, Option<String>>(8)?.as_deref()),
    })
}

/// The bytes of a column, whatever another program put there.
fn bytes<'a>(row: &'a SqlRow<'_>, at: usize) -> rusqlite::Result<&'a [u8]> {
    Ok(match row.get_ref(at)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        _ => &[],
    })
}

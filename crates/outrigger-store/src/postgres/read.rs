//! What is read of threads.

use std::sync::Arc;

use deadpool_postgres::Transaction;
use outrigger_core::session::{
    ContentHash, Damage, Lineage, Page, SessionInfo, SetAside, StoreError, ThreadInfo, ThreadKey, ThreadQuery,
};
use outrigger_core::transcript::{SessionId, Text, Timestamp};
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::{FromSql, ToSql};

use super::connect::failed;
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

/// Whether a thread's row is kept as it is until the transaction ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lock {
    No,
    Yes,
}

/// A transaction, and which schema it is in.
pub(super) struct Db<'a> {
    pub(super) transaction: Transaction<'a>,
    pub(super) schema: &'a str,
}

/// What stands for `$1` and so on.
pub(super) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Db<'_> {
    pub(super) async fn rows(&self, sql: &str, values: Values<'_>) -> Result<Vec<SqlRow>, StoreError> {
        let statement = self.transaction.prepare_cached(sql).await.map_err(|error| failed(&error))?;
        self.transaction.query(&statement, values).await.map_err(|error| failed(&error))
    }

    pub(super) async fn row(&self, sql: &str, values: Values<'_>) -> Result<Option<SqlRow>, StoreError> {
        Ok(self.rows(sql, values).await?.pop())
    }

    pub(super) async fn execute(&self, sql: &str, values: Values<'_>) -> Result<u64, StoreError> {
        let statement = self.transaction.prepare_cached(sql).await.map_err(|error| failed(&error))?;
        self.transaction.execute(&statement, values).await.map_err(|error| failed(&error))
    }

    pub(super) async fn thread(&self, key: &ThreadKey, lock: Lock) -> Result<Option<Thread>, StoreError> {
        let sql = match lock {
            Lock::No => {
                "SELECT segment, length, digest, turn, step, family FROM threads WHERE session = $1 AND thread = $2"
            }
            Lock::Yes => {
                "SELECT segment, length, digest, turn, step, family FROM threads WHERE session = $1 AND thread = $2 FOR UPDATE"
            }
        };
        let row = self.row(sql, &[&key.session.as_str(), &key.thread.as_str()]).await?;
        let Some(row) = row else { return Ok(None) };
        let check: Check = column::<&[u8]>(&row, 2)?.try_into().unwrap_or(ROOT);
        let head = Head { length: unsigned(column(&row, 1)?), check };
        let (segment, turn, step) = (column(&row, 0)?, column(&row, 3)?, column(&row, 4)?);
        Ok(Some(Thread { segment, head, turn, step, family: column(&row, 5)? }))
    }

    /// The segments of a thread, the oldest first; each begins within the one before. A chain that does not lead down
    /// ends there, and what is missing below is found as missing.
    pub(super) async fn parts(&self, last: i64) -> Result<Vec<Part>, StoreError> {
        let sql = "WITH RECURSIVE chain (id, parent, start) AS (
                SELECT id, parent, start FROM segments WHERE id = $1
                UNION ALL
                SELECT before.id, before.parent, before.start
                FROM segments AS before JOIN chain ON before.id = chain.parent AND before.start < chain.start
            ) SELECT id, start FROM chain ORDER BY start";
        let rows = self.rows(sql, &[&last]).await?;
        rows.iter().map(|row| Ok(Part { segment: column(row, 0)?, start: unsigned(column(row, 1)?) })).collect()
    }

    /// Goes through the rows of a thread from a number on.
    pub(super) async fn walk(
        &self,
        key: &ThreadKey,
        from: u64,
        kept: Kept,
    ) -> Result<(Kept, Option<Damage>), StoreError> {
        let Some(thread) = self.thread(key, Lock::No).await? else {
            return if from == 0 { Ok((kept, None)) } else { Err(stale(key, from, 0)) };
        };
        let length = thread.head.length;
        if from > length {
            return Err(stale(key, from, length));
        }
        let parts = self.parts(thread.segment).await?;
        let before = match from {
            0 => ROOT,
            _ if from == length => thread.head.check,
            _ => self.check_of(&parts, from.saturating_sub(1)).await?.unwrap_or(ROOT),
        };
        let mut walk = Walk::new(thread.head, from, before, kept);
        let walked = self.walk_parts(&parts, from, |row| walk.row(&row)).await;
        if let Err(error) = walked {
            // A page that cannot be read is this thread's damage; a connection that broke is not.
            if !error.as_db_error().is_some_and(|error| error.code().code().starts_with("XX")) {
                return Err(failed(&error));
            }
            walk.unreachable(&error);
        }
        Ok(walk.end(key, |number| self.place(&parts, number)))
    }

    async fn walk_parts(
        &self,
        parts: &[Part],
        from: u64,
        mut each: impl FnMut(Row<'_>),
    ) -> Result<(), tokio_postgres::Error> {
        let sql = "SELECT number, digest, text FROM records WHERE segment = $1 AND number >= $2 AND number < $3 \
                   ORDER BY number";
        let statement = self.transaction.prepare_cached(sql).await?;
        let ends = parts.iter().skip(1).map(|part| signed(part.start)).chain([i64::MAX]);
        for (part, end) in parts.iter().zip(ends) {
            let start = signed(part.start.max(from));
            if start >= end {
                continue;
            }
            for row in self.transaction.query(&statement, &[&part.segment, &start, &end]).await? {
                let text: &str = row.try_get(2)?;
                each(Row { number: unsigned(row.try_get(0)?), check: row.try_get(1)?, text: text.as_bytes() });
            }
        }
        Ok(())
    }

    /// The check of one row.
    pub(super) async fn check_of(&self, parts: &[Part], number: u64) -> Result<Option<Check>, StoreError> {
        let Some(segment) = segment_of(parts, number) else { return Ok(None) };
        let sql = "SELECT digest FROM records WHERE segment = $1 AND number = $2";
        let row = self.row(sql, &[&segment, &signed(number)]).await?;
        let Some(row) = row else { return Ok(None) };
        Ok(column::<&[u8]>(&row, 0)?.try_into().ok())
    }

    fn place(&self, parts: &[Part], number: u64) -> Text {
        let schema = self.schema;
        match segment_of(parts, number) {
            Some(segment) => format!("table {schema}.records, segment {segment}, number {number}").into(),
            None => format!("table {schema}.segments, the segment of number {number}").into(),
        }
    }

    pub(super) async fn info(&self, key: &ThreadKey) -> Result<Option<ThreadInfo>, StoreError> {
        let sql = format!("SELECT {INFO} FROM threads WHERE session = $1 AND thread = $2");
        self.row(&sql, &[&key.session.as_str(), &key.thread.as_str()]).await?.as_ref().map(info).transpose()
    }

    pub(super) async fn sessions(&self, page: &Page<SessionId>) -> Result<Vec<SessionInfo>, StoreError> {
        let sql = "SELECT session, count(*), sum(length)::BIGINT, min(created), max(changed) FROM threads \
                   WHERE session > $1 GROUP BY session ORDER BY session LIMIT $2";
        // No name is empty, so that all are behind it.
        let after = page.after.as_ref().map_or("", SessionId::as_str);
        let rows = self.rows(sql, &[&after, &(page.limit() as i64)]).await?;
        let session = |row: &SqlRow| {
            Ok(SessionInfo {
                session: column::<&str>(row, 0)?.into(),
                threads: unsigned(column(row, 1)?),
                records: unsigned(column(row, 2)?),
                created: Timestamp(column(row, 3)?),
                changed: Timestamp(column(row, 4)?),
            })
        };
        rows.iter().map(session).collect()
    }

    pub(super) async fn threads(&self, query: &ThreadQuery) -> Result<Vec<ThreadInfo>, StoreError> {
        let sql = format!(
            "SELECT {INFO} FROM threads WHERE (session, thread) > ($1, $2) AND ($3::TEXT IS NULL OR session = $3) \
             AND ($4::TEXT IS NULL OR (parent_session = $4 AND parent_thread = $5)) ORDER BY session, thread LIMIT $6"
        );
        let after = query.page.after.as_ref();
        let parent = query.forked_from.as_ref();
        let values: Values<'_> = &[
            &after.map_or("", |key| key.session.as_str()),
            &after.map_or("", |key| key.thread.as_str()),
            &query.session.as_ref().map(SessionId::as_str),
            &parent.map(|key| key.session.as_str()),
            &parent.map(|key| key.thread.as_str()),
            &(query.page.limit() as i64),
        ];
        self.rows(&sql, values).await?.iter().map(info).collect()
    }

    pub(super) async fn asides(&self, key: &ThreadKey) -> Result<Vec<SetAside>, StoreError> {
        let sql = "SELECT segment, start, reason FROM asides WHERE session = $1 AND thread = $2 ORDER BY id";
        let found = self.rows(sql, &[&key.session.as_str(), &key.thread.as_str()]).await?;
        let mut asides = Vec::with_capacity(found.len());
        for row in found {
            let (segment, from, mut rows) = (column(&row, 0)?, unsigned(column(&row, 1)?), Vec::new());
            let parts = self.parts(segment).await?;
            let each = |row: Row<'_>| rows.push(String::from_utf8_lossy(row.text).into());
            self.walk_parts(&parts, from, each).await.map_err(|error| failed(&error))?;
            asides.push(SetAside { from, reason: column::<&str>(&row, 2)?.into(), rows });
        }
        Ok(asides)
    }

    pub(super) async fn derived(&self, key: &ThreadKey, hash: &ContentHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        let sql = "SELECT value, derived.digest FROM derived JOIN threads USING (family) \
                   WHERE session = $1 AND thread = $2 AND hash = $3";
        let row = self.row(sql, &[&key.session.as_str(), &key.thread.as_str(), &hash.bytes().as_slice()]).await?;
        let Some(row) = row else { return Ok(None) };
        Ok(derived(column(&row, 0)?, column(&row, 1)?))
    }
}

const INFO: &str = "session, thread, length, created, changed, parent_session, parent_thread, parent_at, metadata";

fn info(row: &SqlRow) -> Result<ThreadInfo, StoreError> {
    let key = |session: &str, thread: &str| ThreadKey::new(session, thread);
    let parent = column::<Option<&str>>(row, 5)?.zip(column::<Option<&str>>(row, 6)?);
    let lineage = parent.zip(column::<Option<i64>>(row, 7)?);
    Ok(ThreadInfo {
        key: key(column(row, 0)?, column(row, 1)?),
        records: unsigned(column(row, 2)?),
        created: Timestamp(column(row, 3)?),
        changed: Timestamp(column(row, 4)?),
        lineage: lineage.map(|((session, thread), at)| Lineage { parent: key(session, thread), at: unsigned(at) }),
        metadata: metadata_value(column(row, 8)?),
    })
}

/// A column's value. Whoever changed the tables gets an error, and not us a panic.
pub(super) fn column<'a, T: FromSql<'a>>(row: &'a SqlRow, at: usize) -> Result<T, StoreError> {
    row.try_get(at).map_err(|error| failed(&error))
}

//! What is written of threads. Everything here runs within a transaction, on the thread of the store that writes.

use outrigger_core::session::{ContentHash, Damage, Fork, Restore, StoreError, ThreadInfo, ThreadKey};
use outrigger_core::transcript::{Text, Timestamp};
use rusqlite::{OptionalExtension, params};

use super::read::{Db, Thread};
use crate::record::{Batch, has_origin, no_thread, signed, stale};
use crate::rows::{Head, ROOT, check_alone, segment_of};

impl Db<'_> {
    pub(super) fn append(&self, key: &ThreadKey, expected: u64, batch: &Batch) -> Result<u64, StoreError> {
        let thread = self.thread(key)?;
        let found = thread.as_ref().map_or(0, |thread| thread.head.length);
        let origin = thread.as_ref().and_then(Thread::origin);
        if batch.first_origin.as_ref().is_some_and(|first| has_origin(origin, first)) {
            return Ok(found);
        }
        if found != expected {
            return Err(stale(key, expected, found));
        }
        let (Some(created), Some(changed)) = (batch.first_time, batch.last_time) else { return Ok(found) };
        let thread = match thread {
            Some(thread) => thread,
            None => self.make_thread(key, created)?,
        };
        let head = self.insert(thread.segment, thread.head, &batch.texts)?;
        self.set_head(key, thread.segment, head, changed)?;
        self.set_origin(key, batch)?;
        Ok(head.length)
    }

    pub(super) fn set_aside(&self, key: &ThreadKey, damage: &Damage, fact: &Batch) -> Result<u64, StoreError> {
        let thread = self.thread(key)?.ok_or_else(|| no_thread(key))?;
        if thread.head.length != damage.length {
            return Err(stale(key, damage.length, thread.head.length));
        }
        let sql = "INSERT INTO asides (session, thread, segment, start, reason) VALUES (?1, ?2, ?3, ?4, ?5)";
        let (session, name) = (key.session.as_str(), key.thread.as_str());
        let reason = damage.to_string();
        self.execute(sql, params![session, name, thread.segment, signed(damage.from), reason])?;
        let (segment, head) = self.branch(thread.segment, damage.from)?;
        let head = self.insert(segment, head, &fact.texts)?;
        self.set_head(key, segment, head, fact.last_time.unwrap_or_default())?;
        // The origin may have gone with what was lost; numbers keep what comes late from being appended twice.
        self.execute(
            "UPDATE threads SET turn = NULL, step = NULL WHERE session = ?1 AND thread = ?2",
            params![session, name],
        )?;
        Ok(head.length)
    }

    pub(super) fn fork(&self, fork: &Fork) -> Result<ThreadInfo, StoreError> {
        let (source, target) = (&fork.source, &fork.target);
        if self.thread(target)?.is_some() {
            return Err(StoreError::Exists { key: target.clone() });
        }
        let thread = self.thread(source)?.ok_or_else(|| no_thread(source))?;
        let length = thread.head.length;
        let at = fork.at.unwrap_or(length);
        if at > length {
            return Err(StoreError::ForkBeyondEnd { key: source.clone(), at, length });
        }
        let (segment, head) = self.branch(thread.segment, at)?;
        let sql = "INSERT INTO threads (session, thread, segment, length, digest, created, changed, parent_session, \
                   parent_thread, parent_at, metadata, family) \
                   SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6, session, thread, ?4, metadata, family FROM threads \
                   WHERE session = ?7 AND thread = ?8";
        let values = params![
            target.session.as_str(),
            target.thread.as_str(),
            segment,
            signed(head.length),
            head.check,
            fork.time.0,
            source.session.as_str(),
            source.thread.as_str(),
        ];
        self.execute(sql, values)?;
        self.info(target)?.ok_or_else(|| no_thread(target))
    }

    pub(super) fn restore(
        &self,
        restore: &Restore,
        batch: &Batch,
        metadata: Option<&str>,
    ) -> Result<ThreadInfo, StoreError> {
        let key = &restore.key;
        if self.thread(key)?.is_some() {
            return Err(StoreError::Exists { key: key.clone() });
        }
        let thread = self.make_thread(key, batch.first_time.unwrap_or(restore.time))?;
        let head = self.insert(thread.segment, thread.head, &batch.texts)?;
        self.set_head(key, thread.segment, head, batch.last_time.unwrap_or(restore.time))?;
        self.set_origin(key, batch)?;
        self.set_metadata(key, metadata)?;
        self.info(key)?.ok_or_else(|| no_thread(key))
    }

    pub(super) fn set_metadata(&self, key: &ThreadKey, metadata: Option<&str>) -> Result<(), StoreError> {
        let sql = "UPDATE threads SET metadata = ?3 WHERE session = ?1 AND thread = ?2";
        match self.execute(sql, params![key.session.as_str(), key.thread.as_str(), metadata])? {
            0 => Err(no_thread(key)),
            _ => Ok(()),
        }
    }

    pub(super) fn put_derived(&self, key: &ThreadKey, hash: &ContentHash, value: &[u8]) -> Result<(), StoreError> {
        let thread = self.thread(key)?.ok_or_else(|| no_thread(key))?;
        let sql = "INSERT OR REPLACE INTO derived (family, hash, digest, value) VALUES (?1, ?2, ?3, ?4)";
        self.execute(sql, params![thread.family, hash.bytes(), check_alone(value), value]).map(drop)
    }

    pub(super) fn delete(&self, key: &ThreadKey) -> Result<bool, StoreError> {
        let Some(thread) = self.thread(key)? else { return Ok(false) };
        let names = params![key.session.as_str(), key.thread.as_str()];
        let mut segments = vec![thread.segment];
        {
            let sql = "DELETE FROM asides WHERE session = ?1 AND thread = ?2 RETURNING segment";
            let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
            let asides = statement.query_map(names, |row| row.get(0)).map_err(self.failed())?;
            segments.extend(asides.collect::<rusqlite::Result<Vec<i64>>>().map_err(self.failed())?);
        }
        self.execute("DELETE FROM threads WHERE session = ?1 AND thread = ?2", names)?;
        for segment in segments {
            self.release(segment)?;
        }
        let sql = "DELETE FROM derived WHERE family = ?1 AND NOT EXISTS (SELECT 1 FROM threads WHERE family = ?1)";
        self.execute(sql, [thread.family])?;
        Ok(true)
    }

    /// Deletes what nobody needs of a segment and of those before it.
    fn release(&self, segment: i64) -> Result<(), StoreError> {
        let mut next = Some(segment);
        while let Some(segment) = next {
            let sql = "SELECT EXISTS (SELECT 1 FROM threads WHERE segment = ?1) \
                       OR EXISTS (SELECT 1 FROM asides WHERE segment = ?1), \
                       (SELECT max(start) FROM segments WHERE parent = ?1)";
            let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
            let (used, shared): (bool, Option<i64>) =
                statement.query_row([segment], |row| Ok((row.get(0)?, row.get(1)?))).map_err(self.failed())?;
            if used {
                return Ok(());
            }
            let needed = shared.unwrap_or(0);
            self.execute("DELETE FROM records WHERE segment = ?1 AND number >= ?2", params![segment, needed])?;
            if shared.is_some() {
                return Ok(());
            }
            let sql = "DELETE FROM segments WHERE id = ?1 RETURNING parent";
            let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
            next = statement.query_row([segment], |row| row.get(0)).optional().map_err(self.failed())?.flatten();
        }
        Ok(())
    }

    /// A segment that goes on behind the first `at` rows of another, and what it begins with.
    fn branch(&self, segment: i64, at: u64) -> Result<(i64, Head), StoreError> {
        let parts = self.parts(segment)?;
        let Some(last) = at.checked_sub(1) else { return Ok((self.make_segment(None, 0)?, Head::EMPTY)) };
        let parent = segment_of(&parts, last);
        let check = self.check_of(&parts, last)?;
        let Some((parent, check)) = parent.zip(check) else {
            return Err(StoreError::failed(format!("{}: record {last} is missing", self.path.display())));
        };
        Ok((self.make_segment(Some(parent), at)?, Head { length: at, check }))
    }

    fn make_segment(&self, parent: Option<i64>, start: u64) -> Result<i64, StoreError> {
        self.execute("INSERT INTO segments (parent, start) VALUES (?1, ?2)", params![parent, signed(start)])?;
        Ok(self.connection.last_insert_rowid())
    }

    fn make_thread(&self, key: &ThreadKey, created: Timestamp) -> Result<Thread, StoreError> {
        let segment = self.make_segment(None, 0)?;
        let sql = "INSERT INTO threads (session, thread, segment, length, digest, created, changed, family) \
                   VALUES (?1, ?2, ?3, 0, ?4, ?5, ?5, ?3)";
        self.execute(sql, params![key.session.as_str(), key.thread.as_str(), segment, ROOT, created.0])?;
        Ok(Thread { segment, head: Head::EMPTY, turn: None, step: None, family: segment })
    }

    fn insert(&self, segment: i64, mut head: Head, texts: &[Text]) -> Result<Head, StoreError> {
        let sql = "INSERT INTO records (segment, number, digest, text) VALUES (?1, ?2, ?3, ?4)";
        let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
        for ((number, check), text) in head.extend(texts).into_iter().zip(texts) {
            statement.execute(params![segment, signed(number), check, &**text]).map_err(self.failed())?;
        }
        Ok(head)
    }

    fn set_head(&self, key: &ThreadKey, segment: i64, head: Head, changed: Timestamp) -> Result<(), StoreError> {
        let sql = "UPDATE threads SET segment = ?3, length = ?4, digest = ?5, changed = ?6 WHERE session = ?1 AND thread = ?2";
        let (session, thread) = (key.session.as_str(), key.thread.as_str());
        self.execute(sql, params![session, thread, segment, signed(head.length), head.check, changed.0]).map(drop)
    }

    fn set_origin(&self, key: &ThreadKey, batch: &Batch) -> Result<(), StoreError> {
        let Some(origin) = &batch.last_origin else { return Ok(()) };
        let sql = "UPDATE threads SET turn = ?3, step = ?4 WHERE session = ?1 AND thread = ?2";
        let (session, thread) = (key.session.as_str(), key.thread.as_str());
        self.execute(sql, params![session, thread, origin.turn.as_str(), origin.step]).map(drop)
    }

    fn execute(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize, StoreError> {
        self.connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(self.failed())
    }
}

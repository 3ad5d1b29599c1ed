//! What is written of threads. Everything here runs within a transaction, which its caller commits.

use outrigger_core::session::{ContentHash, Damage, Fork, Restore, StoreError, ThreadInfo, ThreadKey};
use outrigger_core::transcript::{Text, Timestamp};

use super::lease::lock_number;
use super::read::{Db, Lock, Thread, Values, column};
use crate::record::{Batch, has_origin, no_thread, signed, stale};
use crate::rows::{Head, ROOT, check_alone, segment_of};

impl Db<'_> {
    pub(super) async fn append(&self, key: &ThreadKey, expected: u64, batch: &Batch) -> Result<u64, StoreError> {
        let mut thread = self.thread(key, Lock::Yes).await?;
        if let (None, 0, Some(created)) = (&thread, expected, batch.first_time) {
            thread = match self.make_thread(key, created).await? {
                Some(made) => Some(made),
                // Another process was faster.
                None => self.thread(key, Lock::Yes).await?,
            };
        }
        let found = thread.as_ref().map_or(0, |thread| thread.head.length);
        let origin = thread.as_ref().and_then(Thread::origin);
        if batch.first_origin.as_ref().is_some_and(|first| has_origin(origin, first)) {
            return Ok(found);
        }
        if found != expected {
            return Err(stale(key, expected, found));
        }
        let (Some(thread), Some(changed)) = (thread, batch.last_time) else { return Ok(found) };
        let head = self.insert(thread.segment, thread.head, &batch.texts).await?;
        self.set_head(key, thread.segment, head, changed).await?;
        self.set_origin(key, batch).await?;
        Ok(head.length)
    }

    pub(super) async fn set_aside(&self, key: &ThreadKey, damage: &Damage, fact: &Batch) -> Result<u64, StoreError> {
        self.alone().await?;
        let thread = self.thread(key, Lock::Yes).await?.ok_or_else(|| no_thread(key))?;
        if thread.head.length != damage.length {
            return Err(stale(key, damage.length, thread.head.length));
        }
        let sql = "INSERT INTO asides (session, thread, segment, start, reason) VALUES ($1, $2, $3, $4, $5)";
        let (session, name) = (key.session.as_str(), key.thread.as_str());
        let reason = damage.to_string();
        self.execute(sql, &[&session, &name, &thread.segment, &signed(damage.from), &reason]).await?;
        let (segment, head) = self.branch(thread.segment, damage.from).await?;
        let head = self.insert(segment, head, &fact.texts).await?;
        self.set_head(key, segment, head, fact.last_time.unwrap_or_default()).await?;
        // The origin may have gone with what was lost; numbers keep what comes late from being appended twice.
        let sql = "UPDATE threads SET turn = NULL, step = NULL WHERE session = $1 AND thread = $2";
        self.execute(sql, &[&session, &name]).await?;
        Ok(head.length)
    }

    pub(super) async fn fork(&self, fork: &Fork) -> Result<ThreadInfo, StoreError> {
        self.alone().await?;
        let (source, target) = (&fork.source, &fork.target);
        if self.thread(target, Lock::Yes).await?.is_some() {
            return Err(StoreError::Exists { key: target.clone() });
        }
        let thread = self.thread(source, Lock::Yes).await?.ok_or_else(|| no_thread(source))?;
        let length = thread.head.length;
        let at = fork.at.unwrap_or(length);
        if at > length {
            return Err(StoreError::ForkBeyondEnd { key: source.clone(), at, length });
        }
        let (segment, head) = self.branch(thread.segment, at).await?;
        let sql = "INSERT INTO threads (session, thread, segment, length, digest, created, changed, parent_session, \
                   parent_thread, parent_at, metadata, family) \
                   SELECT $1, $2, $3, $4, $5, $6, $6, session, thread, $4, metadata, family FROM threads \
                   WHERE session = $7 AND thread = $8 ON CONFLICT DO NOTHING";
        let (session, name) = (target.session.as_str(), target.thread.as_str());
        let (of_session, of_name) = (source.session.as_str(), source.thread.as_str());
        let (length, check) = (signed(head.length), head.check.as_slice());
        let values: Values<'_> = &[&session, &name, &segment, &length, &check, &fork.time.0, &of_session, &of_name];
        match self.execute(sql, values).await? {
            0 => Err(StoreError::Exists { key: target.clone() }),
            _ => self.info(target).await?.ok_or_else(|| no_thread(target)),
        }
    }

    pub(super) async fn restore(
        &self,
        restore: &Restore,
        batch: &Batch,
        metadata: Option<&str>,
    ) -> Result<ThreadInfo, StoreError> {
        let key = &restore.key;
        let created = batch.first_time.unwrap_or(restore.time);
        let Some(thread) = self.make_thread(key, created).await? else {
            return Err(StoreError::Exists { key: key.clone() });
        };
        let head = self.insert(thread.segment, thread.head, &batch.texts).await?;
        self.set_head(key, thread.segment, head, batch.last_time.unwrap_or(restore.time)).await?;
        self.set_origin(key, batch).await?;
        self.set_metadata(key, metadata).await?;
        self.info(key).await?.ok_or_else(|| no_thread(key))
    }

    pub(super) async fn set_metadata(&self, key: &ThreadKey, metadata: Option<&str>) -> Result<(), StoreError> {
        let sql = "UPDATE threads SET metadata = $3 WHERE session = $1 AND thread = $2";
        match self.execute(sql, &[&key.session.as_str(), &key.thread.as_str(), &metadata]).await? {
            0 => Err(no_thread(key)),
            _ => Ok(()),
        }
    }

    pub(super) async fn put_derived(
        &self,
        key: &ThreadKey,
        hash: &ContentHash,
        value: &[u8],
    ) -> Result<(), StoreError> {
        let thread = self.thread(key, Lock::Yes).await?.ok_or_else(|| no_thread(key))?;
        let sql = "INSERT INTO derived (family, hash, digest, value) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (family, hash) DO UPDATE SET digest = EXCLUDED.digest, value = EXCLUDED.value";
        let check = check_alone(value);
        self.execute(sql, &[&thread.family, &hash.bytes().as_slice(), &check.as_slice(), &value]).await.map(drop)
    }

    pub(super) async fn delete(&self, key: &ThreadKey) -> Result<bool, StoreError> {
        self.alone().await?;
        let Some(thread) = self.thread(key, Lock::Yes).await? else { return Ok(false) };
        let (session, name) = (key.session.as_str(), key.thread.as_str());
        let mut segments = vec![thread.segment];
        let sql = "DELETE FROM asides WHERE session = $1 AND thread = $2 RETURNING segment";
        for row in self.rows(sql, &[&session, &name]).await? {
            segments.push(column(&row, 0)?);
        }
        self.execute("DELETE FROM threads WHERE session = $1 AND thread = $2", &[&session, &name]).await?;
        for segment in segments {
            self.release(segment).await?;
        }
        let sql = "DELETE FROM derived WHERE family = $1 AND NOT EXISTS (SELECT 1 FROM threads WHERE family = $1)";
        self.execute(sql, &[&thread.family]).await?;
        Ok(true)
    }

    /// Keeps others from changing which segments there are until the transaction ends: what one counts as unused,
    /// another may be about to use.
    async fn alone(&self) -> Result<(), StoreError> {
        let lock = lock_number(&["segments", self.schema]);
        self.execute("SELECT pg_advisory_xact_lock($1)", &[&lock]).await.map(drop)
    }

    /// Deletes what nobody needs of a segment and of those before it.
    async fn release(&self, segment: i64) -> Result<(), StoreError> {
        let mut next = Some(segment);
        while let Some(segment) = next {
            let sql = "SELECT EXISTS (SELECT 1 FROM threads WHERE segment = $1) \
                       OR EXISTS (SELECT 1 FROM asides WHERE segment = $1), \
                       (SELECT max(start) FROM segments WHERE parent = $1)";
            let Some(row) = self.row(sql, &[&segment]).await? else { return Ok(()) };
            let (used, shared): (bool, Option<i64>) = (column(&row, 0)?, column(&row, 1)?);
            if used {
                return Ok(());
            }
            let needed = shared.unwrap_or(0);
            self.execute("DELETE FROM records WHERE segment = $1 AND number >= $2", &[&segment, &needed]).await?;
            if shared.is_some() {
                return Ok(());
            }
            let row = self.row("DELETE FROM segments WHERE id = $1 RETURNING parent", &[&segment]).await?;
            next = match row {
                Some(row) => column(&row, 0)?,
                None => None,
            };
        }
        Ok(())
    }

    /// A segment that goes on behind the first `at` rows of another, and what it begins with.
    async fn branch(&self, segment: i64, at: u64) -> Result<(i64, Head), StoreError> {
        let parts = self.parts(segment).await?;
        let Some(last) = at.checked_sub(1) else { return Ok((self.make_segment(None, 0).await?, Head::EMPTY)) };
        let parent = segment_of(&parts, last);
        let check = self.check_of(&parts, last).await?;
        let Some((parent, check)) = parent.zip(check) else {
            return Err(StoreError::failed(format!("table {}.records: record {last} is missing", self.schema)));
        };
        Ok((self.make_segment(Some(parent), at).await?, Head { length: at, check }))
    }

    async fn make_segment(&self, parent: Option<i64>, start: u64) -> Result<i64, StoreError> {
        let sql = "INSERT INTO segments (parent, start) VALUES ($1, $2) RETURNING id";
        let row = self.row(sql, &[&parent, &signed(start)]).await?;
        column(&row.ok_or_else(|| StoreError::failed("postgres: a row was not inserted"))?, 0)
    }

    /// A thread without records; nothing if there is one of that name.
    async fn make_thread(&self, key: &ThreadKey, created: Timestamp) -> Result<Option<Thread>, StoreError> {
        let sql = "WITH made AS (INSERT INTO segments (start) VALUES (0) RETURNING id) \
                   INSERT INTO threads (session, thread, segment, length, digest, created, changed, family) \
                   SELECT $1, $2, id, 0, $3, $4, $4, id FROM made ON CONFLICT DO NOTHING RETURNING segment";
        let (session, thread) = (key.session.as_str(), key.thread.as_str());
        let row = self.row(sql, &[&session, &thread, &ROOT.as_slice(), &created.0]).await?;
        let Some(row) = row else { return Ok(None) };
        let segment = column(&row, 0)?;
        Ok(Some(Thread { segment, head: Head::EMPTY, turn: None, step: None, family: segment }))
    }

    async fn insert(&self, segment: i64, mut head: Head, texts: &[Text]) -> Result<Head, StoreError> {
        let rows = head.extend(texts);
        let numbers: Vec<i64> = rows.iter().map(|(number, _)| signed(*number)).collect();
        let checks: Vec<&[u8]> = rows.iter().map(|(_, check)| check.as_slice()).collect();
        let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        let sql = "INSERT INTO records (segment, number, digest, text) \
                   SELECT $1, * FROM unnest($2::BIGINT[], $3::BYTEA[], $4::TEXT[])";
        self.execute(sql, &[&segment, &numbers, &checks, &texts]).await?;
        Ok(head)
    }

    async fn set_head(&self, key: &ThreadKey, segment: i64, head: Head, changed: Timestamp) -> Result<(), StoreError> {
        let sql = "UPDATE threads SET segment = $3, length = $4, digest = $5, changed = $6 \
                   WHERE session = $1 AND thread = $2";
        let (session, thread) = (key.session.as_str(), key.thread.as_str());
        let check = head.check.as_slice();
        self.execute(sql, &[&session, &thread, &segment, &signed(head.length), &check, &changed.0]).await.map(drop)
    }

    async fn set_origin(&self, key: &ThreadKey, batch: &Batch) -> Result<(), StoreError> {
        let Some(origin) = &batch.last_origin else { return Ok(()) };
        let sql = "UPDATE threads SET turn = $3, step = $4 WHERE session = $1 AND thread = $2";
        let (session, thread) = (key.session.as_str(), key.thread.as_str());
        self.execute(sql, &[&session, &thread, &origin.turn.as_str(), &i64::from(origin.step)]).await.map(drop)
    }
}

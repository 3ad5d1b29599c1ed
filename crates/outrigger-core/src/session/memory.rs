//! The in-memory store.

use std::collections::{BTreeMap, HashMap};
use std::future::ready;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use serde_json::Value;

use super::damage::{Damage, Lines, Reading, SetAside};
use super::hash::ContentHash;
use super::leases::LocalLeases;
use super::listing::{Fork, Lineage, Page, Restore, SessionInfo, ThreadInfo, ThreadQuery};
use super::store::{Lease, MAX_DERIVED, MAX_METADATA, Store, StoreError, ThreadKey, within};
use crate::transcript::{Envelope, Origin, SessionId, Text, Timestamp};

/// Keeps threads for as long as it lives. It finds no damage in what it keeps.
#[derive(Default)]
pub struct MemoryStore {
    threads: Mutex<BTreeMap<ThreadKey, MemoryThread>>,
    leases: LocalLeases,
}

type Derived = Arc<Mutex<HashMap<ContentHash, Arc<[u8]>>>>;

struct MemoryThread {
    shared: Option<Shared>,
    own: Vec<Envelope>,
    last_origin: Option<Origin>,
    created: Timestamp,
    changed: Timestamp,
    lineage: Option<Lineage>,
    metadata: Value,
    derived: Derived,
    aside: Vec<SetAside>,
}

/// Records that several threads begin with.
#[derive(Clone)]
struct Shared {
    before: Option<Arc<Shared>>,
    records: Arc<[Envelope]>,
    /// How many of `before` and of `records` belong to it.
    start: usize,
    end: usize,
    depth: usize,
}

/// How many forks of forks share before one is copied: reading and dropping go through all of them.
const MAX_DEPTH: usize = 64;

impl Shared {
    fn collect(&self, end: usize, into: &mut Vec<Envelope>) {
        let end = end.min(self.end);
        if let Some(before) = &self.before {
            before.collect(self.start.min(end), into);
        }
        into.extend(self.records.iter().take(end.saturating_sub(self.start)).cloned());
    }

    /// The part that the first `at` records need.
    fn cut(self: &Arc<Self>, at: usize) -> Option<Arc<Self>> {
        match &self.before {
            _ if at == 0 => None,
            Some(before) if at <= self.start => before.cut(at),
            _ if at >= self.end => Some(Arc::clone(self)),
            _ => Some(Arc::new(Self { end: at, ..(**self).clone() })),
        }
    }
}

impl MemoryThread {
    fn new(time: Timestamp) -> Self {
        Self {
            shared: None,
            own: Vec::new(),
            last_origin: None,
            created: time,
            changed: time,
            lineage: None,
            metadata: Value::Null,
            derived: Derived::default(),
            aside: Vec::new(),
        }
    }

    fn start(&self) -> usize {
        self.shared.as_ref().map_or(0, |shared| shared.end)
    }

    fn len(&self) -> usize {
        self.start().saturating_add(self.own.len())
    }

    fn read(&self, from: usize) -> Vec<Envelope> {
        match from.checked_sub(self.start()) {
            Some(from) => self.own.get(from..).unwrap_or_default().to_vec(),
            None => self.all().split_off(from),
        }
    }

    fn all(&self) -> Vec<Envelope> {
        let mut records = Vec::with_capacity(self.len());
        if let Some(shared) = &self.shared {
            shared.collect(usize::MAX, &mut records);
        }
        records.extend_from_slice(&self.own);
        records
    }

    fn extend(&mut self, records: &[Envelope]) {
        self.own.extend_from_slice(records);
        if let Some(last) = records.last() {
            self.changed = last.time;
        }
        if let Some(origin) = records.iter().rev().find_map(|record| record.origin.clone()) {
            self.last_origin = Some(origin);
        }
    }

    fn has(&self, origin: &Origin) -> bool {
        self.last_origin.as_ref().is_some_and(|last| last.turn == origin.turn && last.step >= origin.step)
    }

    /// Its first `at` records, as others can share them. From now on it shares all it has.
    fn share(&mut self, at: usize) -> Option<Shared> {
        if !self.own.is_empty() {
            let depth = self.shared.as_ref().map_or(0, |shared| shared.depth.saturating_add(1));
            let end = self.len();
            self.shared = Some(if depth < MAX_DEPTH {
                let before = self.shared.take().map(Arc::new);
                let start = before.as_ref().map_or(0, |before| before.end);
                Shared { before, records: std::mem::take(&mut self.own).into(), start, end, depth }
            } else {
                let records = self.all().into();
                self.own.clear();
                Shared { before: None, records, start: 0, end, depth: 0 }
            });
        }
        let shared = Arc::new(self.shared.clone()?);
        shared.cut(at).map(Arc::unwrap_or_clone)
    }

    fn info(&self, key: &ThreadKey) -> ThreadInfo {
        ThreadInfo {
            key: key.clone(),
            records: self.len() as u64,
            created: self.created,
            changed: self.changed,
            lineage: self.lineage.clone(),
            metadata: self.metadata.clone(),
        }
    }
}

impl MemoryStore {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<ThreadKey, MemoryThread>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append_now(&self, key: &ThreadKey, expected: u64, records: &[Envelope]) -> Result<u64, StoreError> {
        key.check()?;
        let mut threads = self.lock();
        let Some(first) = records.first() else {
            return expect(key, expected, threads.get(key).map_or(0, |thread| thread.len() as u64));
        };
        if let Some(thread) = threads.get(key) {
            let found = thread.len() as u64;
            if first.origin.as_ref().is_some_and(|origin| thread.has(origin)) {
                return Ok(found);
            }
            expect(key, expected, found)?;
        } else {
            expect(key, expected, 0)?;
        }
        let thread = threads.entry(key.clone()).or_insert_with(|| MemoryThread::new(first.time));
        thread.extend(records);
        Ok(thread.len() as u64)
    }

    fn read_now(&self, key: &ThreadKey, from: u64) -> Result<Reading, StoreError> {
        let threads = self.lock();
        let found = threads.get(key).map_or(0, MemoryThread::len);
        let start = usize::try_from(from).unwrap_or(usize::MAX);
        if start > found {
            return Err(StoreError::Stale { key: key.clone(), expected: from, found: found as u64 });
        }
        let records = threads.get(key).map(|thread| thread.read(start)).unwrap_or_default();
        Ok(Reading { records, damage: None })
    }

    fn set_aside_now(&self, key: &ThreadKey, damage: &Damage, fact: Envelope) -> Result<u64, StoreError> {
        let mut threads = self.lock();
        let thread = threads.get_mut(key).ok_or_else(|| no_thread(key))?;
        expect(key, damage.length, thread.len() as u64)?;
        let from = usize::try_from(damage.from).unwrap_or(usize::MAX);
        let rows = thread.read(from).iter().map(text).collect::<Result<_, _>>()?;
        thread.aside.push(SetAside { from: damage.from, reason: damage.to_string().into(), rows });
        thread.shared = thread.share(from);
        // The origin may have gone with what was lost; numbers keep what comes late from being appended twice.
        thread.last_origin = None;
        thread.extend(&[fact]);
        Ok(thread.len() as u64)
    }

    fn sessions_now(&self, page: &Page<SessionId>) -> Vec<SessionInfo> {
        let mut sessions: Vec<SessionInfo> = Vec::new();
        let limit = page.limit();
        for (key, thread) in &*self.lock() {
            if page.after.as_ref().is_some_and(|after| key.session <= *after) {
                continue;
            }
            let records = thread.len() as u64;
            if let Some(session) = sessions.last_mut().filter(|last| last.session == key.session) {
                session.threads = session.threads.saturating_add(1);
                session.records = session.records.saturating_add(records);
                session.created = session.created.min(thread.created);
                session.changed = session.changed.max(thread.changed);
                continue;
            }
            if sessions.len() == limit {
                break;
            }
            let (session, created, changed) = (key.session.clone(), thread.created, thread.changed);
            sessions.push(SessionInfo { session, threads: 1, records, created, changed });
        }
        sessions
    }

    fn threads_now(&self, query: &ThreadQuery) -> Vec<ThreadInfo> {
        let threads = self.lock();
        let from = query.page.after.as_ref().map_or(Bound::Unbounded, Bound::Excluded);
        let wanted = |key: &ThreadKey, thread: &MemoryThread| {
            query.session.as_ref().is_none_or(|session| key.session == *session)
                && query
                    .forked_from
                    .as_ref()
                    .is_none_or(|parent| thread.lineage.as_ref().is_some_and(|lineage| lineage.parent == *parent))
        };
        let listed = threads.range((from, Bound::Unbounded)).filter(|(key, thread)| wanted(key, thread));
        listed.take(query.page.limit()).map(|(key, thread)| thread.info(key)).collect()
    }

    fn fork_now(&self, fork: &Fork) -> Result<ThreadInfo, StoreError> {
        fork.target.check()?;
        let mut threads = self.lock();
        if threads.contains_key(&fork.target) {
            return Err(StoreError::Exists { key: fork.target.clone() });
        }
        let source = threads.get_mut(&fork.source).ok_or_else(|| no_thread(&fork.source))?;
        let length = source.len() as u64;
        let at = fork.at.unwrap_or(length);
        if at > length {
            return Err(StoreError::ForkBeyondEnd { key: fork.source.clone(), at, length });
        }
        let shared = source.share(usize::try_from(at).unwrap_or(usize::MAX));
        let thread = MemoryThread {
            shared,
            lineage: Some(Lineage { parent: fork.source.clone(), at }),
            metadata: source.metadata.clone(),
            derived: Arc::clone(&source.derived),
            ..MemoryThread::new(fork.time)
        };
        let info = thread.info(&fork.target);
        threads.insert(fork.target.clone(), thread);
        Ok(info)
    }

    fn restore_now(&self, restore: Restore) -> Result<ThreadInfo, StoreError> {
        restore.key.check()?;
        let mut records = Vec::with_capacity(restore.lines.len());
        for (number, line) in (0..).zip(&restore.lines) {
            let record = serde_json::from_str(line);
            records.push(record.map_err(|error| StoreError::NotARecord { number, problem: error.to_string().into() })?);
        }
        let mut threads = self.lock();
        if threads.contains_key(&restore.key) {
            return Err(StoreError::Exists { key: restore.key });
        }
        let mut thread = MemoryThread::new(records.first().map_or(restore.time, |first: &Envelope| first.time));
        thread.extend(&records);
        thread.metadata = restore.metadata;
        let info = thread.info(&restore.key);
        threads.insert(restore.key, thread);
        Ok(info)
    }

    fn with<R>(&self, key: &ThreadKey, work: impl FnOnce(&mut MemoryThread) -> R) -> Result<R, StoreError> {
        self.lock().get_mut(key).map(work).ok_or_else(|| no_thread(key))
    }
}

fn no_thread(key: &ThreadKey) -> StoreError {
    StoreError::NoThread { key: key.clone() }
}

fn expect(key: &ThreadKey, expected: u64, found: u64) -> Result<u64, StoreError> {
    if expected == found { Ok(found) } else { Err(StoreError::Stale { key: key.clone(), expected, found }) }
}

fn text(record: &Envelope) -> Result<Text, StoreError> {
    serde_json::to_string(record).map(Text::from).map_err(StoreError::failed)
}

impl Store for MemoryStore {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        expected: u64,
        records: Arc<[Envelope]>,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(ready(self.append_now(key, expected, &records)))
    }

    fn read<'a>(&'a self, key: &'a ThreadKey, from: u64) -> BoxFuture<'a, Result<Reading, StoreError>> {
        Box::pin(ready(self.read_now(key, from)))
    }

    fn lease<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(async move { Ok(Lease::new(self.leases.wait(key).await)) })
    }

    fn set_aside<'a>(
        &'a self,
        key: &'a ThreadKey,
        damage: &'a Damage,
        fact: Envelope,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(ready(self.set_aside_now(key, damage, fact)))
    }

    fn aside<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Vec<SetAside>, StoreError>> {
        Box::pin(ready(Ok(self.lock().get(key).map(|thread| thread.aside.clone()).unwrap_or_default())))
    }

    fn sessions(&self, page: Page<SessionId>) -> BoxFuture<'_, Result<Vec<SessionInfo>, StoreError>> {
        Box::pin(ready(Ok(self.sessions_now(&page))))
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Vec<ThreadInfo>, StoreError>> {
        Box::pin(ready(Ok(self.threads_now(&query))))
    }

    fn info<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadInfo>, StoreError>> {
        Box::pin(ready(Ok(self.lock().get(key).map(|thread| thread.info(key)))))
    }

    fn set_metadata<'a>(&'a self, key: &'a ThreadKey, metadata: Value) -> BoxFuture<'a, Result<(), StoreError>> {
        let set = within("metadata", metadata.to_string().len(), MAX_METADATA)
            .and_then(|()| self.with(key, |thread| thread.metadata = metadata));
        Box::pin(ready(set))
    }

    fn fork(&self, fork: Fork) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        Box::pin(ready(self.fork_now(&fork)))
    }

    fn delete<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(ready(Ok(self.lock().remove(key).is_some())))
    }

    fn derived_get<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
    ) -> BoxFuture<'a, Result<Option<Arc<[u8]>>, StoreError>> {
        let derived = self.lock().get(key).map(|thread| Arc::clone(&thread.derived));
        let value = derived.and_then(|all| all.lock().unwrap_or_else(PoisonError::into_inner).get(&hash).cloned());
        Box::pin(ready(Ok(value)))
    }

    fn derived_put<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
        value: Arc<[u8]>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let put = within("a derived value", value.len(), MAX_DERIVED).and_then(|()| {
            let derived = self.with(key, |thread| Arc::clone(&thread.derived))?;
            derived.lock().unwrap_or_else(PoisonError::into_inner).insert(hash, value);
            Ok(())
        });
        Box::pin(ready(put))
    }

    fn lines<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lines, StoreError>> {
        let lines = self.with(key, |thread| thread.all()).and_then(|records| records.iter().map(text).collect());
        Box::pin(ready(lines.map(|lines| Lines { lines, damage: None })))
    }

    fn restore(&self, restore: Restore) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        Box::pin(ready(self.restore_now(restore)))
    }
}

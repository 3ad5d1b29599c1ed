//! What a thread's log promises over a store that misbehaves.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use serde_json::Value;

use super::*;
use crate::handle::SystemClock;
use crate::transcript::{Envelope, Origin, Record, SessionId, UserMessage, View};

/// A store that fails at one call, before or after it took the records, or takes its time; and that finds a thread
/// damaged until it is set aside.
#[derive(Default)]
struct Moody {
    inner: MemoryStore,
    calls: AtomicU32,
    fails_before: Option<u32>,
    fails_after: Option<u32>,
    slow: bool,
    damage: Mutex<Option<Damage>>,
}

impl Store for Moody {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        expected: u64,
        records: Arc<[Envelope]>,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            let call = self.calls.fetch_add(1, Ordering::SeqCst);
            if self.fails_before == Some(call) {
                return Err(StoreError::failed("disk full"));
            }
            let length = self.inner.append(key, expected, records).await?;
            if self.slow {
                tokio::task::yield_now().await;
                tokio::task::yield_now().await;
            }
            if self.fails_after == Some(call) { Err(StoreError::failed("no acknowledgement")) } else { Ok(length) }
        })
    }

    fn read<'a>(&'a self, key: &'a ThreadKey, from: u64) -> BoxFuture<'a, Result<Reading, StoreError>> {
        Box::pin(async move {
            let damage = self.damage.lock().unwrap().clone();
            Ok(Reading { damage, ..self.inner.read(key, from).await? })
        })
    }

    fn set_aside<'a>(
        &'a self,
        key: &'a ThreadKey,
        damage: &'a Damage,
        fact: Envelope,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            if self.fails_before == Some(self.calls.fetch_add(1, Ordering::SeqCst)) {
                return Err(StoreError::failed("disk full"));
            }
            *self.damage.lock().unwrap() = None;
            self.inner.append(key, damage.from, Arc::new([fact])).await
        })
    }

    fn lease<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.inner.lease(key)
    }

    fn aside<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Vec<SetAside>, StoreError>> {
        self.inner.aside(key)
    }

    fn sessions(&self, page: Page<SessionId>) -> BoxFuture<'_, Result<Vec<SessionInfo>, StoreError>> {
        self.inner.sessions(page)
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Vec<ThreadInfo>, StoreError>> {
        self.inner.threads(query)
    }

    fn info<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadInfo>, StoreError>> {
        self.inner.info(key)
    }

    fn set_metadata<'a>(&'a self, key: &'a ThreadKey, value: Value) -> BoxFuture<'a, Result<(), StoreError>> {
        self.inner.set_metadata(key, value)
    }

    fn fork(&self, fork: Fork) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        self.inner.fork(fork)
    }

    fn delete<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.inner.delete(key)
    }

    fn derived_get<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
    ) -> BoxFuture<'a, Result<Option<Arc<[u8]>>, StoreError>> {
        self.inner.derived_get(key, hash)
    }

    fn derived_put<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
        value: Arc<[u8]>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.inner.derived_put(key, hash, value)
    }

    fn lines<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lines, StoreError>> {
        self.inner.lines(key)
    }

    fn restore(&self, restore: Restore) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        self.inner.restore(restore)
    }
}

fn key() -> ThreadKey {
    ThreadKey { session: "s".into(), thread: "main".into() }
}

async fn open(store: Moody) -> (Arc<Moody>, Arc<ThreadLog>) {
    let store = Arc::new(store);
    let log = ThreadLog::open(Arc::clone(&store) as Arc<dyn Store>, key(), Arc::new(SystemClock)).await.unwrap();
    (store, log)
}

fn said(text: &str) -> Vec<Record> {
    vec![Record::UserMessage(UserMessage::text(text))]
}

fn step(step: u32) -> Option<Origin> {
    Some(Origin { turn: "t".into(), step })
}

// T3: an append that is already there by its origin is a no-op.
#[tokio::test]
async fn an_append_is_there_once_by_its_origin() {
    let (store, log) = open(Moody::default()).await;
    log.append(step(0), said("a")).await.unwrap();
    log.append(step(0), said("a")).await.unwrap();
    log.append(step(1), said("b")).await.unwrap();
    assert_eq!(store.read(&key(), 0).await.unwrap().records.len(), 2);
    assert_eq!(log.view().sequence(), 2);
}

// T3: a store that failed before it took anything leaves the log as it was, and it can be tried again.
#[tokio::test]
async fn a_failed_append_can_be_tried_again() {
    let (store, log) = open(Moody { fails_before: Some(0), ..Moody::default() }).await;
    assert!(log.append(step(0), said("a")).await.is_err());
    assert_eq!(log.view(), View::default());
    log.append(step(0), said("a")).await.unwrap();
    assert_eq!(store.read(&key(), 0).await.unwrap().records.len(), 1);
}

// T3: a store that took the records and then failed is believed by what it holds.
#[tokio::test]
async fn an_append_that_was_not_acknowledged_counts_if_the_store_has_it() {
    let (store, log) = open(Moody { fails_after: Some(0), ..Moody::default() }).await;
    log.append(step(0), said("a")).await.unwrap();
    assert_eq!(log.view().sequence(), 1);
    log.append(step(1), said("b")).await.unwrap();
    assert_eq!(store.read(&key(), 0).await.unwrap().records.len(), 2);
}

// A store call once begun is never dropped: the fold never falls behind the store.
#[tokio::test]
async fn dropping_an_append_at_any_poll_keeps_store_and_fold_together() {
    for polls in 0..6 {
        let (store, log) = open(Moody { slow: true, ..Moody::default() }).await;
        {
            let mut append = Box::pin(log.append(step(0), said("a")));
            for _ in 0..polls {
                if futures_util::poll!(append.as_mut()).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        let settled = log.settled().await;
        assert_eq!(settled, View::fold(&store.read(&key(), 0).await.unwrap().records), "dropped after {polls} polls");
        log.append(step(0), said("a")).await.unwrap();
        assert_eq!(store.read(&key(), 0).await.unwrap().records.len(), 1);
    }
}

// T3: a stale writer fails and learns what it missed.
#[tokio::test]
async fn a_stale_writer_fails_and_catches_up() {
    let (store, log) = open(Moody::default()).await;
    let other = ThreadLog::open(Arc::clone(&store) as Arc<dyn Store>, key(), Arc::new(SystemClock)).await.unwrap();
    other.append(None, said("faster")).await.unwrap();
    let stale = log.append(None, said("slower")).await.unwrap_err();
    assert!(matches!(stale, StoreError::Stale { expected: 0, found: 1, .. }));
    log.append(None, said("slower")).await.unwrap();
    assert_eq!(log.view(), View::fold(&store.read(&key(), 0).await.unwrap().records));
}

#[tokio::test]
async fn a_lease_is_held_by_one_at_a_time() {
    let (store, _) = open(Moody::default()).await;
    let first = store.lease(&key()).await.unwrap();
    let thread_key = key();
    let mut second = store.lease(&thread_key);
    assert!(futures_util::poll!(second.as_mut()).is_pending());
    drop(first);
    second.await.unwrap();
}

fn damage() -> Damage {
    let (place, reason) = ("table records, row 1".into(), DamageReason::Changed);
    Damage { key: key(), from: 1, count: 2, length: 3, place, reason }
}

// T4, T6: nothing is appended behind damage; once it is set aside the thread goes on, with the fact on record.
#[tokio::test]
async fn damage_is_set_aside_before_the_thread_goes_on() {
    let (store, log) = open(Moody { fails_before: Some(1), ..Moody::default() }).await;
    log.append(step(0), said("a")).await.unwrap();
    *store.damage.lock().unwrap() = Some(damage());
    log.refresh().await.unwrap();
    assert_eq!(log.damage(), Some(damage()));
    assert!(matches!(log.append(step(1), said("b")).await, Err(StoreError::Damaged(_))));
    assert!(log.set_damage_aside().await.is_err(), "the store failed");
    assert_eq!(log.damage(), Some(damage()));
    assert_eq!(log.set_damage_aside().await.unwrap(), Some(damage()));
    assert_eq!(log.set_damage_aside().await.unwrap(), None);
    log.append(step(1), said("b")).await.unwrap();
    let records = store.read(&key(), 0).await.unwrap().records;
    let kinds: Vec<&str> = records.iter().map(|record| record.record.kind()).collect();
    assert_eq!(kinds, ["user_message", "records_lost", "user_message"]);
    assert_eq!(log.view(), View::fold(&records));
}

#[test]
fn damage_is_told_with_its_place() {
    insta::assert_snapshot!(damage(), @"thread s/main is damaged at record 1 (table records, row 1): the row is not what was written, its check differs; 2 records are lost from there on");
}

//! What a thread's log promises over a store that misbehaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::BoxFuture;

use super::{Lease, MemoryStore, Store, StoreError, ThreadKey, ThreadLog};
use crate::handle::SystemClock;
use crate::transcript::{Envelope, Origin, Record, UserMessage, View};

/// A store that fails at one call, before or after it took the records, or takes its time.
#[derive(Default)]
struct Moody {
    inner: MemoryStore,
    calls: AtomicU32,
    fails_before: Option<u32>,
    fails_after: Option<u32>,
    slow: bool,
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
                return Err(StoreError::Failed("disk full".into()));
            }
            let length = self.inner.append(key, expected, records).await?;
            if self.slow {
                tokio::task::yield_now().await;
                tokio::task::yield_now().await;
            }
            if self.fails_after == Some(call) {
                Err(StoreError::Failed("no acknowledgement".into()))
            } else {
                Ok(length)
            }
        })
    }

    fn read<'a>(&'a self, key: &'a ThreadKey, from: u64) -> BoxFuture<'a, Result<Vec<Envelope>, StoreError>> {
        self.inner.read(key, from)
    }

    fn lease<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.inner.lease(key)
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
    assert_eq!(store.read(&key(), 0).await.unwrap().len(), 2);
    assert_eq!(log.view().sequence(), 2);
}

// T3: a store that failed before it took anything leaves the log as it was, and it can be tried again.
#[tokio::test]
async fn a_failed_append_can_be_tried_again() {
    let (store, log) = open(Moody { fails_before: Some(0), ..Moody::default() }).await;
    assert!(log.append(step(0), said("a")).await.is_err());
    assert_eq!(log.view(), View::default());
    log.append(step(0), said("a")).await.unwrap();
    assert_eq!(store.read(&key(), 0).await.unwrap().len(), 1);
}

// T3: a store that took the records and then failed is believed by what it holds.
#[tokio::test]
async fn an_append_that_was_not_acknowledged_counts_if_the_store_has_it() {
    let (store, log) = open(Moody { fails_after: Some(0), ..Moody::default() }).await;
    log.append(step(0), said("a")).await.unwrap();
    assert_eq!(log.view().sequence(), 1);
    log.append(step(1), said("b")).await.unwrap();
    assert_eq!(store.read(&key(), 0).await.unwrap().len(), 2);
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
        assert_eq!(settled, View::fold(&store.read(&key(), 0).await.unwrap()), "dropped after {polls} polls");
        log.append(step(0), said("a")).await.unwrap();
        assert_eq!(store.read(&key(), 0).await.unwrap().len(), 1);
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
    assert_eq!(log.view(), View::fold(&store.read(&key(), 0).await.unwrap()));
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

//! A store that misbehaves on purpose.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::BoxFuture;
use outrigger_core::session::{
    ContentHash, Damage, Fork, Lease, Lines, Page, Reading, Restore, SessionInfo, SetAside, Store, StoreError,
    ThreadInfo, ThreadKey, ThreadQuery,
};
use outrigger_core::transcript::{Envelope, SessionId};
use serde_json::Value;

/// When a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the store has done anything.
    Before,
    /// After the store has done what it was asked; nobody is told so.
    After,
}

/// Told of each append that is acknowledged: the thread, its new length, and what was appended.
pub type Watch = Box<dyn Fn(&ThreadKey, u64, &[Envelope]) + Send + Sync>;

/// Another store, of which one call fails, or all calls are answered late, or appends are watched.
pub struct Faulty {
    inner: Arc<dyn Store>,
    calls: AtomicU64,
    fails: Option<(u64, When)>,
    late: bool,
    watch: Option<Watch>,
}

impl Faulty {
    /// The call with this number fails, from 0.
    #[must_use]
    pub fn failing(inner: Arc<dyn Store>, call: u64, when: When) -> Self {
        Self { inner, calls: AtomicU64::new(0), fails: Some((call, when)), late: false, watch: None }
    }

    /// Everything is answered some time after it was done.
    #[must_use]
    pub fn late(inner: Arc<dyn Store>) -> Self {
        Self { inner, calls: AtomicU64::new(0), fails: None, late: true, watch: None }
    }

    /// `watch` is told of each append, just before its caller is.
    #[must_use]
    pub fn watched(inner: Arc<dyn Store>, watch: Watch) -> Self {
        Self { inner, calls: AtomicU64::new(0), fails: None, late: false, watch: Some(watch) }
    }

    /// How many calls there were.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    fn around<'a, T: Send + 'a>(
        &'a self,
        call: impl FnOnce() -> BoxFuture<'a, Result<T, StoreError>> + Send + 'a,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move {
            let number = self.calls.fetch_add(1, Ordering::SeqCst);
            if self.fails == Some((number, When::Before)) {
                return Err(StoreError::failed("made to fail"));
            }
            let result = call().await?;
            if self.late {
                for _ in 0..3 {
                    tokio::task::yield_now().await;
                }
            }
            if self.fails == Some((number, When::After)) {
                return Err(StoreError::failed("made to fail after it was done"));
            }
            Ok(result)
        })
    }
}

impl Store for Faulty {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        expected: u64,
        records: Arc<[Envelope]>,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            let appended = Arc::clone(&records);
            let length = self.around(move || self.inner.append(key, expected, records)).await?;
            if let Some(watch) = &self.watch {
                watch(key, length, &appended);
            }
            Ok(length)
        })
    }

    fn read<'a>(&'a self, key: &'a ThreadKey, from: u64) -> BoxFuture<'a, Result<Reading, StoreError>> {
        self.around(move || self.inner.read(key, from))
    }

    fn lease<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.around(move || self.inner.lease(key))
    }

    fn set_aside<'a>(
        &'a self,
        key: &'a ThreadKey,
        damage: &'a Damage,
        fact: Envelope,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        self.around(move || self.inner.set_aside(key, damage, fact))
    }

    fn aside<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Vec<SetAside>, StoreError>> {
        self.around(move || self.inner.aside(key))
    }

    fn sessions(&self, page: Page<SessionId>) -> BoxFuture<'_, Result<Vec<SessionInfo>, StoreError>> {
        self.around(move || self.inner.sessions(page))
    }

    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Vec<ThreadInfo>, StoreError>> {
        self.around(move || self.inner.threads(query))
    }

    fn info<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Option<ThreadInfo>, StoreError>> {
        self.around(move || self.inner.info(key))
    }

    fn set_metadata<'a>(&'a self, key: &'a ThreadKey, metadata: Value) -> BoxFuture<'a, Result<(), StoreError>> {
        self.around(move || self.inner.set_metadata(key, metadata))
    }

    fn fork(&self, fork: Fork) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        self.around(move || self.inner.fork(fork))
    }

    fn delete<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.around(move || self.inner.delete(key))
    }

    fn derived_get<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
    ) -> BoxFuture<'a, Result<Option<Arc<[u8]>>, StoreError>> {
        self.around(move || self.inner.derived_get(key, hash))
    }

    fn derived_put<'a>(
        &'a self,
        key: &'a ThreadKey,
        hash: ContentHash,
        value: Arc<[u8]>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.around(move || self.inner.derived_put(key, hash, value))
    }

    fn lines<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lines, StoreError>> {
        self.around(move || self.inner.lines(key))
    }

    fn restore(&self, restore: Restore) -> BoxFuture<'_, Result<ThreadInfo, StoreError>> {
        self.around(move || self.inner.restore(restore))
    }
}

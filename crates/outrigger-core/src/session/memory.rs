//! The in-memory store.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;

use super::store::{Lease, Store, StoreError, ThreadKey};
use crate::transcript::Envelope;

/// Keeps threads for as long as it lives.
#[derive(Default)]
pub struct MemoryStore {
    threads: Mutex<HashMap<ThreadKey, MemoryThread>>,
}

#[derive(Default)]
struct MemoryThread {
    records: Vec<Envelope>,
    driven: Arc<tokio::sync::Mutex<()>>,
}

impl MemoryStore {
    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadKey, MemoryThread>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append_now(&self, key: &ThreadKey, expected: u64, records: &[Envelope]) -> Result<u64, StoreError> {
        let mut threads = self.lock();
        let thread = threads.entry(key.clone()).or_default();
        let found = thread.records.len() as u64;
        if found != expected {
            return Err(StoreError::Stale { key: key.clone(), expected, found });
        }
        thread.records.extend_from_slice(records);
        Ok(thread.records.len() as u64)
    }
}

impl Store for MemoryStore {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        expected: u64,
        records: Arc<[Envelope]>,
    ) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(std::future::ready(self.append_now(key, expected, &records)))
    }

    fn read<'a>(&'a self, key: &'a ThreadKey, from: u64) -> BoxFuture<'a, Result<Vec<Envelope>, StoreError>> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let records = self.lock().get(key).and_then(|thread| thread.records.get(from..).map(<[Envelope]>::to_vec));
        Box::pin(std::future::ready(Ok(records.unwrap_or_default())))
    }

    fn lease<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<Lease, StoreError>> {
        let driven = Arc::clone(&self.lock().entry(key.clone()).or_default().driven);
        Box::pin(async move { Ok(Lease::new(driven.lock_owned().await)) })
    }
}

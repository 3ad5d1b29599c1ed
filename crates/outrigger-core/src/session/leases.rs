//! Who drives a thread within this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::store::ThreadKey;

/// The part of a lease that keeps this process's drivers of a thread apart, first come, first served. What keeps other
/// processes away is the store's own.
#[derive(Debug, Default)]
pub struct LocalLeases {
    threads: Mutex<HashMap<ThreadKey, Weak<AsyncMutex<()>>>>,
}

/// Held while this process's others wait.
#[derive(Debug)]
pub struct LocalLease {
    _held: OwnedMutexGuard<()>,
}

impl LocalLeases {
    /// Waits until nobody of this process drives the thread.
    pub async fn wait(&self, key: &ThreadKey) -> LocalLease {
        let lock = self.lock_of(key);
        LocalLease { _held: lock.lock_owned().await }
    }

    fn lock_of(&self, key: &ThreadKey) -> Arc<AsyncMutex<()>> {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = threads.get(key).and_then(Weak::upgrade) {
            return lock;
        }
        // What nobody waits for is forgotten now and then, so that the map stays about as large as what is driven.
        if threads.len() >= 64 && threads.len() == threads.capacity() {
            threads.retain(|_, lock| lock.strong_count() > 0);
        }
        let lock = Arc::default();
        threads.insert(key.clone(), Arc::downgrade(&lock));
        lock
    }
}

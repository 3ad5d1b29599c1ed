//! What a thread has in this process, made when first needed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex as SyncMutex, PoisonError};

use tokio::sync::{Mutex, OnceCell};

use crate::context::ThreadWire;
use crate::runtime::{AgentModel, AgentParts, PerModel};
use crate::session::{Store, StoreError, ThreadKey, ThreadLog};

/// A store, and its threads that are in use in this process.
pub(crate) struct Threads {
    store: Arc<dyn Store>,
    used: SyncMutex<HashMap<ThreadKey, Arc<ThreadState>>>,
}

impl Threads {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, used: SyncMutex::default() }
    }

    pub(super) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub(super) fn get(&self, key: &ThreadKey) -> Arc<ThreadState> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        // What nobody holds can be folded again when it is needed. Looked for only where the map would grow, so that a
        // call costs the same with many threads in use.
        if used.len() == used.capacity() {
            used.retain(|_, state| Arc::strong_count(state) > 1);
        }
        let made = || ThreadState::new(Arc::clone(&self.store), key.clone());
        Arc::clone(used.entry(key.clone()).or_insert_with(made))
    }
}

/// What a thread has in this process, shared by all who talk on it.
pub(crate) struct ThreadState {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) key: ThreadKey,
    log: OnceCell<Arc<ThreadLog>>,
    wires: OnceCell<PerModel<Arc<Mutex<ThreadWire>>>>,
}

impl ThreadState {
    pub(super) fn new(store: Arc<dyn Store>, key: ThreadKey) -> Arc<Self> {
        Arc::new(Self { store, key, log: OnceCell::new(), wires: OnceCell::new() })
    }

    pub(super) async fn log(&self, parts: &AgentParts) -> Result<Arc<ThreadLog>, StoreError> {
        let open = || ThreadLog::open(Arc::clone(&self.store), self.key.clone(), Arc::clone(&parts.clock));
        self.log.get_or_try_init(open).await.cloned()
    }

    /// The thread for the encoder of each of the agent's models.
    pub(super) async fn wires(&self, parts: &AgentParts) -> &PerModel<Arc<Mutex<ThreadWire>>> {
        let wire = |one: &AgentModel| Arc::new(Mutex::new(ThreadWire::new(one.model.clone())));
        self.wires.get_or_init(|| async { parts.models.map(wire) }).await
    }
}

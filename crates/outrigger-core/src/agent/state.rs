//! What a thread has in this process, made when first needed.

use std::sync::Arc;

use tokio::sync::{Mutex, OnceCell};

use crate::context::ThreadWire;
use crate::runtime::{AgentModel, AgentParts, PerModel};
use crate::session::{Store, StoreError, ThreadKey, ThreadLog};

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

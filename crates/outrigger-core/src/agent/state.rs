//! What a thread has in this process, made when first needed.

use std::sync::Arc;

use tokio::sync::{Mutex, OnceCell};

use crate::context::ThreadWire;
use crate::runtime::AgentParts;
use crate::session::{Store, StoreError, ThreadKey, ThreadLog};

/// What a thread has in this process, shared by all who talk on it.
pub(crate) struct ThreadState {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) key: ThreadKey,
    log: OnceCell<Arc<ThreadLog>>,
    wire: OnceCell<Arc<Mutex<ThreadWire>>>,
}

impl ThreadState {
    pub(super) fn new(store: Arc<dyn Store>, key: ThreadKey) -> Arc<Self> {
        Arc::new(Self { store, key, log: OnceCell::new(), wire: OnceCell::new() })
    }

    pub(super) async fn log(&self, parts: &AgentParts) -> Result<Arc<ThreadLog>, StoreError> {
        let open = || ThreadLog::open(Arc::clone(&self.store), self.key.clone(), Arc::clone(&parts.clock));
        self.log.get_or_try_init(open).await.cloned()
    }

    pub(super) async fn wire(&self, parts: &AgentParts) -> Arc<Mutex<ThreadWire>> {
        let make = || async { Arc::new(Mutex::new(ThreadWire::new(parts.model.clone()))) };
        Arc::clone(self.wire.get_or_init(make).await)
    }
}

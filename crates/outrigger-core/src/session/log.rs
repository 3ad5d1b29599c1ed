//! One thread's log in this process: every append goes through it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex as OrderLock, OwnedMutexGuard};

use super::store::{Store, StoreError, ThreadKey};
use crate::handle::Clock;
use crate::transcript::{Envelope, Origin, Record, View};

/// A thread's log and its view. All appends of a process go through one, so that numbers and fold never part.
pub struct ThreadLog {
    store: Arc<dyn Store>,
    key: ThreadKey,
    clock: Arc<dyn Clock>,
    order: Arc<OrderLock<()>>,
    view: Mutex<View>,
}

impl ThreadLog {
    /// Reads a thread.
    ///
    /// # Errors
    /// When the store cannot read it.
    pub async fn open(store: Arc<dyn Store>, key: ThreadKey, clock: Arc<dyn Clock>) -> Result<Arc<Self>, StoreError> {
        let view = Mutex::new(View::fold(&store.read(&key, 0).await?));
        Ok(Arc::new(Self { store, key, clock, order: Arc::default(), view }))
    }

    /// The thread.
    #[must_use]
    pub fn key(&self) -> &ThreadKey {
        &self.key
    }

    /// The thread as it is now.
    #[must_use]
    pub fn view(&self) -> View {
        self.lock().clone()
    }

    /// The thread once no append is under way.
    pub async fn settled(&self) -> View {
        let _order = self.order.lock().await;
        self.view()
    }

    /// Reads what other processes appended.
    ///
    /// # Errors
    /// When the store cannot read.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        let _order = self.order.lock().await;
        self.catch_up().await
    }

    /// Appends records, all or none. With an origin that is already in the log it does nothing.
    ///
    /// Dropping the returned future before it has its turn appends nothing; once begun, the store's call and the fold
    /// are finished whatever happens to the future.
    ///
    /// # Errors
    /// When the store does not take them.
    pub async fn append(self: &Arc<Self>, origin: Option<Origin>, records: Vec<Record>) -> Result<(), StoreError> {
        let order = Arc::clone(&self.order).lock_owned().await;
        if origin.as_ref().is_some_and(|origin| self.lock().has_origin(origin)) {
            return Ok(());
        }
        let time = self.clock.now();
        let envelopes: Arc<[Envelope]> =
            records.into_iter().map(|record| Envelope::new(time, origin.clone(), record)).collect();
        let log = Arc::clone(self);
        match tokio::spawn(log.commit(order, envelopes, origin)).await {
            Ok(result) => result,
            Err(lost) => Err(StoreError::Failed(lost.into())),
        }
    }

    /// Owns the order lock, so that nothing else is appended before the fold has seen what the store took.
    async fn commit(
        self: Arc<Self>,
        order: OwnedMutexGuard<()>,
        envelopes: Arc<[Envelope]>,
        origin: Option<Origin>,
    ) -> Result<(), StoreError> {
        let expected = self.lock().sequence();
        let result = match self.store.append(&self.key, expected, Arc::clone(&envelopes)).await {
            Ok(_) => {
                let mut view = self.lock();
                envelopes.iter().for_each(|envelope| view.apply(envelope));
                Ok(())
            }
            Err(error) => self.after_failure(error, origin).await,
        };
        drop(order);
        result
    }

    /// A store may have taken what it did not acknowledge: what it holds decides.
    async fn after_failure(&self, error: StoreError, origin: Option<Origin>) -> Result<(), StoreError> {
        if self.catch_up().await.is_ok() && origin.is_some_and(|origin| self.lock().has_origin(&origin)) {
            return Ok(());
        }
        Err(error)
    }

    async fn catch_up(&self) -> Result<(), StoreError> {
        let from = self.lock().sequence();
        let new = self.store.read(&self.key, from).await?;
        let mut view = self.lock();
        new.iter().for_each(|envelope| view.apply(envelope));
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! One thread's log in this process: every append goes through it.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use tokio::sync::{Mutex as OrderLock, OwnedMutexGuard};

use super::damage::{Damage, Reading};
use super::store::{Store, StoreError, ThreadKey};
use crate::handle::Clock;
use crate::transcript::{Envelope, Origin, Record, View};

/// A thread's log and its view. All appends of a process go through one, so that numbers and fold never part.
pub struct ThreadLog {
    store: Arc<dyn Store>,
    key: ThreadKey,
    clock: Arc<dyn Clock>,
    order: Arc<OrderLock<()>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    view: View,
    /// What is wrong behind the records of the view.
    damage: Option<Damage>,
}

impl State {
    fn read(&mut self, reading: Reading) {
        reading.records.iter().for_each(|envelope| self.view.apply(envelope));
        self.damage = reading.damage;
    }
}

impl ThreadLog {
    /// Reads a thread. One that is damaged is read as far as it is consistent.
    ///
    /// # Errors
    /// When the store cannot read it.
    pub async fn open(store: Arc<dyn Store>, key: ThreadKey, clock: Arc<dyn Clock>) -> Result<Arc<Self>, StoreError> {
        let mut state = State::default();
        state.read(store.read(&key, 0).await?);
        Ok(Arc::new(Self { store, key, clock, order: Arc::default(), state: Mutex::new(state) }))
    }

    /// The thread.
    #[must_use]
    pub fn key(&self) -> &ThreadKey {
        &self.key
    }

    /// The thread as it is now.
    #[must_use]
    pub fn view(&self) -> View {
        self.lock().view.clone()
    }

    /// What was found wrong behind the records of the view. Nothing can be appended before it is
    /// [set aside](Self::set_damage_aside).
    #[must_use]
    pub fn damage(&self) -> Option<Damage> {
        self.lock().damage.clone()
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
    /// When the store does not take them, or the thread is damaged.
    pub async fn append(self: &Arc<Self>, origin: Option<Origin>, records: Vec<Record>) -> Result<(), StoreError> {
        let order = Arc::clone(&self.order).lock_owned().await;
        if origin.as_ref().is_some_and(|origin| self.lock().view.has_origin(origin)) {
            return Ok(());
        }
        if let Some(damage) = self.damage() {
            return Err(StoreError::Damaged(Box::new(damage)));
        }
        let time = self.clock.now();
        let envelopes: Arc<[Envelope]> =
            records.into_iter().map(|record| Envelope::new(time, origin.clone(), record)).collect();
        finished(Arc::clone(self).commit(order, envelopes, origin)).await
    }

    /// Takes what is damaged out of the thread, where it is kept, and puts the fact of it on record. Only who holds the
    /// thread's lease may do so. Returns what it was; nothing for a thread in order.
    ///
    /// # Errors
    /// When the store cannot do it.
    pub async fn set_damage_aside(self: &Arc<Self>) -> Result<Option<Damage>, StoreError> {
        let order = Arc::clone(&self.order).lock_owned().await;
        let Some(damage) = self.damage() else { return Ok(None) };
        finished(Arc::clone(self).commit_damage(order, damage.clone())).await?;
        Ok(Some(damage))
    }

    /// Owns the order lock, so that nothing else is appended before the fold has seen what the store took.
    async fn commit(
        self: Arc<Self>,
        order: OwnedMutexGuard<()>,
        envelopes: Arc<[Envelope]>,
        origin: Option<Origin>,
    ) -> Result<(), StoreError> {
        let expected = self.lock().view.sequence();
        let result = match self.store.append(&self.key, expected, Arc::clone(&envelopes)).await {
            Ok(length) if length == expected.saturating_add(envelopes.len() as u64) => {
                let mut state = self.lock();
                envelopes.iter().for_each(|envelope| state.view.apply(envelope));
                Ok(())
            }
            // The store knew the origin already, among records that this log has not seen.
            Ok(_) => self.catch_up().await,
            Err(error) => self.after_failure(error, origin).await,
        };
        drop(order);
        result
    }

    async fn commit_damage(self: Arc<Self>, order: OwnedMutexGuard<()>, damage: Damage) -> Result<(), StoreError> {
        let fact = Envelope::new(self.clock.now(), None, Record::RecordsLost(damage.fact()));
        let set_aside = self.store.set_aside(&self.key, &damage, fact).await;
        // Acknowledged or not: what the store holds now decides.
        let read = self.catch_up().await;
        let result = if self.damage().is_none() { read } else { set_aside.map(drop) };
        drop(order);
        result
    }

    /// A store may have taken what it did not acknowledge: what it holds decides.
    async fn after_failure(&self, error: StoreError, origin: Option<Origin>) -> Result<(), StoreError> {
        if self.catch_up().await.is_ok() && origin.is_some_and(|origin| self.lock().view.has_origin(&origin)) {
            return Ok(());
        }
        Err(error)
    }

    async fn catch_up(&self) -> Result<(), StoreError> {
        let from = self.lock().view.sequence();
        let new = self.store.read(&self.key, from).await?;
        self.lock().read(new);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does the work whatever happens to this future. What is done at once, as in memory, is done here; what is waited for
/// goes on on a task of its own.
async fn finished(work: impl Future<Output = Result<(), StoreError>> + Send + 'static) -> Result<(), StoreError> {
    let mut work = Box::pin(AssertUnwindSafe(work).catch_unwind());
    let panicked = |_| StoreError::failed(Panicked);
    match (&mut work).now_or_never() {
        Some(done) => done.map_err(panicked)?,
        None => tokio::spawn(work).await.map_err(StoreError::failed)?.map_err(panicked)?,
    }
}

/// A store that panicked: what it did is not known.
#[derive(Debug, thiserror::Error)]
#[error("the store panicked")]
struct Panicked;

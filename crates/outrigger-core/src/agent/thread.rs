//! A thread to talk on.

use std::sync::Arc;

use super::RunError;
use super::output::{OutputStream, Typed, output_tool, typed};
use super::run::{Run, RunStream, Start, TurnResult};
use super::state::{ThreadState, Threads};
use crate::contract::Contract;
use crate::event::{Emit, EventReceiver, EventSender, Unheard, event_stream};
use crate::handle::RunHandle;
use crate::runtime::AgentParts;
use crate::session::{Damage, Fork, ForkPoint, StoreError, ThreadKey};
use crate::tool::Tool;
use crate::transcript::{ContainerClosed, Record, ThreadId, UserMessage, View};

/// A thread of an agent.
#[derive(Clone)]
pub struct Thread {
    parts: Arc<AgentParts>,
    threads: Arc<Threads>,
    state: Arc<ThreadState>,
}

impl Thread {
    pub(super) fn new(parts: Arc<AgentParts>, threads: Arc<Threads>, key: &ThreadKey) -> Self {
        let state = threads.get(key);
        Self { parts, threads, state }
    }

    /// Answers one message. A thread that is busy answers it when its turn comes. Dropping the future cancels the run.
    ///
    /// # Errors
    /// When the turn failed; an end such as a limit that was met is no error but the result's `stop`.
    pub async fn run(&self, input: impl Into<UserMessage>) -> Result<TurnResult, RunError> {
        self.start(input.into(), self.handle(), Arc::new(Unheard), None)?.result().await
    }

    /// Answers one message, telling what happens meanwhile. Dropping the stream cancels the run.
    #[must_use]
    pub fn stream(&self, input: impl Into<UserMessage>) -> RunStream {
        self.stream_with(input.into(), None)
    }

    /// Answers one message with a value: the turn ends with a call of an output tool whose arguments are a `T`. Dropping
    /// the future cancels the run.
    ///
    /// # Errors
    /// When the turn failed or ended without the value, or `T` is not an object.
    pub async fn run_as<T: Contract>(&self, input: impl Into<UserMessage>) -> Result<Typed<T>, RunError> {
        let tool = output_tool::<T>()?;
        typed(self.start(input.into(), self.handle(), Arc::new(Unheard), Some(tool))?.result().await?)
    }

    /// Answers one message with a value, telling meanwhile what of it is complete. Dropping the stream cancels the run.
    #[must_use]
    pub fn stream_as<T: Contract>(&self, input: impl Into<UserMessage>) -> OutputStream<T> {
        match output_tool::<T>() {
            Ok(tool) => OutputStream::new(self.stream_with(input.into(), Some(tool)), self.parts.output),
            Err(error) => OutputStream::new(RunStream::new(self.events().1, Err(error)), self.parts.output),
        }
    }

    fn stream_with(&self, message: UserMessage, output: Option<Arc<dyn Tool>>) -> RunStream {
        let ((handle, sender), events) = self.events();
        RunStream::new(events, self.start(message, handle, Arc::new(sender), output))
    }

    fn events(&self) -> ((RunHandle, EventSender), EventReceiver) {
        let handle = self.handle();
        let buffer = usize::try_from(self.parts.limits.event_buffer.get()).unwrap_or(usize::MAX);
        let (sender, events) = event_stream(handle.clone(), Arc::clone(&self.parts.name), buffer);
        ((handle, sender), events)
    }

    fn start(
        &self,
        message: UserMessage,
        run: RunHandle,
        events: Arc<dyn Emit>,
        output: Option<Arc<dyn Tool>>,
    ) -> Result<Run, RunError> {
        let (parts, state) = (Arc::clone(&self.parts), Arc::clone(&self.state));
        super::run::start(Start { parts, state, message: checked(message)?, run, events, output })
    }

    /// The thread as its records tell it.
    ///
    /// # Errors
    /// When the store cannot read it.
    pub async fn view(&self) -> Result<View, StoreError> {
        let log = self.state.log(&self.parts).await?;
        log.refresh().await?;
        Ok(log.view())
    }

    /// What is wrong behind the records of [`view`](Self::view), if the thread is not as it was written. The next run sets
    /// it aside.
    ///
    /// # Errors
    /// When the store cannot read it.
    pub async fn damage(&self) -> Result<Option<Damage>, StoreError> {
        let log = self.state.log(&self.parts).await?;
        log.refresh().await?;
        Ok(log.damage())
    }

    /// A new thread of the same session that begins with this one's messages up to a point. They are shared, not copied;
    /// this thread stays as it is. A turn that the point lies within ends there as interrupted.
    ///
    /// # Errors
    /// When there is no such point, or the store cannot fork.
    pub async fn fork(&self, point: ForkPoint) -> Result<Self, StoreError> {
        let (store, source) = (self.threads.store(), self.key());
        let at = point.resolve(&**store, source).await?;
        let target = ThreadKey::new(source.session.clone(), ThreadId::fresh());
        let fork = Fork { source: source.clone(), at, target, time: self.parts.clock.now() };
        let made = store.fork(fork).await?;
        Ok(Self::new(Arc::clone(&self.parts), Arc::clone(&self.threads), &made.key))
    }

    /// Closes a container by hand, and those in it. One that is not open stays as it is.
    ///
    /// # Errors
    /// When the store does not take the fact.
    pub async fn collapse(&self, container: &str) -> Result<(), StoreError> {
        let log = self.state.log(&self.parts).await?;
        log.refresh().await?;
        if log.view().openings().of(container).is_none() {
            return Ok(());
        }
        log.append(None, vec![Record::ContainerClosed(ContainerClosed { container: container.into() })]).await
    }

    /// Which thread it is.
    #[must_use]
    pub fn key(&self) -> &ThreadKey {
        &self.state.key
    }

    fn handle(&self) -> RunHandle {
        let ThreadKey { session, thread } = self.state.key.clone();
        RunHandle::new(session, thread, Arc::clone(&self.parts.clock)).with_timeouts(self.parts.limits.timeouts())
    }
}

fn checked(message: UserMessage) -> Result<UserMessage, RunError> {
    if message.says_something() { Ok(message) } else { Err(RunError::EmptyInput) }
}

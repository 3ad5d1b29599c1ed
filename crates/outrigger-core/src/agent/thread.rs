//! A thread to talk on.

use std::sync::Arc;

use super::RunError;
use super::run::{RunStream, TurnResult};
use super::state::ThreadState;
use crate::event::{EventReceiver, Unheard, event_stream};
use crate::handle::RunHandle;
use crate::runtime::{AgentParts, Stopper};
use crate::session::{StoreError, ThreadKey};
use crate::transcript::{UserMessage, UserPart, View};

/// A thread of an agent.
#[derive(Clone)]
pub struct Thread {
    parts: Arc<AgentParts>,
    state: Arc<ThreadState>,
}

impl Thread {
    pub(super) fn new(parts: Arc<AgentParts>, state: Arc<ThreadState>) -> Self {
        Self { parts, state }
    }

    /// Answers one message. A thread that is busy answers it when its turn comes. Dropping the future cancels the run.
    ///
    /// # Errors
    /// When the turn failed; an end such as a limit that was met is no error but the result's `stop`.
    pub async fn run(&self, input: impl Into<UserMessage>) -> Result<TurnResult, RunError> {
        let message = checked(input.into())?;
        let handle = self.handle();
        let stop = Arc::new(Stopper::new(handle.cancellation().clone()));
        super::run::start(&self.parts, &self.state, message, handle, stop, Arc::new(Unheard))?.result().await
    }

    /// Answers one message, telling what happens meanwhile. Dropping the stream cancels the run.
    #[must_use]
    pub fn stream(&self, input: impl Into<UserMessage>) -> RunStream {
        let handle = self.handle();
        let buffer = usize::try_from(self.parts.limits.event_buffer.get()).unwrap_or(usize::MAX);
        let (sender, events): (_, EventReceiver) = event_stream(handle.clone(), Arc::clone(&self.parts.name), buffer);
        let stop = Arc::new(Stopper::new(handle.cancellation().clone()));
        let started = checked(input.into())
            .and_then(|message| super::run::start(&self.parts, &self.state, message, handle, stop, Arc::new(sender)));
        RunStream::new(events, started)
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

    /// Which thread it is.
    #[must_use]
    pub fn key(&self) -> &ThreadKey {
        &self.state.key
    }

    fn handle(&self) -> RunHandle {
        let ThreadKey { session, thread } = self.state.key.clone();
        RunHandle::new(session, thread, Arc::clone(&self.parts.clock))
    }
}

fn checked(message: UserMessage) -> Result<UserMessage, RunError> {
    let says = |part: &UserPart| match part {
        UserPart::Text(text) => !text.trim().is_empty(),
    };
    if message.parts.iter().any(says) { Ok(message) } else { Err(RunError::EmptyInput) }
}

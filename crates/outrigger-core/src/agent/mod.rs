//! Builder, configuration, effective-defaults report, and the agent itself.

mod builder;
pub mod config;
mod error;
mod output;
mod prompts;
mod report;
mod run;
mod state;
mod thread;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use builder::AgentBuilder;
pub use error::{BuildError, BuildProblem, Error, Result, RunError};
pub use output::{OutputStream, Typed};
pub use report::{Backing, Capability, Feature, Note, Report};
pub use run::{RunStream, TurnResult};
pub use thread::Thread;

use state::Threads;

use crate::catalog::{Catalog, Menu};
use crate::contract::Contract;
use crate::runtime::AgentParts;
pub use crate::runtime::{Limits, OutputMode};
use crate::session::{MemoryStore, Page, SessionInfo, Store, StoreError, ThreadInfo, ThreadKey, ThreadQuery};
use crate::transcript::{Openings, SessionId, ThreadId, UserMessage};

/// A model with tools, instructions and limits. Cheap to clone; all clones are one agent.
#[derive(Clone)]
pub struct Agent {
    parts: Arc<AgentParts>,
    report: Arc<Report>,
    threads: Arc<Threads>,
}

impl Agent {
    /// Starts building an agent.
    #[must_use]
    pub fn builder() -> AgentBuilder {
        AgentBuilder::default()
    }

    /// Answers one message on a fresh thread that is forgotten afterwards.
    ///
    /// Dropping the future cancels the run.
    ///
    /// # Errors
    /// When the turn failed; an end such as a limit that was met is no error but the result's `stop`.
    pub async fn run(&self, input: impl Into<UserMessage>) -> std::result::Result<TurnResult, RunError> {
        self.fresh_thread().run(input).await
    }

    /// Answers one message on a fresh thread, telling what happens meanwhile.
    #[must_use]
    pub fn stream(&self, input: impl Into<UserMessage>) -> RunStream {
        self.fresh_thread().stream(input)
    }

    /// Answers one message with a value, on a fresh thread: the turn ends with a call of an output tool whose arguments
    /// are a `T`. A model that answers in text is asked for it twice.
    ///
    /// # Errors
    /// When the turn failed or ended without the value, or `T` is not an object.
    pub async fn run_as<T: Contract>(&self, input: impl Into<UserMessage>) -> std::result::Result<Typed<T>, RunError> {
        self.fresh_thread().run_as(input).await
    }

    /// Answers one message with a value, on a fresh thread, telling meanwhile what of it is complete.
    #[must_use]
    pub fn stream_as<T: Contract>(&self, input: impl Into<UserMessage>) -> OutputStream<T> {
        self.fresh_thread().stream_as(input)
    }

    /// The thread of a session, in the agent's store. Runs on one thread follow each other.
    #[must_use]
    pub fn thread(&self, session: impl Into<SessionId>, thread: impl Into<ThreadId>) -> Thread {
        let key = ThreadKey { session: session.into(), thread: thread.into() };
        Thread::new(Arc::clone(&self.parts), Arc::clone(&self.threads), &key)
    }

    /// Where the agent keeps its threads.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        self.threads.store()
    }

    /// The sessions in the agent's store, by name.
    ///
    /// # Errors
    /// When the store cannot list them.
    pub async fn sessions(&self, page: Page<SessionId>) -> std::result::Result<Vec<SessionInfo>, StoreError> {
        self.store().sessions(page).await
    }

    /// The threads in the agent's store, by session and name: all, those of a session, or the forks of a thread.
    ///
    /// # Errors
    /// When the store cannot list them.
    pub async fn threads(&self, query: ThreadQuery) -> std::result::Result<Vec<ThreadInfo>, StoreError> {
        self.store().threads(query).await
    }

    /// Every tool of the agent.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.parts.catalog
    }

    /// The menu as the agent's first model sees it at the start of a thread.
    #[must_use]
    pub fn menu(&self) -> Arc<Menu> {
        self.menu_of(&Openings::default())
    }

    /// The menu as the agent's first model sees it while these containers are open.
    #[must_use]
    pub fn menu_of(&self, openings: &Openings) -> Arc<Menu> {
        self.parts.models.first().menus.menu(openings)
    }

    /// What the agent has and does, defaults included. Computed by the code that built it.
    #[must_use]
    pub fn describe(&self) -> &Report {
        &self.report
    }

    fn fresh_thread(&self) -> Thread {
        let key = ThreadKey { session: SessionId::fresh(), thread: "main".into() };
        Thread::new(Arc::clone(&self.parts), Arc::new(Threads::new(Arc::new(MemoryStore::default()))), &key)
    }
}

impl From<&str> for UserMessage {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for UserMessage {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

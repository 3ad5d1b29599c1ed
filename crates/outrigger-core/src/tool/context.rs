//! What a body may know of the call it serves.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::event::{Emit, EventKind, Unheard};
use crate::handle::{RunHandle, SystemClock};
use crate::transcript::{CallId, Text};

/// What a body may know of the call it serves. Declare a parameter `cx: &ToolContext` to get it; it is not part of the
/// schema.
#[derive(Clone)]
pub struct ToolContext {
    handle: RunHandle,
    ports: Arc<ToolPorts>,
}

/// What stands behind a context.
pub(crate) struct ToolPorts {
    pub(crate) call: CallId,
    pub(crate) tool: Text,
    pub(crate) attempt: u32,
    pub(crate) idempotency_key: Text,
    pub(crate) events: Arc<dyn Emit>,
}

/// How far a tool is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// What is going on, for a person.
    pub message: Text,
    /// How much is done.
    pub done: Option<f64>,
    /// How much there is, in the same unit.
    pub total: Option<f64>,
}

impl ToolContext {
    pub(crate) fn new(handle: RunHandle, ports: Arc<ToolPorts>) -> Self {
        Self { handle, ports }
    }

    /// The context of a call outside any run: for calling a body by hand, in a test. Nobody hears its progress.
    #[must_use]
    pub fn detached(tool: &str) -> Self {
        let handle = RunHandle::new("detached".into(), "main".into(), Arc::new(SystemClock));
        let (call, key) = (CallId::from("call"), Text::from("detached:call"));
        let events = Arc::new(Unheard);
        Self::new(handle, Arc::new(ToolPorts { call, tool: tool.into(), attempt: 1, idempotency_key: key, events }))
    }

    /// The run's handle: identities and clock.
    #[must_use]
    pub fn run(&self) -> &RunHandle {
        &self.handle
    }

    /// Raised when the call should stop: the run was cancelled, or its time is up.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        self.handle.cancellation()
    }

    /// The call.
    #[must_use]
    pub fn call(&self) -> &CallId {
        &self.ports.call
    }

    /// The tool's identity, `Harness.tool`.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.ports.tool
    }

    /// Which attempt of the call this is, from 1.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.ports.attempt
    }

    /// The same for every attempt of this call and for no other call: hand it on where an effect must happen once.
    #[must_use]
    pub fn idempotency_key(&self) -> &str {
        &self.ports.idempotency_key
    }

    /// Tells listeners how far the call is.
    pub fn progress(&self, progress: Progress) {
        if self.ports.events.wanted() {
            let Progress { message, done, total } = progress;
            let call = self.ports.call.clone();
            self.emit_kind(EventKind::ToolProgress { call, message, done, total });
        }
    }

    /// Tells listeners something in the tool's own words.
    pub fn emit(&self, name: &str, payload: serde_json::Value) {
        if self.ports.events.wanted() {
            self.emit_kind(EventKind::Custom { name: name.into(), payload });
        }
    }

    fn emit_kind(&self, kind: EventKind) {
        self.ports.events.emit(kind, Some(self.ports.call.as_str().into()));
    }
}

//! What a thread's log amounts to: the one fold over its records.

use std::sync::Arc;

use super::ids::{CallId, RunId, Text, TurnId};
use super::message::{AssistantMessage, CallResult, CallStatus, Message, ResultsMessage, ToolCall, Usage};
use super::prompts;
use super::record::{Envelope, Origin, Record, TurnEnded};
use super::spine::Spine;
use super::stop::StopReason;

/// A thread as its records tell it. Feeding records one by one gives the same view as folding the log afresh, and
/// costs only what is new; cloning is cheap, and a clone never changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    sequence: u64,
    messages: Spine<Arc<Message>>,
    batch: Option<Arc<Batch>>,
    waiting: Vec<Arc<Message>>,
    turn: Option<OpenTurn>,
    last_origin: Option<Origin>,
    usage: Usage,
}

/// The turn that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTurn {
    /// The turn.
    pub turn: TurnId,
    /// The run it belongs to.
    pub run: RunId,
}

/// The newest assistant message with calls, and what became of them.
#[derive(Clone, Debug, PartialEq)]
struct Batch {
    message: Arc<AssistantMessage>,
    calls: Vec<CallState>,
    open: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct CallState {
    attempts: u32,
    idempotent: bool,
    result: Option<Arc<CallResult>>,
}

impl View {
    /// Folds a log from its start.
    pub fn fold<'a>(envelopes: impl IntoIterator<Item = &'a Envelope>) -> Self {
        let mut view = Self::default();
        envelopes.into_iter().for_each(|envelope| view.apply(envelope));
        view
    }

    /// Adds the next record. Never fails: a log that breaks the rules folds to a conversation that the legality
    /// checker refuses.
    pub fn apply(&mut self, envelope: &Envelope) {
        self.sequence = self.sequence.saturating_add(1);
        if envelope.origin.is_some() {
            self.last_origin.clone_from(&envelope.origin);
        }
        match &envelope.record {
            Record::TurnStarted(started) => {
                self.turn = Some(OpenTurn { turn: started.turn.clone(), run: started.run.clone() });
            }
            Record::UserMessage(message) => self.said(Arc::new(Message::User(message.clone()))),
            Record::AssistantMessage(message) => self.answered(message),
            Record::ToolIntent(intent) => {
                if let Some(call) = self.call_mut(&intent.call) {
                    call.attempts = call.attempts.max(intent.attempt);
                    call.idempotent = intent.idempotent;
                }
            }
            Record::ToolResult(result) => self.ended(result),
            Record::TurnEnded(ended) => {
                self.turn = None;
                self.usage = self.usage.plus(ended.usage);
            }
            Record::Unknown(_) => {}
        }
    }

    /// How many records were folded; the sequence the next one gets.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The conversation: complete exchanges only. A batch appears with its last result.
    #[must_use]
    pub fn messages(&self) -> &Spine<Arc<Message>> {
        &self.messages
    }

    /// The turn that is under way.
    #[must_use]
    pub fn turn(&self) -> Option<&OpenTurn> {
        self.turn.as_ref()
    }

    /// Tokens of all ended turns.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Whether an append of this origin is already in the log.
    #[must_use]
    pub fn has_origin(&self, origin: &Origin) -> bool {
        self.last_origin.as_ref().is_some_and(|last| last.turn == origin.turn && last.step >= origin.step)
    }

    /// The result of a call of the newest batch, kept until the model speaks again.
    #[must_use]
    pub fn result(&self, call: &CallId) -> Option<&Arc<CallResult>> {
        self.call(call)?.result.as_ref()
    }

    /// How many times the body of a call of the newest batch was about to run.
    #[must_use]
    pub fn attempts(&self, call: &CallId) -> u32 {
        self.call(call).map_or(0, |call| call.attempts)
    }

    /// The calls that have no result.
    #[must_use]
    pub fn open_calls(&self) -> Vec<ToolCall> {
        let Some(batch) = self.batch.as_deref().filter(|batch| batch.open > 0) else { return Vec::new() };
        let open = batch.message.calls().zip(&batch.calls).filter(|(_, state)| state.result.is_none());
        open.map(|(call, _)| call.clone()).collect()
    }

    /// The facts that bring a log whose process went away in the middle of a turn back into order: an `interrupted`
    /// result for each open call, and the end of the turn. Empty for a log in order.
    #[must_use]
    pub fn repairs(&self) -> Vec<Record> {
        let mut repairs: Vec<Record> = self.open_calls().iter().map(|call| self.interrupted(call)).collect();
        if let Some(open) = &self.turn {
            let (turn, stop) = (open.turn.clone(), StopReason::Interrupted);
            repairs.push(Record::TurnEnded(TurnEnded { turn, stop, usage: Usage::default() }));
        }
        repairs
    }

    /// What an open call is answered when its process is gone: the same text however often it is made.
    fn interrupted(&self, call: &ToolCall) -> Record {
        let text: Text = prompts::interrupted(self.attempts(&call.id) > 0).into();
        Record::ToolResult(Arc::new(CallResult::text(call, CallStatus::Interrupted, text)))
    }

    fn said(&mut self, message: Arc<Message>) {
        if self.batch.as_deref().is_some_and(|batch| batch.open > 0) {
            self.waiting.push(message);
        } else {
            self.messages.push(message);
        }
    }

    fn answered(&mut self, message: &Arc<AssistantMessage>) {
        if message.says_something() {
            self.messages.push(Arc::new(Message::Assistant(Arc::clone(message))));
        }
        let calls: Vec<CallState> = message.calls().map(|_| CallState::default()).collect();
        let open = calls.len();
        self.batch = (open > 0).then(|| Arc::new(Batch { message: Arc::clone(message), calls, open }));
    }

    fn ended(&mut self, result: &Arc<CallResult>) {
        let Some(batch) = &mut self.batch else { return };
        let batch = Arc::make_mut(batch);
        let Some(call) = batch.state_mut(&result.call).filter(|call| call.result.is_none()) else { return };
        call.result = Some(Arc::clone(result));
        batch.open = batch.open.saturating_sub(1);
        if batch.open == 0 {
            let results = batch.calls.iter().filter_map(|call| call.result.clone()).collect();
            self.messages.push(Arc::new(Message::Results(ResultsMessage { results })));
            self.messages.extend(self.waiting.drain(..));
        }
    }

    fn call(&self, id: &CallId) -> Option<&CallState> {
        let batch = self.batch.as_deref()?;
        batch.message.calls().zip(&batch.calls).find(|(call, _)| call.id == *id).map(|(_, state)| state)
    }

    fn call_mut(&mut self, id: &CallId) -> Option<&mut CallState> {
        Arc::make_mut(self.batch.as_mut()?).state_mut(id)
    }
}

impl Batch {
    fn state_mut(&mut self, id: &CallId) -> Option<&mut CallState> {
        let message = &self.message;
        message.calls().zip(&mut self.calls).find(|(call, _)| call.id == *id).map(|(_, state)| state)
    }
}

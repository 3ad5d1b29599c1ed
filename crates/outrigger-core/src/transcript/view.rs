//! What a thread's log amounts to: the one fold over its records.

use std::sync::Arc;

use super::ids::{CallId, RunId, Text, TurnId};
use super::message::{AssistantMessage, CallResult, CallStatus, Message, ResultsMessage, ToolCall, Usage};
use super::openings::Openings;
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
    openings: Openings,
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
            Record::ContextMessage(message) => self.said(Arc::new(Message::Context(message.clone()))),
            Record::AssistantMessage(message) => self.answered(message),
            Record::ToolIntent(intent) => {
                self.openings.called(&intent.owners);
                if let Some(call) = self.call_mut(&intent.call) {
                    call.attempts = call.attempts.max(intent.attempt);
                    call.idempotent = intent.idempotent;
                }
            }
            Record::ToolResult(result) => self.ended(result),
            Record::TurnEnded(ended) => {
                self.turn = None;
                self.openings.turn_ended();
                self.usage = self.usage.plus(ended.usage);
            }
            Record::ContainerOpened(opened) => self.openings.open(opened),
            Record::ContainerClosed(closed) => self.openings.close(&closed.container),
            Record::RecordsLost(_) | Record::Unknown(_) => {}
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

    /// The containers that are open.
    #[must_use]
    pub fn openings(&self) -> &Openings {
        &self.openings
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
        self.openings.iterated();
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
        let Some(call) = batch.open_mut(&result.call) else { return };
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
    /// The first call of this id that waits for its result.
    fn open_mut(&mut self, id: &CallId) -> Option<&mut CallState> {
        let mut calls = self.message.calls().zip(&mut self.calls);
        calls.find(|(call, state)| call.id == *id && state.result.is_none()).map(|(_, state)| state)
    }

    fn state_mut(&mut self, id: &CallId) -> Option<&mut CallState> {
        let message = &self.message;
        message.calls().zip(&mut self.calls).find(|(call, _)| call.id == *id).map(|(_, state)| state)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::transcript::{AssistantPart, Dialect, Finish, Legality, ModelName, Timestamp, ToolIntent, TurnStarted};
    use crate::transcript::{ContainerClosed, ContainerOpened, Lifetime, UnknownRecord, UserMessage};

    /// Calls have ids that repeat now and then, results answer calls that may not exist: a log as others may edit it.
    fn record() -> impl Strategy<Value = Record> {
        let id = || (0u8..6).prop_map(|n| CallId::from(format!("c{n}").as_str()));
        prop_oneof![
            (0u8..3).prop_map(|n| {
                let (turn, run) = (TurnId::from(format!("t{n}").as_str()), "r".into());
                Record::TurnStarted(TurnStarted { turn, run })
            }),
            "[a-z]{0,3}".prop_map(|text| Record::UserMessage(UserMessage::text(text))),
            (proptest::collection::vec(id(), 0..4), "[a-z]{0,2}").prop_map(|(ids, text)| {
                let call = |id| AssistantPart::Call(ToolCall { id, name: "tool".into(), arguments: "{}".into() });
                let parts =
                    std::iter::once(AssistantPart::Text(text.into())).chain(ids.into_iter().map(call)).collect();
                let by = ModelName { provider: "p".into(), model: "m".into() };
                let message = AssistantMessage { parts, by, finish: Finish::Calls, partial: false };
                Record::AssistantMessage(Arc::new(message))
            }),
            (id(), 1u32..3).prop_map(|(call, attempt)| {
                let text: Text = "x".into();
                let (tool, arguments, idempotency_key) = (text.clone(), text.clone(), text);
                let owners = if attempt > 1 { vec!["Box".into()] } else { Vec::new() };
                let idempotent = false;
                Record::ToolIntent(ToolIntent { call, tool, arguments, attempt, idempotency_key, idempotent, owners })
            }),
            id().prop_map(|call| {
                let (name, content) = ("tool".into(), Vec::new());
                Record::ToolResult(Arc::new(CallResult { call, name, status: CallStatus::Ok, content }))
            }),
            (0u8..3, proptest::option::of(0u8..3), 0u8..3).prop_map(|(n, parent, lifetime)| {
                let name = |n: u8| -> Text { ["Box", "Bag", "Crate"][n as usize].into() };
                let lifetime = [Lifetime::Turn, Lifetime::Thread, Lifetime::Idle(2)][lifetime as usize];
                let (container, parent, result) = (name(n), parent.map(name), None);
                Record::ContainerOpened(ContainerOpened { container, parent, lifetime, result, instructions: None })
            }),
            Just(Record::ContainerClosed(ContainerClosed { container: "Bag".into() })),
            Just(Record::Unknown(UnknownRecord { kind: "other".into(), body: "{}".into() })),
            (0u8..3).prop_map(|n| {
                let (turn, stop) = (TurnId::from(format!("t{n}").as_str()), StopReason::Answered);
                Record::TurnEnded(TurnEnded { turn, stop, usage: Usage::default() })
            }),
        ]
    }

    fn log() -> impl Strategy<Value = Vec<Envelope>> {
        let origin = proptest::option::of((0u8..2, 0u32..9));
        let envelope = (record(), origin).prop_map(|(record, origin)| {
            let origin = origin.map(|(n, step)| Origin { turn: format!("t{n}").as_str().into(), step });
            Envelope::new(Timestamp(0), origin, record)
        });
        proptest::collection::vec(envelope, 0..40)
    }

    proptest! {
        // Facts, not state: after any records the incremental fold equals a fresh one, through storage too, and a
        // view that someone holds never changes.
        #[test]
        fn the_incremental_fold_equals_a_fresh_one(log in log()) {
            let mut view = View::default();
            let mut held = Vec::new();
            for envelope in &log {
                held.push((view.clone(), format!("{view:?}")));
                view.apply(envelope);
            }
            prop_assert_eq!(&view, &View::fold(&log));
            let stored: Vec<Envelope> =
                log.iter().map(|one| serde_json::from_str(&serde_json::to_string(one).unwrap()).unwrap()).collect();
            prop_assert_eq!(&stored, &log);
            for (clone, shown) in held {
                prop_assert_eq!(format!("{clone:?}"), shown);
            }
        }

        // A log that ends anywhere is brought back into order by its repairs, and only once.
        #[test]
        fn repairs_leave_nothing_open(log in log()) {
            let mut view = View::fold(&log);
            for record in view.repairs() {
                view.apply(&Envelope::new(Timestamp(0), None, record));
            }
            prop_assert!(view.repairs().is_empty());
            prop_assert!(view.open_calls().is_empty() && view.turn().is_none());
        }

        // The checker's proof over a prefix and the rest agrees with its proof over the whole.
        #[test]
        fn legality_is_the_same_in_parts_and_whole(log in log(), at in 0usize..40) {
            let view = View::fold(&log);
            let messages = view.messages().with(<[Arc<Message>]>::to_vec);
            let at = at.min(messages.len());
            let whole = checked(&messages).prove(&[]).map(|legal| legal.messages());
            let parts = checked(&messages[..at]).prove(&messages[at..]).map(|legal| legal.messages());
            prop_assert_eq!(whole.is_ok(), parts.is_ok(), "{:?} {:?}", whole, parts);
            prop_assert_eq!(whole.ok(), parts.ok());
        }
    }

    fn checked(messages: &[Arc<Message>]) -> Legality {
        let mut legality = Legality::new(Arc::new(Dialect::chat()));
        messages.iter().for_each(|message| legality.push(message));
        legality
    }
}

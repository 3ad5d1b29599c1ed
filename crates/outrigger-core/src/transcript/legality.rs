//! The one checker of a conversation's form. Every sealed request has passed it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::dialect::Dialect;
use super::ids::CallId;
use super::message::{AssistantMessage, Message, ResultsMessage};
use super::spine::Spine;

/// Why a conversation may not be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// Something other than their results follows calls.
    #[error("message {at} must hold the results of the {calls} calls before it, but is {found}")]
    Unanswered {
        /// Index of the message.
        at: usize,
        /// How many calls wait.
        calls: usize,
        /// What came instead.
        found: &'static str,
    },
    /// The results of a batch are not those of its calls, each once and in order.
    #[error("message {at} must answer call {expected:?} next, but {}", found.as_ref().map_or("ends".to_owned(), |id| format!("answers {id:?}")))]
    Mismatched {
        /// Index of the message.
        at: usize,
        /// The call to answer next; `None`: no call is left to answer.
        expected: Option<CallId>,
        /// The call answered there; `None`: nothing is.
        found: Option<CallId>,
    },
    /// Two calls share an id.
    #[error("message {at} calls with id {id:?}, which an earlier call has")]
    Repeated {
        /// Index of the message.
        at: usize,
        /// The id.
        id: CallId,
    },
    /// The conversation opens with something else than the user.
    #[error("the conversation must open with the user's message, but opens with {found}")]
    FirstNotUser {
        /// What it opens with; «nothing» for an empty conversation.
        found: &'static str,
    },
    /// A message without content.
    #[error("message {at} is empty, which the {dialect} dialect refuses")]
    Empty {
        /// Index of the message.
        at: usize,
        /// The dialect.
        dialect: String,
    },
    /// Two messages of one speaker in a row.
    #[error("message {at} has the same speaker as the one before it, which the {dialect} dialect refuses")]
    SameSpeaker {
        /// Index of the message.
        at: usize,
        /// The dialect.
        dialect: String,
    },
}

/// A proof: these messages, in this order, keep the dialect's form. Only the checker makes one.
#[derive(Clone, Debug)]
pub struct Legal {
    history: Spine<Arc<Message>>,
    extra: Arc<[Arc<Message>]>,
}

impl Legal {
    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.history.len().saturating_add(self.extra.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The thread's messages, and this one request's.
    pub(crate) fn parts(&self) -> (&Spine<Arc<Message>>, &[Arc<Message>]) {
        (&self.history, &self.extra)
    }

    /// Calls `each` with every message in order.
    pub fn for_each(&self, mut each: impl FnMut(&Arc<Message>)) {
        self.history.with(|items| items.iter().for_each(&mut each));
        self.extra.iter().for_each(each);
    }

    /// The messages in order.
    #[must_use]
    pub fn messages(&self) -> Vec<Arc<Message>> {
        let mut messages = Vec::with_capacity(self.len());
        self.for_each(|message| messages.push(Arc::clone(message)));
        messages
    }
}

/// A conversation's form so far: fed message by message, it costs what is new.
#[derive(Clone, Debug)]
pub struct Legality {
    dialect: Arc<Dialect>,
    messages: Spine<Arc<Message>>,
    state: State,
    fault: Option<Illegal>,
}

/// What the next message is checked against.
#[derive(Clone, Debug, Default)]
struct State {
    count: usize,
    waiting: Option<Arc<AssistantMessage>>,
    seen: HashSet<CallId>,
    last: Option<Speaker>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    User,
    Assistant,
}

impl Legality {
    /// An empty conversation.
    #[must_use]
    pub fn new(dialect: Arc<Dialect>) -> Self {
        Self { dialect, messages: Spine::default(), state: State::default(), fault: None }
    }

    /// Adds the next message. The first fault is kept and told by [`prove`](Self::prove).
    pub fn push(&mut self, message: &Arc<Message>) {
        if self.fault.is_none() {
            self.fault = self.state.check(&self.dialect, message).err();
        }
        self.messages.push(Arc::clone(message));
    }

    /// The dialect it checks for.
    #[must_use]
    pub fn dialect(&self) -> &Arc<Dialect> {
        &self.dialect
    }

    /// Whether a call of this id was among the messages.
    #[must_use]
    pub fn has_call(&self, id: &CallId) -> bool {
        self.state.has_call(&self.dialect, id)
    }

    /// How many messages it was given.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether it was given none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Proves that the messages so far, followed by `extra`, may be sent. Costs what `extra` costs.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn prove(&self, extra: &[Arc<Message>]) -> Result<Legal, Illegal> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if extra.is_empty() {
            self.state.check_end()?;
        } else {
            // What was seen stays in place; only the ids of `extra` are new.
            let mut state = State { seen: HashSet::new(), ..self.state.without_seen() };
            for message in extra {
                if let Message::Assistant(assistant) = &**message
                    && let Some(call) = assistant.calls().find(|call| self.state.has_call(&self.dialect, &call.id))
                {
                    return Err(Illegal::Repeated { at: state.count, id: call.id.clone() });
                }
                state.check(&self.dialect, message)?;
            }
            state.check_end()?;
        }
        Ok(Legal { history: self.messages.clone(), extra: extra.into() })
    }
}

impl State {
    fn without_seen(&self) -> Self {
        Self { count: self.count, waiting: self.waiting.clone(), seen: HashSet::new(), last: self.last }
    }

    fn has_call(&self, dialect: &Dialect, id: &CallId) -> bool {
        self.seen.contains(&on_wire(dialect, id))
    }

    fn check(&mut self, dialect: &Dialect, message: &Message) -> Result<(), Illegal> {
        let at = self.count;
        self.count = at.saturating_add(1);
        if at == 0 && dialect.first_is_user && !matches!(message, Message::User(_)) {
            return Err(Illegal::FirstNotUser { found: kind(message) });
        }
        match (self.waiting.take(), message) {
            (Some(calls), Message::Results(results)) => answered(at, &calls, results)?,
            (Some(calls), other) => {
                return Err(Illegal::Unanswered { at, calls: calls.calls().count(), found: kind(other) });
            }
            (None, Message::Results(results)) => {
                let found = results.results.first().map(|result| result.call.clone());
                return Err(Illegal::Mismatched { at, expected: None, found });
            }
            (None, Message::Assistant(message)) => self.called(dialect, at, message)?,
            (None, Message::User(_) | Message::Context(_)) => {}
        }
        if dialect.refuses_empty && is_empty(message) {
            return Err(Illegal::Empty { at, dialect: dialect.name.to_string() });
        }
        let speaker = if matches!(message, Message::Assistant(_)) { Speaker::Assistant } else { Speaker::User };
        if dialect.alternates && self.last == Some(speaker) {
            return Err(Illegal::SameSpeaker { at, dialect: dialect.name.to_string() });
        }
        self.last = Some(speaker);
        Ok(())
    }

    fn called(&mut self, dialect: &Dialect, at: usize, message: &Arc<AssistantMessage>) -> Result<(), Illegal> {
        let mut any = false;
        for call in message.calls() {
            any = true;
            if !self.seen.insert(on_wire(dialect, &call.id)) {
                return Err(Illegal::Repeated { at, id: call.id.clone() });
            }
        }
        self.waiting = any.then(|| Arc::clone(message));
        Ok(())
    }

    fn check_end(&self) -> Result<(), Illegal> {
        match &self.waiting {
            Some(calls) => Err(Illegal::Unanswered { at: self.count, calls: calls.calls().count(), found: "nothing" }),
            None if self.count == 0 => Err(Illegal::FirstNotUser { found: "nothing" }),
            None => Ok(()),
        }
    }
}

/// Two ids that the wire writes alike are one there.
fn on_wire(dialect: &Dialect, id: &CallId) -> CallId {
    match dialect.call_ids.on_wire(id) {
        Cow::Borrowed(_) => id.clone(),
        Cow::Owned(remade) => remade.as_str().into(),
    }
}

fn answered(at: usize, calls: &AssistantMessage, results: &ResultsMessage) -> Result<(), Illegal> {
    let mut found = results.results.iter().map(|result| &result.call);
    for call in calls.calls() {
        match found.next() {
            Some(id) if *id == call.id => {}
            other => {
                return Err(Illegal::Mismatched { at, expected: Some(call.id.clone()), found: other.cloned() });
            }
        }
    }
    match found.next() {
        None => Ok(()),
        Some(extra) => Err(Illegal::Mismatched { at, expected: None, found: Some(extra.clone()) }),
    }
}

fn kind(message: &Message) -> &'static str {
    match message {
        Message::User(_) => "the user's message",
        Message::Assistant(_) => "an assistant message",
        Message::Results(_) => "a message of results",
        Message::Context(_) => "a context message",
    }
}

fn is_empty(message: &Message) -> bool {
    match message {
        Message::User(user) => !user.says_something(),
        Message::Assistant(assistant) => !assistant.says_something(),
        Message::Results(results) => results.results.is_empty(),
        Message::Context(context) => context.text.trim().is_empty(),
    }
}

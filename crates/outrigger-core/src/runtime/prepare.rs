//! Preparing a batch: names resolved, arguments bound, rules applied. Nothing outside changes: what is opened on the
//! way is told as facts, which are written before anybody is asked and any body runs.

use std::sync::Arc;

use super::performer::Performer;
use super::prompts;
use crate::catalog::{Container, Entry, Hidden, Menu, NoArguments, Resolution, Reveal, opened};
use crate::event::EventKind;
use crate::tool::{Tool, ToolKind};
use crate::transcript::{AssistantMessage, CallResult, CallStatus, Finish, Openings, Record, Text, ToolCall};
use crate::transcript::{ContainerOpened, ContextMessage};
use crate::turn::{Outcome, Prepared, PreparedCall};

impl Performer {
    /// One entry a call, in call order; or, where an answer without calls is to be the turn's output, what it binds to.
    pub(super) fn prepare(&self, message: &AssistantMessage) -> Outcome {
        match &self.native_output {
            Some(tool) if message.calls().next().is_none() => Outcome::Output(self.bind_answer(&**tool, message)),
            _ => {
                let view = self.log.view();
                let menu = self.models.named(&message.by).menus.menu(view.openings());
                let mut batch = Batch { performer: self, openings: view.openings(), menu: &menu, facts: Vec::new() };
                let batch_of = batch.prepare(message);
                Outcome::Prepared { batch: batch_of, facts: batch.facts }
            }
        }
    }

    /// The answer as the output's canonical form, or what is wrong with it.
    fn bind_answer(&self, tool: &dyn Tool, message: &AssistantMessage) -> Result<Text, Text> {
        let plan = self.models.named(&message.by).output.as_ref().map(|item| Arc::clone(&item.plan));
        let bound = tool.bind(&message.text(), &plan.unwrap_or_default(), &self.agent.limits.binding());
        bound.map(|bound| bound.canonical().into()).map_err(|error| error.to_string().into())
    }
}

/// A batch under preparation.
struct Batch<'a> {
    performer: &'a Performer,
    /// What was open when the model was asked.
    openings: &'a Openings,
    /// What the model saw.
    menu: &'a Menu,
    /// What its calls open.
    facts: Vec<Record>,
}

impl Batch<'_> {
    fn prepare(&mut self, message: &AssistantMessage) -> Vec<Prepared> {
        // Only the call the answer broke off in can be cut; the ones before it are whole.
        let calls = message.calls().count();
        let cut_off = message.finish == Finish::Length;
        let mut prepared = Vec::with_capacity(calls);
        for (index, call) in message.calls().enumerate() {
            let is_cut = cut_off && index.saturating_add(1) == calls;
            prepared.push(if is_cut {
                settled(call, CallStatus::Truncated, prompts::truncated())
            } else {
                self.resolve(call)
            });
        }
        prepared
    }

    fn resolve(&mut self, call: &ToolCall) -> Prepared {
        let performer = self.performer;
        match performer.catalog.resolve(&call.name, self.openings, self.menu) {
            Resolution::Tool(entry) => self.bind(call, entry, false),
            Resolution::Hidden(hidden) => self.recover(call, &hidden),
            Resolution::Container(container) => self.open(call, container),
            Resolution::Unknown { nearest } => {
                settled(call, CallStatus::UnknownTool, prompts::unknown_tool(&call.name, &nearest))
            }
        }
    }

    /// A call of a container opens it.
    fn open(&mut self, call: &ToolCall, container: &Container) -> Prepared {
        let limits = self.performer.agent.limits.binding();
        let plan = outrigger_contract::WirePlan::default();
        if let Err(error) = outrigger_contract::bind::<NoArguments>(&call.arguments, &plan, &limits) {
            return settled(call, CallStatus::InvalidArguments, error.to_string());
        }
        let name = &container.name;
        if self.is_open(name) {
            return settled(call, CallStatus::Ok, prompts::already_open(name));
        }
        let closed = self.performer.catalog.closed(container, self.openings);
        let fact = self.open_all(&closed);
        settled(call, CallStatus::Ok, self.answer(container, fact.as_ref()))
    }

    /// What opening a container tells the model.
    fn answer(&self, container: &Container, fact: Option<&ContainerOpened>) -> String {
        let catalog = &self.performer.catalog;
        let result = fact.and_then(|fact| fact.result.as_deref());
        let members: Vec<(&Text, &Text)> = catalog.members(container).collect();
        match result {
            Some(result) if container.is_unlisted() => result.to_owned(),
            _ => opened(&container.name, members.into_iter(), result),
        }
    }

    /// A call of a hidden tool opens what it stands in and runs at once: no round trip is lost.
    fn recover(&mut self, call: &ToolCall, hidden: &Hidden<'_>) -> Prepared {
        let catalog = &self.performer.catalog;
        let outermost = hidden.closed.first().unwrap_or(&hidden.container);
        if !catalog.collapsing().recovery {
            return settled(call, CallStatus::UnknownTool, prompts::open_first(&call.name, &outermost.name));
        }
        self.open_all(&hidden.closed);
        self.bind(call, hidden.entry, true)
    }

    /// Opens containers that are closed, the outermost first; tells the fact of the last.
    fn open_all(&mut self, closed: &[&Container]) -> Option<ContainerOpened> {
        let mut last = None;
        for container in closed {
            if !self.is_open(&container.name) {
                let fact = self.performer.catalog.opening(container);
                self.facts.push(Record::ContainerOpened(fact.clone()));
                self.facts.extend(self.beside(&fact));
                last = Some(fact);
            }
        }
        last
    }

    /// Where the menu only grows, the instructions stand in the conversation beside what opened them.
    fn beside(&self, fact: &ContainerOpened) -> Option<Record> {
        let text = fact.instructions.clone()?;
        let grows = self.performer.catalog.collapsing().reveal == Reveal::Append;
        grows.then(|| Record::ContextMessage(ContextMessage { source: fact.container.clone(), text }))
    }

    /// Whether it is open, or is opened by an earlier call of this batch.
    fn is_open(&self, container: &str) -> bool {
        let opens = |fact: &Record| matches!(fact, Record::ContainerOpened(opened) if &*opened.container == container);
        self.openings.of(container).is_some() || self.facts.iter().any(opens)
    }

    /// A model that has not seen the tool is shown its schema when its arguments do not bind.
    fn bind(&self, call: &ToolCall, entry: &Entry, unseen: bool) -> Prepared {
        let performer = self.performer;
        let Some(item) = self.menu.item(&entry.identity) else {
            return settled(call, CallStatus::Unavailable, prompts::unavailable(&call.name));
        };
        match entry.tool.bind(&call.arguments, &item.plan, &performer.agent.limits.binding()) {
            Ok(bound) => {
                let arguments: Text = bound.canonical().into();
                performer.keep_bound(&call.id, bound);
                performer.emit_bound(call, entry, &arguments);
                let spec = entry.tool.spec();
                let (tool, gated) = (Arc::clone(&entry.identity), spec.requires_permission);
                let prepared = PreparedCall { call: call.clone(), tool, arguments, gated };
                if spec.kind == ToolKind::Output { Prepared::Output(prepared) } else { Prepared::Run(prepared) }
            }
            Err(error) if unseen => {
                let told = prompts::with_schema(&error.to_string(), &entry.name, &item.block.schema);
                settled(call, CallStatus::InvalidArguments, told)
            }
            Err(error) => settled(call, CallStatus::InvalidArguments, error.to_string()),
        }
    }
}

impl Performer {
    fn emit_bound(&self, call: &ToolCall, entry: &Entry, arguments: &Text) {
        self.emit(
            || Some(call.id.as_str().into()),
            || EventKind::ToolCallBound {
                call: call.id.clone(),
                tool: Arc::clone(&entry.identity),
                arguments: Arc::clone(arguments),
            },
        );
    }
}

fn settled(call: &ToolCall, status: CallStatus, text: impl Into<Text>) -> Prepared {
    Prepared::Settled(Arc::new(CallResult::text(call, status, text)))
}

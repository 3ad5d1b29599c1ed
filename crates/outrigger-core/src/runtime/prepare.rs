//! Preparing a batch: names resolved, arguments bound, rules applied. Nothing outside changes.

use std::sync::Arc;

use super::performer::Performer;
use super::prompts;
use crate::catalog::{Entry, Menu, Resolution};
use crate::event::EventKind;
use crate::tool::{Tool, ToolKind};
use crate::transcript::{AssistantMessage, CallResult, CallStatus, Finish, Text, ToolCall};
use crate::turn::{Outcome, Prepared, PreparedCall};

impl Performer {
    /// One entry a call, in call order; or, where an answer without calls is to be the turn's output, what it binds to.
    pub(super) fn prepare(&self, message: &AssistantMessage) -> Outcome {
        match &self.native_output {
            Some(tool) if message.calls().next().is_none() => Outcome::Output(self.bind_answer(&**tool, message)),
            _ => Outcome::Prepared(self.prepare_calls(message)),
        }
    }

    /// The answer as the output's canonical form, or what is wrong with it.
    fn bind_answer(&self, tool: &dyn Tool, message: &AssistantMessage) -> Result<Text, Text> {
        let plan = self.models.named(&message.by).output.as_ref().map(|item| Arc::clone(&item.plan));
        let bound = tool.bind(&message.text(), &plan.unwrap_or_default(), &self.agent.limits.binding());
        bound.map(|bound| bound.canonical().into()).map_err(|error| error.to_string().into())
    }

    fn prepare_calls(&self, message: &AssistantMessage) -> Vec<Prepared> {
        let menu = &self.models.named(&message.by).menu;
        // Only the call the answer broke off in can be cut; the ones before it are whole.
        let calls = message.calls().count();
        let cut_off = message.finish == Finish::Length;
        let mut prepared = Vec::with_capacity(calls);
        for (index, call) in message.calls().enumerate() {
            let is_cut = cut_off && index.saturating_add(1) == calls;
            prepared.push(if is_cut {
                settled(call, CallStatus::Truncated, prompts::truncated())
            } else {
                self.bind(call, menu)
            });
        }
        prepared
    }

    fn bind(&self, call: &ToolCall, menu: &Menu) -> Prepared {
        let entry = match self.catalog.resolve(&call.name) {
            Resolution::Tool(entry) => entry,
            Resolution::Unknown { nearest } => {
                return settled(call, CallStatus::UnknownTool, prompts::unknown_tool(&call.name, &nearest));
            }
        };
        let Some(item) = menu.item(&entry.identity) else {
            return settled(call, CallStatus::Unavailable, prompts::unavailable(&call.name));
        };
        match entry.tool.bind(&call.arguments, &item.plan, &self.agent.limits.binding()) {
            Ok(bound) => {
                let arguments: Text = bound.canonical().into();
                self.keep_bound(&call.id, bound);
                self.emit_bound(call, entry, &arguments);
                let spec = entry.tool.spec();
                let (tool, gated) = (Arc::clone(&entry.identity), spec.requires_permission);
                let prepared = PreparedCall { call: call.clone(), tool, arguments, gated };
                if spec.kind == ToolKind::Output { Prepared::Output(prepared) } else { Prepared::Run(prepared) }
            }
            Err(error) => settled(call, CallStatus::InvalidArguments, error.to_string()),
        }
    }

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

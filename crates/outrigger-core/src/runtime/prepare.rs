//! Preparing a batch: names resolved, arguments bound, rules applied. Nothing outside changes.

use std::sync::Arc;

use super::performer::Performer;
use super::prompts;
use crate::catalog::{Entry, Resolution};
use crate::event::EventKind;
use crate::tool::ToolKind;
use crate::transcript::{AssistantMessage, CallResult, CallStatus, Finish, Text, ToolCall};
use crate::turn::{Prepared, PreparedCall};

impl Performer {
    /// One entry a call, in call order.
    pub(super) fn prepare(&self, message: &AssistantMessage) -> Vec<Prepared> {
        // Only the call the answer broke off in can be cut; the ones before it are whole.
        let calls = message.calls().count();
        let cut_off = message.finish == Finish::Length;
        let mut prepared = Vec::with_capacity(calls);
        for (index, call) in message.calls().enumerate() {
            let is_cut = cut_off && index.saturating_add(1) == calls;
            prepared.push(if is_cut {
                settled(call, CallStatus::Truncated, prompts::truncated())
            } else {
                self.bind(call)
            });
        }
        prepared
    }

    fn bind(&self, call: &ToolCall) -> Prepared {
        let entry = match self.catalog.resolve(&call.name) {
            Resolution::Tool(entry) => entry,
            Resolution::Unknown { nearest } => {
                return settled(call, CallStatus::UnknownTool, prompts::unknown_tool(&call.name, &nearest));
            }
        };
        let Some(item) = self.menu.item(&entry.identity) else {
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

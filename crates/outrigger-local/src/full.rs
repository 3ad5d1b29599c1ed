//! The profile for larger models: they choose between words and calls themselves, and write their own answers.
//!
//! The model speaks freely until it opens a call; from there to the close of the call its output is the grammar's.

use std::sync::Arc;

use serde_json::Value;

use crate::arguments::{Decoding, Limits};
use crate::conversation::{Call, Conversation, Delta, Message, Origin, Reply, TextPart, ToolView, Usage};
use crate::engine::Engine;
use crate::error::LocalError;
use crate::session::{Purpose, Sink, tell};
use crate::template::{Role, Turn};
use crate::text::Wish;
use crate::{names, prompts, text};

/// Room for an answer behind the prompt, in tokens.
const ROOM: usize = 256;

/// Calls of one reply, at most.
const MOST_CALLS: usize = 8;

pub(crate) fn respond(
    engine: &mut Engine,
    conversation: &Conversation,
    views: &[ToolView<'_>],
    sink: &mut Sink<'_>,
) -> Result<Reply, LocalError> {
    let mut reply = Reply::default();
    let fixed = fixed_turns(&conversation.system, views);
    let length = fixed.len();
    engine.prompt(Purpose::Choice, &turns(conversation, fixed), length, ROOM, &mut reply.usage, sink)?;
    let tokenizer = Arc::clone(&engine.tokenizer);
    let mut said = String::new();
    loop {
        let spoken = reply.usage.generated;
        let room = engine.info().window.saturating_sub(engine.session.tokens().len());
        let limit = engine.max_tokens.saturating_sub(spoken).min(room);
        let mut speech = Speech { listens: !views.is_empty(), ..Speech::default() };
        reply.end =
            text::decode(&mut engine.session, &tokenizer, limit, &mut reply.usage, sink, &mut |piece, sink| {
                let (shown, wish) = speech.hear(piece);
                // White space between calls is no text.
                if !(if said.is_empty() { shown.trim() } else { shown.as_str() }).is_empty() {
                    tell(sink, Delta::Text { text: &shown, origin: Origin::Model })?;
                    said.push_str(&shown);
                }
                Ok(wish)
            })?;
        if !speech.opened {
            let rest = std::mem::take(&mut speech.held);
            if !rest.is_empty() {
                tell(sink, Delta::Text { text: &rest, origin: Origin::Model })?;
                said.push_str(&rest);
            }
            break;
        }
        let call = call(engine, views, reply.calls.len(), &mut reply.usage, sink)?;
        reply.calls.push(call);
        if reply.calls.len() == MOST_CALLS {
            break;
        }
    }
    if !said.is_empty() {
        reply.text.push(TextPart { text: said, origin: Origin::Model });
    }
    Ok(reply)
}

/// The part of the prompt that is the same for every conversation: the instructions of the host, and the tools.
pub(crate) fn fixed_turns(system: &str, views: &[ToolView<'_>]) -> Vec<Turn> {
    let mut system = system.trim().to_owned();
    if !views.is_empty() {
        let signatures: String = views.iter().map(signature).collect();
        if !system.is_empty() {
            system.push_str("\n\n");
        }
        system.push_str(&prompts::full_tools(&signatures));
    }
    if system.is_empty() { Vec::new() } else { vec![(Role::System, system)] }
}

fn turns(conversation: &Conversation, mut turns: Vec<Turn>) -> Vec<Turn> {
    turns.extend(conversation.messages.iter().map(|message| match message {
        Message::User(text) => (Role::User, text.clone()),
        Message::Results(results) => (Role::User, prompts::full_results(results)),
        Message::Assistant { text, calls } => {
            let calls = calls.iter().map(prompts::full_call);
            let parts = std::iter::once(text.clone()).filter(|t| !t.is_empty()).chain(calls);
            (Role::Assistant, parts.collect::<Vec<_>>().join("\n"))
        }
    }));
    turns
}

/// A tool in the form that models were trained on: one line of JSON.
fn signature(view: &ToolView<'_>) -> String {
    let schema: Value = serde_json::from_str(view.schema).unwrap_or_default();
    let function = serde_json::json!({ "name": view.name, "description": view.description, "parameters": schema });
    format!("{}\n", serde_json::json!({ "type": "function", "function": function }))
}

/// What is heard of the model's free text: it is held back as long as it may be the mark that opens a call.
#[derive(Debug, Default)]
struct Speech {
    listens: bool,
    held: String,
    opened: bool,
}

impl Speech {
    /// Takes a piece; returns the text that can be shown, and whether to go on.
    fn hear(&mut self, piece: &str) -> (String, Wish) {
        self.held.push_str(piece);
        if !self.listens {
            return (std::mem::take(&mut self.held), Wish::More);
        }
        if let Some(at) = self.held.find(prompts::CALL_OPEN) {
            self.opened = true;
            self.held.truncate(at);
            return (std::mem::take(&mut self.held), Wish::Stop);
        }
        let may_open = (0..self.held.len())
            .filter(|&at| self.held.is_char_boundary(at))
            .find(|&at| self.held.get(at..).is_some_and(|tail| prompts::CALL_OPEN.starts_with(tail)));
        let kept = self.held.split_off(may_open.unwrap_or(self.held.len()));
        (std::mem::replace(&mut self.held, kept), Wish::More)
    }
}

/// Decodes a call whose opening mark has been read, up to and with its closing mark.
pub(crate) fn call(
    engine: &mut Engine,
    views: &[ToolView<'_>],
    index: usize,
    usage: &mut Usage,
    sink: &mut Sink<'_>,
) -> Result<Call, LocalError> {
    feed(engine, "\n{\"name\": \"", usage, sink)?;
    let alternatives: Vec<Vec<u32>> =
        views.iter().map(|view| engine.tokenizer.encode_plain(&format!("{}\"", view.name))).collect();
    let scores = names::score(&mut engine.session, &alternatives, sink)?;
    let best = views.iter().zip(scores).max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(view, _)| view);
    let view = best.ok_or_else(|| LocalError::Grammar {
        // Not reached: calls are listened for only where there are tools.
        tool: String::new(),
        reason: "there are no tools to call".to_owned(),
    })?;
    tell(sink, Delta::CallStarted { index, name: view.name })?;
    feed(engine, &format!("{}\", \"arguments\":", view.name), usage, sink)?;

    let schema: Value = serde_json::from_str(view.schema).map_err(|e| LocalError::Grammar {
        tool: view.name.to_owned(),
        reason: format!("its schema is not JSON: {e}"),
    })?;
    let grammar = engine.grammars.arguments(view.name, &schema)?;
    let tokenizer = Arc::clone(&engine.tokenizer);
    let mut decoding = Decoding {
        session: &mut engine.session,
        tokenizer: &tokenizer,
        tool: view.name,
        spans: None,
        limits: Limits::FULL,
        usage,
    };
    let mut show = |json: &str, sink: &mut Sink<'_>| tell(sink, Delta::Arguments { index, json });
    let arguments = decoding.run(grammar, &mut show, sink)?;
    feed(engine, &format!("}}\n{}", prompts::CALL_CLOSE), usage, sink)?;
    Ok(Call { name: view.name.to_owned(), arguments })
}

/// Feeds text that the form of a call prescribes. Marks that the vocabulary has as single tokens are fed as such.
fn feed(engine: &mut Engine, text: &str, usage: &mut Usage, sink: &mut Sink<'_>) -> Result<(), LocalError> {
    let tokens = engine.tokenizer.encode_marked(text);
    usage.generated += tokens.len();
    usage.forced += tokens.len();
    engine.session.feed(&tokens, sink)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_shown_at_once_unless_it_may_open_a_call() {
        let mut speech = Speech { listens: true, ..Speech::default() };
        assert_eq!(speech.hear("Let me see. <to"), ("Let me see. ".to_owned(), Wish::More));
        assert_eq!(speech.hear("ken> "), ("<token> ".to_owned(), Wish::More));
        assert_eq!(speech.hear("<tool_"), (String::new(), Wish::More));
        assert_eq!(speech.hear("call>\n"), (String::new(), Wish::Stop));
        assert!(speech.opened);
    }
}

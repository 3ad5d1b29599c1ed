//! From streamed parts to one whole message.

use std::sync::Arc;

use super::error::{ModelError, ModelErrorKind};
use super::part::Part;
use crate::transcript::{
    AssistantMessage, AssistantPart, CallId, Finish, ModelName, ModelResponse, Opaque, Text, ToolCall, Usage,
};

/// Collects the parts of one answer. Text of one kind in a row becomes one part; calls stand where they began.
pub(crate) struct Assembler {
    by: ModelName,
    parts: Vec<Building>,
    usage: Usage,
    finish: Option<Finish>,
}

enum Building {
    Text(String),
    Quoted(String),
    Reasoning(String),
    Call { index: usize, id: CallId, name: Text, arguments: String },
    Opaque(Opaque),
}

impl Assembler {
    pub(crate) fn new(by: ModelName) -> Self {
        Self { by, parts: Vec::new(), usage: Usage::default(), finish: None }
    }

    /// Adds a part. `make_id` is asked for the id of a new call, given the provider's if this answer has no other call
    /// of that id, and the number of calls before it.
    pub(crate) fn push(
        &mut self,
        part: &Part,
        make_id: impl FnOnce(Option<&CallId>, usize) -> CallId,
    ) -> Result<(), ModelError> {
        match part {
            Part::Text(text) => self.grow(
                text,
                |part| match part {
                    Building::Text(so_far) => Some(so_far),
                    _ => None,
                },
                Building::Text,
            ),
            Part::Quoted(text) => self.grow(
                text,
                |part| match part {
                    Building::Quoted(so_far) => Some(so_far),
                    _ => None,
                },
                Building::Quoted,
            ),
            Part::Reasoning(text) => self.grow(
                text,
                |part| match part {
                    Building::Reasoning(so_far) => Some(so_far),
                    _ => None,
                },
                Building::Reasoning,
            ),
            Part::CallStarted { index, id, name } => {
                let given = id.as_ref().filter(|id| !self.has_call(id));
                let id = make_id(given, self.call_count());
                self.parts.push(Building::Call { index: *index, id, name: Arc::clone(name), arguments: String::new() });
            }
            Part::CallArguments { index, delta } => match self.call(*index) {
                Some((_, arguments)) => arguments.push_str(delta),
                None => return Err(unknown_call(*index)),
            },
            Part::Opaque(opaque) => self.parts.push(Building::Opaque(opaque.clone())),
            Part::Alive => {}
            Part::Usage(usage) => self.usage = *usage,
            Part::Finish(finish) => self.finish = Some(*finish),
        }
        Ok(())
    }

    /// The id that a call of this index was given.
    pub(crate) fn call_id(&mut self, index: usize) -> Option<CallId> {
        self.call(index).map(|(id, _)| id.clone())
    }

    /// Whether the model has said why it stopped.
    pub(crate) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// The whole answer.
    pub(crate) fn finish(self) -> ModelResponse {
        let finish = self.finish.unwrap_or(Finish::Unfinished);
        let partial = self.finish.is_none();
        let parts = self.parts.into_iter().map(Building::done).collect();
        let message = Arc::new(AssistantMessage { parts, by: self.by, finish, partial });
        ModelResponse { message, usage: self.usage }
    }

    /// Whether nothing was streamed yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    fn grow(
        &mut self,
        text: &str,
        same: impl FnOnce(&mut Building) -> Option<&mut String>,
        new: impl FnOnce(String) -> Building,
    ) {
        match self.parts.last_mut().and_then(same) {
            Some(so_far) => so_far.push_str(text),
            None if text.is_empty() => {}
            None => self.parts.push(new(text.to_owned())),
        }
    }

    fn call(&mut self, wanted: usize) -> Option<(&CallId, &mut String)> {
        self.parts.iter_mut().rev().find_map(|part| match part {
            Building::Call { index, id, arguments, .. } if *index == wanted => Some((&*id, arguments)),
            _ => None,
        })
    }

    fn has_call(&self, wanted: &CallId) -> bool {
        self.parts.iter().any(|part| matches!(part, Building::Call { id, .. } if id == wanted))
    }

    fn call_count(&self) -> usize {
        self.parts.iter().filter(|part| matches!(part, Building::Call { .. })).count()
    }
}

impl Building {
    fn done(self) -> AssistantPart {
        match self {
            Self::Text(text) => AssistantPart::Text(text.into()),
            Self::Quoted(text) => AssistantPart::Quoted(text.into()),
            Self::Reasoning(text) => AssistantPart::Reasoning(text.into()),
            Self::Call { id, name, arguments, .. } => {
                AssistantPart::Call(ToolCall { id, name, arguments: arguments.into() })
            }
            Self::Opaque(opaque) => AssistantPart::Opaque(opaque),
        }
    }
}

fn unknown_call(index: usize) -> ModelError {
    ModelError::new(ModelErrorKind::Stream, format!("the stream adds arguments to call {index}, which it never began"))
}

#[cfg(test)]
mod tests {
    use super::*;

    // M3: ids that a server repeats or leaves out never make two calls of one id.
    #[test]
    fn calls_of_one_answer_have_ids_of_their_own() {
        let mut assembler = Assembler::new(ModelName { provider: "p".into(), model: "m".into() });
        for (index, id) in [Some("a"), Some("a"), None].into_iter().enumerate() {
            let started = Part::CallStarted { index, id: id.map(CallId::from), name: "tool".into() };
            let make = |given: Option<&CallId>, count| {
                given.cloned().unwrap_or_else(|| format!("made{count}").as_str().into())
            };
            assembler.push(&started, make).unwrap();
        }
        let response = assembler.finish();
        let ids: Vec<&str> = response.message.calls().map(|call| call.id.as_str()).collect();
        assert_eq!(ids, ["a", "made1", "made2"]);
    }
}

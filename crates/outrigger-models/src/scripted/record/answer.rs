//! One attempt as one step.

use outrigger_core::model::{ModelError, Part};
use outrigger_core::transcript::{Finish, Usage};

use crate::scripted::script::{ScriptCall, ScriptFault, ScriptOpaque, ScriptPart, ScriptStep};

/// What an attempt streamed so far. Text of one kind in a row is one piece; calls stand where they began.
#[derive(Default)]
pub(super) struct Answer {
    pieces: Vec<Piece>,
    usage: Option<Usage>,
    finish: Option<Finish>,
}

enum Piece {
    Text(String),
    Quoted(String),
    Reasoning(String),
    Call { index: usize, id: Option<String>, name: String, arguments: String },
    Opaque(ScriptOpaque),
}

/// How an attempt ended.
pub(super) enum End {
    /// Its stream ended.
    Closed,
    /// Nobody heard its end.
    BrokenOff,
    /// It failed.
    Failed(ScriptFault),
}

impl End {
    pub(super) fn failed(error: &ModelError) -> Self {
        Self::Failed(ScriptFault {
            status: None,
            kind: Some(error.kind().as_str().to_owned()),
            message: error.to_string(),
            retry_after_ms: error.retry_after().map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
        })
    }
}

impl Answer {
    pub(super) fn push(&mut self, part: &Part) {
        match part {
            Part::Text(text) => self.grow(text, Piece::text, Piece::Text),
            Part::Quoted(text) => self.grow(text, Piece::quoted, Piece::Quoted),
            Part::Reasoning(text) => self.grow(text, Piece::reasoning, Piece::Reasoning),
            Part::CallStarted { index, id, name } => self.pieces.push(Piece::Call {
                index: *index,
                id: id.as_ref().map(|id| id.as_str().to_owned()),
                name: name.to_string(),
                arguments: String::new(),
            }),
            Part::CallArguments { index, delta } => {
                if let Some(arguments) = self.arguments(*index) {
                    arguments.push_str(delta);
                }
            }
            Part::Opaque(opaque) => self
                .pieces
                .push(Piece::Opaque(ScriptOpaque { kind: opaque.kind.to_string(), bytes: opaque.bytes.to_string() })),
            Part::Usage(usage) => self.usage = Some(*usage),
            Part::Finish(finish) => self.finish = Some(*finish),
            // A sign of life says nothing.
            _ => {}
        }
    }

    /// The step that streams the same.
    pub(super) fn step(self, end: End) -> ScriptStep {
        match (end, self.finish) {
            (End::Failed(fault), _) => {
                ScriptStep { parts: parts(self.pieces), error: Some(fault), ..ScriptStep::default() }
            }
            (End::Closed, Some(finish)) => whole(self.pieces, self.usage, finish),
            (End::Closed | End::BrokenOff, _) => {
                let mut parts = parts(self.pieces);
                parts.push(ScriptPart::Drop(true));
                ScriptStep { parts, ..ScriptStep::default() }
            }
        }
    }

    fn grow(
        &mut self,
        text: &str,
        same: impl FnOnce(&mut Piece) -> Option<&mut String>,
        new: impl FnOnce(String) -> Piece,
    ) {
        match self.pieces.last_mut().and_then(same) {
            Some(so_far) => so_far.push_str(text),
            None if text.is_empty() => {}
            None => self.pieces.push(new(text.to_owned())),
        }
    }

    fn arguments(&mut self, wanted: usize) -> Option<&mut String> {
        self.pieces.iter_mut().rev().find_map(|piece| match piece {
            Piece::Call { index, arguments, .. } if *index == wanted => Some(arguments),
            _ => None,
        })
    }
}

impl Piece {
    fn text(&mut self) -> Option<&mut String> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn quoted(&mut self) -> Option<&mut String> {
        match self {
            Self::Quoted(text) => Some(text),
            _ => None,
        }
    }

    fn reasoning(&mut self) -> Option<&mut String> {
        match self {
            Self::Reasoning(text) => Some(text),
            _ => None,
        }
    }

    fn is_call(&self) -> bool {
        matches!(self, Self::Call { .. })
    }
}

/// An answer that came to its end: a text and calls after it stand as such, what comes before them as parts.
fn whole(mut pieces: Vec<Piece>, usage: Option<Usage>, finish: Finish) -> ScriptStep {
    let default = if pieces.iter().any(Piece::is_call) { Finish::Calls } else { Finish::Stop };
    let calls_from = pieces.iter().rposition(|piece| !piece.is_call()).map_or(0, |last| last.saturating_add(1));
    let calls = pieces.split_off(calls_from);
    let text = match pieces.pop() {
        Some(Piece::Text(text)) => Some(text),
        Some(other) => {
            pieces.push(other);
            None
        }
        None => None,
    };
    // An answer of nothing says at least that it ended.
    let silent = pieces.is_empty() && calls.is_empty() && text.is_none();
    ScriptStep {
        parts: parts(pieces),
        text,
        calls: calls.into_iter().filter_map(call).collect(),
        finish: Some(finish).filter(|finish| silent || *finish != default),
        usage: usage.map(Into::into),
        ..ScriptStep::default()
    }
}

fn call(piece: Piece) -> Option<ScriptCall> {
    match piece {
        Piece::Call { id, name, arguments, .. } => Some(ScriptCall::written(id, name, arguments)),
        _ => None,
    }
}

fn parts(pieces: Vec<Piece>) -> Vec<ScriptPart> {
    let part = |piece| match piece {
        Piece::Text(text) => ScriptPart::Text(text),
        Piece::Quoted(text) => ScriptPart::Quoted(text),
        Piece::Reasoning(text) => ScriptPart::Reasoning(text),
        Piece::Opaque(opaque) => ScriptPart::Opaque(opaque),
        Piece::Call { id, name, arguments, .. } => ScriptPart::Call(ScriptCall::written(id, name, arguments)),
    };
    pieces.into_iter().map(part).collect()
}

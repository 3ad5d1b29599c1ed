//! From pieces of calls to calls, whatever a server leaves out, repeats or gets wrong.

use std::borrow::Cow;
use std::collections::HashMap;

use outrigger_core::model::Part;
use serde_json::value::RawValue;

use super::chunk::Function;
use super::finish;
use super::text::Word;
use crate::wire::arguments::without_lone_surrogates;

/// The most calls an answer may have.
pub(super) const MOST_CALLS: usize = 1024;

/// The calls of one answer.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    by_index: HashMap<u64, usize>,
    /// The call that the last piece belonged to.
    last: Option<usize>,
}

/// One call. Its arguments are passed on as they come; only how far they are is kept.
#[derive(Debug, Default)]
struct Call {
    id: String,
    name: String,
    index: Option<u64>,
    progress: Progress,
    /// Whether its start was told. It waits for the arguments: until then the name may go on and an id may come.
    started: bool,
    /// A piece had its name once more and nothing else, when its arguments were complete: another call of the same
    /// name, if arguments follow.
    named_again: bool,
}

/// A piece of a call.
#[derive(Clone, Copy, Debug)]
struct Piece<'a> {
    index: Option<u64>,
    id: Option<&'a str>,
    name: Option<&'a str>,
    has_arguments: bool,
}

/// An answer has more calls than [`MOST_CALLS`].
#[derive(Debug)]
pub(super) struct TooMany;

impl Calls {
    /// Takes a piece in. Returns which call it belongs to, and how many bytes it has.
    pub(super) fn push(
        &mut self,
        index: Option<u64>,
        id: &Word<'_>,
        function: &Function<'_>,
        out: &mut Vec<Part>,
    ) -> Result<(usize, usize), TooMany> {
        let arguments = function.arguments.map_or(Cow::Borrowed(""), arguments);
        let has_arguments = !arguments.trim().is_empty();
        let piece = Piece { index, id: id.get(), name: function.name.get(), has_arguments };
        let at = match self.route(piece) {
            Some(at) => at,
            None => self.open(piece, out)?,
        };
        self.last = Some(at);
        if let Some(call) = self.calls.get_mut(at) {
            call.take(at, piece, &arguments, out);
        }
        let lens = [piece.id, piece.name].map(|text| text.map_or(0, str::len));
        Ok((at, lens.into_iter().fold(arguments.len(), usize::saturating_add)))
    }

    /// Tells what was held back.
    pub(super) fn finish(&mut self, out: &mut Vec<Part>) -> finish::Calls {
        for (at, call) in self.calls.iter_mut().enumerate() {
            call.start(at, out);
        }
        match self.calls.last() {
            None => finish::Calls::None,
            Some(call) if call.progress.is_cut() => finish::Calls::Cut,
            Some(_) => finish::Calls::Whole,
        }
    }

    /// The call that a piece goes on with; `None`: a new one. A new call starts when a new explicit index comes, or a
    /// different non-empty id, or a name while the current arguments are complete (the spec's M3).
    fn route(&mut self, piece: Piece<'_>) -> Option<usize> {
        let at = match piece.index {
            Some(index) => *self.by_index.get(&index)?,
            None => self.last?,
        };
        let call = self.calls.get_mut(at)?;
        if let Some(id) = piece.id {
            // An id may come late, but not together with a name when the arguments have begun.
            let is_late = call.id.is_empty() && !(piece.name.is_some() && call.started);
            if is_late || call.id == id {
                return Some(at);
            }
            // Pieces of calls that the server writes at the same time under one index.
            let same = |call: &Call| call.id == id && (piece.index.is_none() || call.index == piece.index);
            return self.calls.iter().rposition(same);
        }
        match piece.name {
            Some(name) if call.progress.is_complete() => {
                call.named_again = !piece.has_arguments && call.name == name;
                call.named_again.then_some(at)
            }
            None if call.named_again && piece.has_arguments => None,
            _ => Some(at),
        }
    }

    fn open(&mut self, piece: Piece<'_>, out: &mut Vec<Part>) -> Result<usize, TooMany> {
        let at = self.calls.len();
        if at >= MOST_CALLS {
            return Err(TooMany);
        }
        // What stands before a new call has its name by now.
        for (at, call) in self.calls.iter_mut().enumerate().filter(|(_, call)| !call.name.is_empty()) {
            call.start(at, out);
        }
        let again = self.last.and_then(|last| self.calls.get_mut(last)).filter(|call| call.named_again);
        let name = match again {
            Some(before) if piece.name.is_none() => {
                before.named_again = false;
                before.name.clone()
            }
            _ => String::new(),
        };
        self.calls.push(Call { index: piece.index, name, ..Call::default() });
        if let Some(index) = piece.index {
            self.by_index.insert(index, at);
        }
        Ok(at)
    }
}

impl Call {
    fn take(&mut self, at: usize, piece: Piece<'_>, arguments: &str, out: &mut Vec<Part>) {
        if let Some(id) = piece.id.filter(|_| self.id.is_empty()) {
            self.id.push_str(id);
        }
        if let Some(name) = piece.name.filter(|_| !self.started) {
            self.grow_name(name);
        }
        if piece.has_arguments || (self.started && !arguments.is_empty()) {
            self.start(at, out);
            self.progress.read(arguments);
            out.push(Part::CallArguments { index: at, delta: arguments.into() });
        }
    }

    /// Names come whole, once more, in pieces, or each time longer.
    fn grow_name(&mut self, name: &str) {
        if self.name == name {
        } else if name.len() > self.name.len() && name.starts_with(&self.name) {
            name.clone_into(&mut self.name);
        } else {
            self.name.push_str(name);
        }
    }

    fn start(&mut self, at: usize, out: &mut Vec<Part>) {
        if !self.started {
            self.started = true;
            let id = (!self.id.is_empty()).then(|| self.id.as_str().into());
            out.push(Part::CallStarted { index: at, id, name: self.name.as_str().into() });
        }
    }
}

/// How far a JSON text is, byte by byte: enough to know whether it was cut off, whatever its length.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    began: bool,
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl Progress {
    fn read(&mut self, json: &str) {
        for byte in json.bytes() {
            if self.in_text {
                self.in_text = self.escaped || byte != b'"';
                self.escaped = !self.escaped && byte == b'\\';
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => continue,
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth = self.depth.saturating_add(1),
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.began = true;
        }
    }

    /// Whether nothing is open in it.
    fn is_complete(self) -> bool {
        self.began && self.depth == 0 && !self.in_text
    }

    /// Whether it ends in the middle.
    fn is_cut(self) -> bool {
        self.began && !self.is_complete()
    }
}

/// The raw text of arguments: what a text says, or JSON as it stands.
fn arguments(raw: &RawValue) -> Cow<'_, str> {
    let json = raw.get();
    if !json.starts_with('"') {
        return Cow::Borrowed(json);
    }
    match serde_json::from_str::<Word<'_>>(json) {
        Ok(text) => text.into_text(),
        Err(_) => Cow::Owned(serde_json::from_str(&without_lone_surrogates(json)).unwrap_or_default()),
    }
}

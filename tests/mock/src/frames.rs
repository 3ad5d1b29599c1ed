//! What is sent, and when.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use outrigger_models::scripted::{ScriptCall, ScriptStep};

/// What is sent, and when.
pub(crate) struct Frames(VecDeque<Frame>);

pub(crate) enum Frame {
    Send(Bytes),
    Wait(Duration),
    /// The connection breaks.
    Drop,
}

impl Frames {
    pub(crate) fn new() -> Self {
        Self(VecDeque::new())
    }

    pub(crate) fn send(&mut self, text: String) {
        self.0.push_back(Frame::Send(Bytes::from(text)));
    }

    pub(crate) fn wait(&mut self, milliseconds: u64) {
        self.0.push_back(Frame::Wait(Duration::from_millis(milliseconds)));
    }

    pub(crate) fn drop(&mut self) {
        self.0.push_back(Frame::Drop);
    }

    pub(crate) fn next(&mut self) -> Option<Frame> {
        self.0.pop_front()
    }
}

/// The argument text of a call as the model writes it.
pub(crate) fn arguments(call: &ScriptCall) -> String {
    let raw = call.arguments.get();
    serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned())
}

/// The id of a call, made up where absent; unique in the answer.
pub(crate) fn id(call: &ScriptCall, index: usize, prefix: &str) -> String {
    call.id.clone().unwrap_or_else(|| format!("{prefix}{index}"))
}

/// Text as it may be streamed: in pieces of a few characters.
pub(crate) fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(7).map(|chunk| chunk.iter().collect()).collect()
}

/// The word a wire has for why the model stopped, by what the step says, else by its content.
pub(crate) fn finish(step: &ScriptStep, words: [&'static str; 4]) -> &'static str {
    use outrigger_core::transcript::Finish;
    let [stop, calls, length, refused] = words;
    match step.finish {
        Some(Finish::Calls) => calls,
        Some(Finish::Length) => length,
        Some(Finish::Refused) => refused,
        Some(_) => stop,
        None if step.calls.is_empty() => stop,
        None => calls,
    }
}

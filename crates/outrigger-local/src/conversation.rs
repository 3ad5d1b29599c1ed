//! What the engine is given and what it gives back.

use std::time::Duration;

/// A conversation so far. It ends with what the model is to react to: a user's text, or results of its calls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    /// The instructions of the host, possibly empty.
    pub system: String,
    /// The messages, oldest first.
    pub messages: Vec<Message>,
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// What the user said.
    User(String),
    /// What the model said, and what it called.
    Assistant {
        /// Its text, possibly empty.
        text: String,
        /// Its calls, possibly none.
        calls: Vec<Call>,
    },
    /// The results of the calls before it, in their order.
    Results(Vec<ToolResult>),
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The tool's name.
    pub name: String,
    /// The arguments, as the text of a JSON object.
    pub arguments: String,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// The tool that was called.
    pub name: String,
    /// How it ended.
    pub status: Status,
    /// What the model is shown.
    pub content: String,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It did what was asked.
    Done,
    /// It failed; the content says why.
    Failed,
    /// It only opened a menu: the question still stands, and is put again with the tools that are visible now.
    Opened,
}

/// A tool as the model is shown it.
#[derive(Debug, Clone, Copy)]
pub struct ToolView<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it does; the first sentence counts.
    pub description: &'a str,
    /// The closed JSON Schema (2020-12) of its arguments, as text.
    pub schema: &'a str,
    /// Worked examples. Four or more of them, in varied words, decide how well a small model uses the tool.
    pub examples: &'a [WorkedExample],
}

/// A question and the arguments that a tool should be called with for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkedExample {
    /// What somebody might say.
    pub ask: String,
    /// The arguments, as the text of a JSON object.
    pub arguments: String,
}

/// Who wrote a piece of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The model.
    Model,
    /// The adapter: a tool's result, put first and word for word, since a small model cannot be trusted to repeat it.
    Adapter,
}

/// A piece of an answer's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPart {
    /// The text.
    pub text: String,
    /// Who wrote it.
    pub origin: Origin,
}

/// What happens while the engine works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delta<'a> {
    /// A chunk of the prompt or a token is about to be computed. Nothing to show: the moment to cancel.
    Working,
    /// More of the answer.
    Text {
        /// The text to append.
        text: &'a str,
        /// Who wrote it.
        origin: Origin,
    },
    /// A call begins.
    CallStarted {
        /// Which one of this reply, from 0.
        index: usize,
        /// The tool.
        name: &'a str,
    },
    /// More of the arguments of a call.
    Arguments {
        /// Which call.
        index: usize,
        /// JSON text to append.
        json: &'a str,
    },
}

/// What the model answered: text, calls, or text and then calls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// The text, in parts by origin.
    pub text: Vec<TextPart>,
    /// The calls.
    pub calls: Vec<Call>,
    /// Why it ended.
    pub end: End,
    /// Tokens used.
    pub usage: Usage,
    /// Time used.
    pub timings: Timings,
}

impl Reply {
    /// The whole text.
    pub fn full_text(&self) -> String {
        self.text.iter().map(|part| part.text.as_str()).collect()
    }
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// The model had finished.
    #[default]
    Complete,
    /// The limit of generated tokens was reached.
    Limit,
}

/// Tokens used by a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens of all prompts, those taken from a cache included.
    pub prompt: usize,
    /// Of these, tokens taken from a cache.
    pub cached: usize,
    /// Tokens of the reply, those forced by a grammar included.
    pub generated: usize,
    /// Of these, tokens forced by a grammar.
    pub forced: usize,
}

/// Time used by a reply.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Timings {
    /// Until the first text or the first byte of a call.
    pub first_output: Duration,
    /// In all.
    pub total: Duration,
}

impl Timings {
    /// Generated tokens a second after the first output.
    pub fn tokens_per_second(&self, usage: &Usage) -> f64 {
        let seconds = self.total.saturating_sub(self.first_output).as_secs_f64();
        #[allow(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
        if seconds > 0.0 { usage.generated as f64 / seconds } else { 0.0 }
    }
}

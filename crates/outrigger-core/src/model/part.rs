//! What a model's stream is made of.

use crate::transcript::{CallId, Finish, Opaque, Text, Usage};

/// One part of a streamed answer, in no provider's words. A wire's quirks end in its provider module: here an index
/// names one call from its start to its last fragment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Part {
    /// The model wrote text.
    Text(Text),
    /// The adapter set text, such as a tool result before a small model's own words.
    Quoted(Text),
    /// The model wrote reasoning.
    Reasoning(Text),
    /// A call begins.
    CallStarted {
        /// Which of the answer's calls.
        index: usize,
        /// The provider's id; `None`: one is made up.
        id: Option<CallId>,
        /// The name the model used.
        name: Text,
    },
    /// A call's argument text goes on.
    CallArguments {
        /// Which of the answer's calls.
        index: usize,
        /// What is added to the raw text.
        delta: Text,
    },
    /// What only the provider understands.
    Opaque(Opaque),
    /// The provider is still there and said nothing yet: its headers, a ping, an event without content. Time-outs begin
    /// anew.
    Alive,
    /// Tokens so far; the last one counts.
    Usage(Usage),
    /// Why the model stopped. A stream that ends without it was cut off.
    Finish(Finish),
}

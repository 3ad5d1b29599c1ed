//! What can go wrong with the local model, in the words a user can act on.

use std::path::PathBuf;

/// An error of the local model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocalError {
    /// The file cannot be opened, or is no GGUF file.
    #[error("cannot read {} as a GGUF model: {reason}", path.display())]
    Unreadable {
        /// The file that was given.
        path: PathBuf,
        /// What the reader said.
        reason: String,
    },

    /// A GGUF metadata entry is absent, or of the wrong type or range.
    #[error("the GGUF file has no usable `{key}`: expected {expected}")]
    Metadata {
        /// The metadata key.
        key: String,
        /// What was expected under it.
        expected: String,
    },

    /// A weight is absent or of an unexpected shape.
    #[error("the GGUF tensor `{name}` is not usable: {reason}")]
    Tensor {
        /// The tensor's name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },

    /// The model's architecture is not one that this crate computes.
    #[error("GGUF architecture `{found}` is not supported; supported are {supported}")]
    Architecture {
        /// The value of `general.architecture`.
        found: String,
        /// The supported ones, for the message.
        supported: &'static str,
    },

    /// The model's tokenizer is not one that this crate implements.
    #[error("GGUF tokenizer `{found}` is not supported; supported are byte-level BPE (`gpt2`) with {supported}")]
    Tokenizer {
        /// The tokenizer model, or its pre-tokenizer.
        found: String,
        /// The supported pre-tokenizers, for the message.
        supported: &'static str,
    },

    /// The chat template cannot be compiled or rendered.
    #[error("the model's chat template failed: {reason}")]
    Template {
        /// What the template engine said.
        reason: String,
    },

    /// The conversation does not fit into the model's window.
    #[error("context too long: {tokens} tokens, window {window}; shorten the conversation or compact it")]
    ContextTooLong {
        /// Tokens of the prompt, with what is reserved for the answer.
        tokens: usize,
        /// The model's window, in tokens.
        window: usize,
    },

    /// A tool's schema cannot be turned into a grammar.
    #[error("no grammar can be made for tool `{tool}`: {reason}")]
    Grammar {
        /// The tool.
        tool: String,
        /// What the grammar compiler said.
        reason: String,
    },

    /// Decoding arguments reached its limit before the grammar was satisfied.
    #[error("the arguments of tool `{tool}` were not complete after {limit} tokens")]
    ArgumentsTooLong {
        /// The tool.
        tool: String,
        /// The limit, in tokens.
        limit: usize,
    },

    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,

    /// A computation failed; never expected with a file that loaded.
    #[error("inference failed: {}", plainly(.0))]
    Inference(#[from] candle_core::Error),

    /// The threads to compute with could not be started.
    #[error("cannot start the threads of the local model: {reason}")]
    Threads {
        /// What the system said.
        reason: String,
    },

    /// A file of the cache could not be read or written.
    #[error("{action} {}: {source}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
}

/// What went wrong, without the backtrace that candle writes behind it.
pub(crate) fn plainly(error: &candle_core::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

//! Why a model stopped, as servers say it and as it was.

use outrigger_core::transcript::Finish;

/// What a server says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Stop,
    Calls,
    Length,
    Refused,
    /// It failed in the middle.
    Failed,
}

/// How the calls of an answer stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    None,
    Whole,
    /// The last one's arguments end in the middle.
    Cut,
}

/// The reason a server gives. `model_length` is Mistral's, `insufficient_system_resource` DeepSeek's
/// (<https://api-docs.deepseek.com/api/create-chat-completion>, from memory); some gateways pass Anthropic's words on.
/// A word nobody knows is an end like another.
pub(super) fn reason(word: &str) -> Reason {
    match word {
        "tool_calls" | "function_call" | "tool_use" | "tool_call" => Reason::Calls,
        "length" | "max_tokens" | "model_length" | "max_output_tokens" | "MAX_TOKENS" => Reason::Length,
        "content_filter" | "refusal" | "safety" | "SAFETY" | "sensitive" => Reason::Refused,
        "error" | "insufficient_system_resource" | "network_error" => Reason::Failed,
        _ => Reason::Stop,
    }
}

/// What it was: servers say `stop` with calls, `tool_calls` without any, and both when the limit cut a call off
/// (DeepSeek-v4-Flash-DSpark #55).
pub(super) fn finish(reason: Reason, calls: Calls, refused: bool) -> Finish {
    match (reason, calls) {
        (Reason::Refused, _) => Finish::Refused,
        (Reason::Length, _) | (Reason::Stop | Reason::Calls, Calls::Cut) => Finish::Length,
        (Reason::Stop | Reason::Calls, Calls::Whole) => Finish::Calls,
        (Reason::Stop | Reason::Calls, Calls::None) if refused => Finish::Refused,
        (Reason::Stop | Reason::Calls, Calls::None) => Finish::Stop,
        (Reason::Failed, _) => Finish::Unfinished,
    }
}

//! Anthropic's Messages API: what a request is on the wire, and how a streamed answer is read.
//!
//! The wire is that of API version 2026-10-21 (<https://platform.claude.com/docs/en/api/versioning>, read 2026-12-01);
//! what is sent is legal under 2023-06-01 too. Where a rule comes from is told at the rule.

mod block;
mod body;
mod decode;
mod encode;
mod fields;
mod finish;
mod models;
mod prompts;
mod refusal;
mod strict;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use outrigger_core::model::{Encode, Item, ModelError, ModelProfile, SealedRequest};

use crate::providers::Endpoint;
use crate::wire::{Body, Decode, Protocol};

/// Where the API is, without the path of a request.
pub(crate) const ENDPOINT: Endpoint =
    Endpoint { base_url: Some("https://api.anthropic.com"), key_variable: "ANTHROPIC_API_KEY", needs_key: true };

/// The version that requests name, which `anthropic` 2.14.0 (Python) names as well.
const VERSION: (&str, &str) = ("anthropic-version", "2026-10-21");

/// What allows [`Thinking`] to say what becomes of blocks whose conversation changed
/// (<https://platform.claude.com/docs/en/build-with-claude/preserved-thinking>, read 2026-12-01).
const BINDING: (&str, &str) = ("anthropic-beta", "thinking-binding-controls-2026-08-01");

/// Answers of models of which nothing is known: all that have been served since 2024 may say this much.
const OUTPUT_LIMIT: u64 = 8192;

/// How a model is asked to think before it answers. Which forms a model takes differs; the provider refuses others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Thinking {
    /// Nothing is asked: the model's own default. Models before Claude 5 do not think then.
    #[default]
    Unset,
    /// No thinking. Models that always think refuse it.
    Off,
    /// At most so many tokens of thinking, 1024 or more. Models before Claude 4.7.
    Budget(u32),
    /// As much as the model finds useful. Models from Claude 4.6 on.
    Adaptive,
}

/// How much work a model should put into an answer. Opus models take it from 4.5 on, Sonnet from 4.6, Haiku from 5.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// The least.
    Low,
    /// Less than most models' default.
    Medium,
    /// Most models' default.
    High,
    /// More than `High`; from Opus 4.7 and Sonnet 5 on.
    ExtraHigh,
    /// As much as there is; not Opus 4.5.
    Max,
}

/// One model behind the Messages API.
#[derive(Clone, Debug)]
pub(crate) struct Messages {
    profile: ModelProfile,
    /// Whether the model refuses thinking blocks when something before them changed.
    binds_thinking: bool,
    thinking: Thinking,
    effort: Option<Effort>,
    max_tokens: u64,
}

/// A model by the provider's name of it: `claude-haiku-4-5`. It thinks as it does by default.
pub(crate) fn messages(model: &str) -> Messages {
    let profile = models::profile(model);
    Messages {
        binds_thinking: models::binds_thinking(model),
        thinking: Thinking::default(),
        effort: None,
        max_tokens: profile.output_limit.unwrap_or(OUTPUT_LIMIT),
        profile,
    }
}

#[cfg_attr(not(test), allow(dead_code, reason = "no option of an agent file sets them"))]
impl Messages {
    /// The same model, asked to think otherwise.
    #[must_use]
    pub(crate) fn with_thinking(self, thinking: Thinking) -> Self {
        Self { thinking, ..self }
    }

    /// The same model, asked for more or less work.
    #[must_use]
    pub(crate) fn with_effort(self, effort: Effort) -> Self {
        Self { effort: Some(effort), ..self }
    }

    /// The same model with answers of at most so many tokens, thinking included.
    #[must_use]
    pub(crate) fn with_max_tokens(self, max_tokens: u64) -> Self {
        Self { max_tokens: max_tokens.max(1), ..self }
    }
}

impl Encode for Messages {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        encode::item(&self.profile, item)
    }
}

impl Protocol for Messages {
    fn path(&self) -> &'static str {
        "/v1/messages"
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("x-api-key", "")
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        if self.binds_thinking { &[VERSION, BINDING] } else { &[VERSION] }
    }

    fn body(&self, request: &SealedRequest) -> Body {
        body::write(self, request)
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(decode::Decoder::default())
    }

    fn refusal(&self, status: u16, body: &str) -> ModelError {
        refusal::of_response(status, body)
    }
}

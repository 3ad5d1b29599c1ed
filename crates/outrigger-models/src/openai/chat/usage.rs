//! Tokens, under the names that servers have for them.

use outrigger_core::transcript::Usage;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::text::Number;

/// The counts. `prompt_tokens` and so on are OpenAI's; `input_tokens` and so on its newer ones and Anthropic's, which
/// gateways pass on.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Counts {
    prompt_tokens: Number,
    input_tokens: Number,
    completion_tokens: Number,
    output_tokens: Number,
    prompt_tokens_details: Option<Details>,
    input_tokens_details: Option<Details>,
    completion_tokens_details: Option<Details>,
    output_tokens_details: Option<Details>,
    /// DeepSeek (<https://api-docs.deepseek.com/guides/kv_cache>, from memory).
    prompt_cache_hit_tokens: Number,
    /// Moonshot (from memory).
    cached_tokens: Number,
    /// Gateways before Anthropic.
    cache_read_input_tokens: Number,
    reasoning_tokens: Number,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Details {
    cached_tokens: Number,
    reasoning_tokens: Number,
}

/// What a server counted; `None` if that is nothing at all.
pub(super) fn read(json: &RawValue) -> Option<Usage> {
    let counts: Counts = serde_json::from_str(json.get()).ok()?;
    let details = |details: &Option<Details>| {
        details.as_ref().map_or((None, None), |details| (details.cached_tokens.0, details.reasoning_tokens.0))
    };
    let (cached, _) = details(&counts.prompt_tokens_details);
    let (cached_too, _) = details(&counts.input_tokens_details);
    let (_, reasoning) = details(&counts.completion_tokens_details);
    let (_, reasoning_too) = details(&counts.output_tokens_details);
    let hit = counts.prompt_cache_hit_tokens.0.or(counts.cached_tokens.0).or(counts.cache_read_input_tokens.0);
    let usage = Usage {
        input: largest([counts.prompt_tokens.0, counts.input_tokens.0, None]),
        output: largest([counts.completion_tokens.0, counts.output_tokens.0, None]),
        cached: largest([cached, cached_too, hit]),
        reasoning: largest([reasoning, reasoning_too, counts.reasoning_tokens.0]),
    };
    (usage != Usage::default()).then_some(usage)
}

/// Servers that have two names for a count leave one of them zero or say the same twice.
fn largest(counts: [Option<u64>; 3]) -> u64 {
    counts.into_iter().flatten().max().unwrap_or_default()
}

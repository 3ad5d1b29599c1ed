//! Which models there are, and what each takes.
//!
//! Sources, read on 2026-12-01: the models' own pages, <https://platform.claude.com/docs/en/models/opus-5-5/overview>
//! and so on, and <https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks> for the
//! models that bind thinking. Structured outputs: «all Claude 4.5 models and later»
//! (<https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/partner-models/claude/structured-outputs>).

use outrigger_core::model::ModelProfile;
use outrigger_core::transcript::{CallIdRule, Dialect, ModelName};

use crate::profiles::anthropic;

/// A model that is known.
struct Known {
    name: &'static str,
    context: u64,
    output: u64,
    /// Whether it can be held to a schema: strict tools, and an answer under a schema.
    structured: bool,
    /// Whether it refuses thinking blocks when something before them changed.
    binds: bool,
}

const fn large(name: &'static str) -> Known {
    Known { name, context: 1_000_000, output: 128_000, structured: true, binds: false }
}

const fn binding(name: &'static str) -> Known {
    Known { binds: true, ..large(name) }
}

const fn small(name: &'static str, output: u64, structured: bool) -> Known {
    Known { name, context: 200_000, output, structured, binds: false }
}

const KNOWN: &[Known] = &[
    binding("claude-fable-5-2"),
    binding("claude-fable-5-1"),
    large("claude-fable-5"),
    binding("claude-mythos-5-2"),
    binding("claude-mythos-5-1"),
    large("claude-mythos-5"),
    binding("claude-opus-5-5"),
    large("claude-opus-5"),
    large("claude-opus-4-8"),
    large("claude-opus-4-7"),
    large("claude-opus-4-6"),
    small("claude-opus-4-5", 64_000, true),
    small("claude-opus-4-1", 32_000, false),
    binding("claude-sonnet-5-5"),
    large("claude-sonnet-5"),
    large("claude-sonnet-4-6"),
    small("claude-sonnet-4-5", 64_000, true),
    binding("claude-haiku-5-5"),
    small("claude-haiku-4-5", 64_000, true),
];

/// What is known of a model, by its name with or without the date of its snapshot.
fn known(model: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| {
        model.strip_prefix(known.name).is_some_and(|rest| {
            let date = rest.strip_prefix('-').unwrap_or(rest);
            rest.is_empty() || (date.len() == 8 && rest.len() == 9 && date.bytes().all(|byte| byte.is_ascii_digit()))
        })
    })
}

/// Whether a model refuses thinking blocks when system text, tools or messages before them are not what they were.
pub(super) fn binds_thinking(model: &str) -> bool {
    known(model).is_some_and(|known| known.binds)
}

/// What a model takes. Of an unknown one nothing is assumed but that it is one of Anthropic's, if its name says so: all
/// of those read pictures.
pub(super) fn profile(model: &str) -> ModelProfile {
    let name = ModelName { provider: "anthropic".into(), model: model.into() };
    match known(model) {
        Some(known) => {
            let schemas = if known.structured { anthropic::strict() } else { anthropic::plain() };
            ModelProfile {
                context_window: Some(known.context),
                output_limit: Some(known.output),
                images: true,
                native_output: known.structured,
                ..ModelProfile::unknown(name, dialect(), schemas)
            }
        }
        None => {
            let images = model.starts_with("claude-");
            ModelProfile { images, ..ModelProfile::unknown(name, dialect(), anthropic::plain()) }
        }
    }
}

/// The form of conversations on this wire.
pub(super) fn dialect() -> Dialect {
    Dialect {
        name: "anthropic".into(),
        // «messages: first message must use the "user" role»: lobehub/lobehub #1601 (2024-03-16).
        first_is_user: true,
        // «text content blocks must contain non-whitespace text»: home-assistant/core #175637 (2026-07-04).
        refuses_empty: true,
        // «Consecutive user or assistant turns in your request will be combined into a single turn» (anthropic 2.14.0,
        // `message_create_params.py`). The body joins them itself, so that results stand in one message.
        alternates: false,
        // «messages.N.content.M.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'»: maximhq/bifrost #5097
        // (2026-07-10). No length is told, and no id of the API's own comes near this one.
        call_ids: CallIdRule { extra: Some("_-".into()), max_len: 64, exact: false },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // M1: a snapshot is the model it is one of; a model nobody knows gets what is safe.
    #[test]
    fn models_are_known_by_their_names() {
        let told = |model: &str| {
            let profile = profile(model);
            let schemas = profile.schemas.name.to_string();
            (profile.context_window, profile.output_limit, schemas, profile.images, profile.native_output)
        };
        let haiku = (Some(200_000), Some(64_000), "anthropic strict".to_owned(), true, true);
        assert_eq!(told("claude-haiku-4-5"), haiku);
        assert_eq!(told("claude-haiku-4-5-20251001"), haiku);
        let opus = (Some(200_000), Some(32_000), "anthropic plain".to_owned(), true, false);
        assert_eq!(told("claude-opus-4-1-20250805"), opus);
        for model in ["claude-haiku-4-50", "claude-haiku-4-5-1", "claude-haiku-4-5-2025100x", "claude-opus-9"] {
            assert_eq!(told(model), (None, None, "anthropic plain".to_owned(), true, false), "{model}");
        }
        assert_eq!(told("somebody-elses"), (None, None, "anthropic plain".to_owned(), false, false));
        assert!(binds_thinking("claude-opus-5-5") && !binds_thinking("claude-opus-5"));
    }
}

//! Models that are known, and what each takes.
//!
//! Sources, read on 2026-12-01: OpenAI's own pages of its models (<https://developers.openai.com/api/docs/models> and
//! those of `gpt-5-nano` and `gpt-6.2-sol` below it), DeepSeek's price list
//! (<https://api-docs.deepseek.com/quick_start/pricing>), for Mistral's model and for `gpt-5.4-nano` the list of a
//! gateway (<https://vercel.com/ai-gateway/models>). Rows that are only remembered say so. A window that is told as
//! «1M» is taken for a round million.

use outrigger_core::model::ModelProfile;
use outrigger_core::transcript::{Dialect, ModelName, Text};

use super::server::Server;

/// A model, or all whose names begin alike.
struct Known {
    /// The server.
    server: &'static str,
    /// How names begin; the longest one that fits counts.
    prefix: &'static str,
    context: u64,
    output: u64,
    images: bool,
    /// Whether functions can be strict and answers held to a schema.
    structured: bool,
    tools: Tools,
}

/// What becomes of tools beside reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tools {
    /// Nothing: both work.
    Free,
    /// Tools are refused unless the model is told not to reason: «Function tools with reasoning_effort are not supported
    /// for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'»,
    /// also where no effort was asked for (BerriAI/litellm #34569, 2026-07-24; jeffdafoe/llm-memory-api #178).
    Quiet,
    /// Tools are refused, and so is not to reason (<https://developers.openai.com/api/docs/models/gpt-6.2-sol>).
    Refused,
}

const fn openai(prefix: &'static str, context: u64, output: u64, tools: Tools) -> Known {
    Known { server: "openai", prefix, context, output, images: true, structured: true, tools }
}

const fn other(server: &'static str, prefix: &'static str, context: u64, output: u64, images: bool) -> Known {
    Known { server, prefix, context, output, images, structured: false, tools: Tools::Free }
}

const KNOWN: &[Known] = &[
    openai("gpt-6.2", 1_050_000, 128_000, Tools::Refused),
    openai("gpt-6", 1_050_000, 128_000, Tools::Quiet),
    openai("gpt-5.6", 1_000_000, 128_000, Tools::Quiet),
    openai("gpt-5.5", 1_000_000, 128_000, Tools::Quiet),
    openai("gpt-5.4", 1_000_000, 128_000, Tools::Quiet),
    openai("gpt-5.4-mini", 400_000, 128_000, Tools::Quiet),
    openai("gpt-5.4-nano", 400_000, 128_000, Tools::Quiet),
    openai("gpt-5", 400_000, 128_000, Tools::Free),
    openai("gpt-5-chat", 128_000, 16_384, Tools::Free),
    openai("gpt-5.1-chat", 128_000, 16_384, Tools::Free),
    // From memory.
    openai("gpt-4.1", 1_047_576, 32_768, Tools::Free),
    openai("gpt-4o", 128_000, 16_384, Tools::Free),
    openai("o3", 200_000, 100_000, Tools::Free),
    openai("o4-mini", 200_000, 100_000, Tools::Free),
    Known { images: false, ..openai("o3-mini", 200_000, 100_000, Tools::Free) },
    other("deepseek", "deepseek-flash", 1_000_000, 384_000, true),
    // Served by the model of `deepseek-flash`.
    other("deepseek", "deepseek-v4-flash", 1_000_000, 384_000, true),
    other("deepseek", "deepseek-v4-pro", 1_000_000, 384_000, false),
    other("mistral", "mistral-medium-3.5", 262_144, 256_000, true),
    other("mistral", "mistral-medium-latest", 262_144, 256_000, true),
    // From memory.
    other("groq", "openai/gpt-oss-120b", 131_072, 65_536, false),
    other("groq", "openai/gpt-oss-20b", 131_072, 65_536, false),
    other("groq", "llama-3.3-70b-versatile", 131_072, 32_768, false),
];

/// What a model takes. Of an unknown one nothing is assumed, and the profile says so.
pub(super) fn profile(model: &str, server: &Server) -> ModelProfile {
    let name = ModelName { provider: server.name.into(), model: model.into() };
    let known = known(model, server);
    let structured = known.is_some_and(|known| known.structured);
    let unknown = ModelProfile::unknown(name, dialect(server), server.quirks.schemas(structured));
    match known {
        Some(known) => ModelProfile {
            context_window: Some(known.context),
            output_limit: Some(known.output),
            images: known.images,
            native_output: structured && server.quirks.strict,
            notes: known.tools.note().into_iter().collect(),
            ..unknown
        },
        None => ModelProfile { notes: vec![UNKNOWN.into()], ..unknown },
    }
}

/// Whether a model takes no tools unless it is told not to reason.
pub(super) fn is_quiet_with_tools(model: &str, server: &Server) -> bool {
    known(model, server).is_some_and(|known| known.tools == Tools::Quiet)
}

const UNKNOWN: &str = "nothing is known of this model: it is sent no pictures and no strict schemas, and the size of its \
                       context is left to the server";

impl Tools {
    fn note(self) -> Option<Text> {
        match self {
            Self::Free => None,
            Self::Quiet => Some("with tools it does not reason: chat completions take only one of the two".into()),
            Self::Refused => Some("chat completions take no tools for this model".into()),
        }
    }
}

/// Deployments on Azure are mostly called after their models.
fn known(model: &str, server: &Server) -> Option<&'static Known> {
    let server = if server.name == "azure" { "openai" } else { server.name };
    let of_server = KNOWN.iter().filter(|known| known.server == server && model.starts_with(known.prefix));
    of_server.max_by_key(|known| known.prefix.len())
}

/// The form of conversations. The wire leaves out what says nothing, so nothing need be refused for it.
fn dialect(server: &Server) -> Dialect {
    Dialect {
        name: format!("chat ({})", server.name).into(),
        refuses_empty: false,
        call_ids: server.quirks.call_id_rule(),
        ..Dialect::chat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // M1: the longest name that fits counts; a model nobody knows gets what is safe, and a note.
    #[test]
    fn models_are_known_by_how_their_names_begin() {
        let told = |server: &str, model: &str| {
            let server = Server::named(server).unwrap();
            let profile = profile(model, server);
            let schemas = profile.schemas.name.to_string();
            (profile.context_window, schemas, profile.images, profile.native_output, profile.notes.len())
        };
        let strict = || "openai strict".to_owned();
        let plain = || "openai plain".to_owned();
        assert_eq!(told("openai", "gpt-5-mini"), (Some(400_000), strict(), true, true, 0));
        assert_eq!(told("openai", "gpt-5.4-mini-2026-03-17"), (Some(400_000), strict(), true, true, 1));
        assert_eq!(told("azure", "gpt-4o"), (Some(128_000), strict(), true, true, 0));
        assert_eq!(told("openai", "o3-mini"), (Some(200_000), strict(), false, true, 0));
        assert_eq!(told("deepseek", "deepseek-v4-pro"), (Some(1_000_000), plain(), false, false, 0));
        for (server, model) in [("openai", "gpt-99"), ("groq", "gpt-5"), ("ollama", "llama3.2"), ("azure", "mine")] {
            assert_eq!(told(server, model), (None, plain(), false, false, 1), "{server}:{model}");
        }
        let openai = Server::named("openai").unwrap();
        assert!(is_quiet_with_tools("gpt-5.6-terra", openai) && !is_quiet_with_tools("gpt-5-mini", openai));
    }

    // M4: Mistral's ids are nine letters and digits; everyone else's any.
    #[test]
    fn ids_are_in_the_servers_alphabet() {
        let rule = |server: &str| dialect(Server::named(server).unwrap()).call_ids;
        assert_eq!(rule("openai").on_wire(&"call_1".into()), "call_1");
        let remade = rule("mistral").on_wire(&"call_1".into()).into_owned();
        assert!(remade.len() == 9 && remade.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{remade}");
    }
}

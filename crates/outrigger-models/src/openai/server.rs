//! The servers that speak chat completions, and what each does otherwise than OpenAI.

use outrigger_contract::SchemaProfile;
use outrigger_core::transcript::CallIdRule;

use crate::profiles::openai;

/// A server that speaks chat completions.
#[derive(Debug)]
pub struct Server {
    /// The word before the colon of a model's name.
    pub name: &'static str,
    /// Where it is, without the path of a request; `None`: everyone has their own.
    pub base_url: Option<&'static str>,
    /// The environment variable of its key.
    pub key_variable: &'static str,
    /// Whether it answers nobody without a key.
    pub needs_key: bool,
    pub(crate) quirks: Quirks,
}

/// What a server does otherwise than others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quirks {
    /// The header of the key, and what stands before the key in it.
    pub(crate) key_header: (&'static str, &'static str),
    /// What the ids of calls may be.
    pub(crate) call_ids: Ids,
    /// What stands for the text of an assistant message that has calls only.
    pub(crate) no_content: NoContent,
    /// How reasoning goes back.
    pub(crate) reasoning: Replay,
    /// Whether `stream_options` may ask for the usage; where it may not, the usage comes unasked.
    pub(crate) asks_usage: bool,
    /// How the answer's limit is called, where one must be told, and the most that is asked for.
    pub(crate) output_limit: Option<(&'static str, u64)>,
    /// Whether tools must be declared when history has calls.
    pub(crate) wants_tools: bool,
    /// Whether the assistant must speak between results and the user, and the user or a tool last.
    pub(crate) strict_order: bool,
    /// What pictures may be.
    pub(crate) pictures: &'static [&'static str],
    /// Whether functions may be strict, and answers be held to a schema beside tools, for models that can.
    pub(crate) strict: bool,
}

/// What the ids of calls may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ids {
    /// Anything.
    Any,
    /// Exactly nine letters and digits.
    NineAlphanumerics,
}

/// What stands where an assistant message has no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoContent {
    /// `null`, as the API's own types have it.
    Null,
    /// An empty text.
    Empty,
}

/// How reasoning goes back to the model that wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replay {
    /// Not at all.
    Never,
    /// Under this name, where there is any.
    Written(&'static str),
    /// Under this name on every assistant message: empty where there is none.
    Always(&'static str),
}

/// As OpenAI does it. A field that OpenAI has not is refused by some servers, so nothing is sent that need not be.
const PLAIN: Quirks = Quirks {
    key_header: ("authorization", "Bearer "),
    call_ids: Ids::Any,
    no_content: NoContent::Null,
    reasoning: Replay::Never,
    asks_usage: true,
    output_limit: None,
    wants_tools: false,
    strict_order: false,
    pictures: &["image/jpeg", "image/png", "image/webp", "image/gif"],
    strict: false,
};

/// Servers on one's own machine: chat templates that take the length of the content fail on `null`, and an empty text
/// is taken by all. Ollama knows three types of pictures and refuses a request with another (ollama/ollama
/// `openai/openai.go`, read on 2026-12-01).
const LOCAL: Quirks =
    Quirks { no_content: NoContent::Empty, pictures: &["image/jpeg", "image/png", "image/webp"], ..PLAIN };

const fn hosted(name: &'static str, base_url: &'static str, key_variable: &'static str, quirks: Quirks) -> Server {
    Server { name, base_url: Some(base_url), key_variable, needs_key: true, quirks }
}

const fn local(name: &'static str, base_url: &'static str, key_variable: &'static str, quirks: Quirks) -> Server {
    Server { name, base_url: Some(base_url), key_variable, needs_key: false, quirks }
}

/// The servers, in the order they are listed to people. Addresses of local ones have no name in them: `localhost` may
/// be `::1`, where most of them do not listen.
pub static SERVERS: &[Server] = &[
    hosted("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", Quirks { strict: true, ..PLAIN }),
    // `https://RESOURCE.openai.azure.com/openai/v1`; the key goes in a header of its own
    // (<https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle>, from memory).
    Server {
        name: "azure",
        base_url: None,
        key_variable: "AZURE_OPENAI_API_KEY",
        needs_key: true,
        quirks: Quirks { key_header: ("api-key", ""), strict: true, ..PLAIN },
    },
    // The assistant's `reasoning` is part of a message there (ollama/ollama `openai/openai.go`, read on 2026-12-01).
    local(
        "ollama",
        "http://127.0.0.1:11434/v1",
        "OLLAMA_API_KEY",
        Quirks { reasoning: Replay::Written("reasoning"), ..LOCAL },
    ),
    // `reasoning` is what it reads in messages; `reasoning_content` is dropped (vllm-project/vllm #38488, 2026-03-29).
    local(
        "vllm",
        "http://127.0.0.1:8000/v1",
        "VLLM_API_KEY",
        Quirks { reasoning: Replay::Written("reasoning"), ..LOCAL },
    ),
    // Any change in the prefix is evaluated anew, and leaving reasoning out between turns is one: hermes-agent #27339.
    local(
        "llamacpp",
        "http://127.0.0.1:8080/v1",
        "LLAMA_API_KEY",
        Quirks { reasoning: Replay::Written("reasoning_content"), ..LOCAL },
    ),
    local("lmstudio", "http://127.0.0.1:1234/v1", "LM_API_TOKEN", LOCAL),
    hosted("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", MISTRAL),
    hosted("deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY", DEEPSEEK),
    hosted("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", PLAIN),
    // Behind it stand providers that refuse calls in history when no tool is declared
    // (anthropics/anthropic-sdk-python #494).
    hosted("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", Quirks { wants_tools: true, ..PLAIN }),
    Server {
        name: "compatible",
        base_url: None,
        key_variable: "OPENAI_COMPATIBLE_API_KEY",
        needs_key: false,
        quirks: LOCAL,
    },
];

/// - Ids: «Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9» (langchain-ai/langchain #24668,
///   vercel/ai #2477).
/// - Order: «Unexpected role 'user' after role 'tool'» (datapizza-labs/datapizza-ai #98, 2025-12-04;
///   NousResearch/hermes-agent #20154, 2026-05-05), «Expected last role User or Tool» (BerriAI/litellm #4931).
/// - Usage: `stream_options.include_usage` is `extra_forbidden` (avante-corp/avante.nvim #2347, 2025-06-27;
///   openai/openai-agents-python #442); the usage comes unasked.
const MISTRAL: Quirks = Quirks {
    call_ids: Ids::NineAlphanumerics,
    no_content: NoContent::Empty,
    asks_usage: false,
    strict_order: true,
    ..PLAIN
};

/// «If the request carries tools, the `reasoning_content` of all assistant messages must be passed back in all later
/// requests», else 400 (<https://api-docs.deepseek.com/guides/thinking_mode>, read on 2026-12-01). A message that
/// leaves the field out because the model thought nothing is refused too (deepseek-ai/deepseek-harness discussions
/// #739 and #1850); in requests without tools the field is ignored. The answer's limit has been far under what the
/// models can where nothing was asked for, and DeepSeek's own adapter asks for much (deepseek-ai/deepseek-harness,
/// `packages/llm/llm-deepseek`), so a limit is told: as
/// much as an answer may need, since it is taken from the context.
const DEEPSEEK: Quirks =
    Quirks { no_content: NoContent::Empty, reasoning: Replay::Always("reasoning_content"), ..PLAIN };

impl Server {
    /// The server of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        SERVERS.iter().find(|server| server.name == name)
    }
}

impl Quirks {
    /// The rule of the dialect.
    pub(crate) fn call_id_rule(&self) -> CallIdRule {
        match self.call_ids {
            Ids::Any => CallIdRule { extra: None, max_len: 512, exact: false },
            Ids::NineAlphanumerics => CallIdRule { extra: Some("".into()), max_len: 9, exact: true },
        }
    }

    /// The schemas that a model there takes, if it can be strict at all.
    pub(crate) fn schemas(&self, can_be_strict: bool) -> SchemaProfile {
        if self.strict && can_be_strict { openai::strict() } else { openai::plain() }
    }
}

//! The providers of this build.

use std::path::Path;
use std::sync::Arc;

use outrigger_core::model::{Model, ModelError, ModelErrorKind};

use crate::choice::OpenOptions;
#[cfg(feature = "http")]
use crate::openai::Server;
use crate::scripted::ScriptedModel;

/// What this build can serve.
pub struct Provider {
    /// The word before the colon.
    pub name: &'static str,
    /// What stands after the colon; empty if nothing need.
    pub takes: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    endpoint: fn(&Self) -> Option<Endpoint>,
    open: fn(&Self, &str, &OpenOptions) -> Opened,
}

/// Where a provider over HTTP is, and who may ask it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Where it is; `None`: everyone has their own.
    pub base_url: Option<&'static str>,
    /// The environment variable of its key.
    pub key_variable: &'static str,
    /// Whether it answers nobody without a key.
    pub needs_key: bool,
}

/// A model, or why there is none.
pub(crate) type Opened = Result<Arc<dyn Model>, ModelError>;

impl Provider {
    /// Where it is, if it is asked over HTTP.
    #[must_use]
    pub fn endpoint(&self) -> Option<Endpoint> {
        (self.endpoint)(self)
    }

    pub(crate) fn open(&self, rest: &str, options: &OpenOptions) -> Opened {
        (self.open)(self, rest, options)
    }

    /// Whether what stands after the colon names a file.
    #[must_use]
    pub fn takes_file(&self) -> bool {
        self.takes.contains("FILE")
    }
}

/// The providers of this build, in the order they are listed to people.
pub const PROVIDERS: &[Provider] = &[
    #[cfg(feature = "http")]
    chat("openai", "OpenAI's chat completions"),
    #[cfg(feature = "http")]
    Provider {
        name: "anthropic",
        takes: ":MODEL",
        about: "Anthropic's Messages API",
        endpoint: |_| Some(crate::anthropic::ENDPOINT),
        open: |provider, model, options| {
            crate::wire::open(provider, model, options, |model| Ok(crate::anthropic::messages(model)))
        },
    },
    #[cfg(feature = "http")]
    chat("azure", "OpenAI's models at Azure; needs a base URL"),
    #[cfg(feature = "http")]
    chat("mistral", "Mistral"),
    #[cfg(feature = "http")]
    chat("deepseek", "DeepSeek"),
    #[cfg(feature = "http")]
    chat("groq", "Groq"),
    #[cfg(feature = "http")]
    chat("openrouter", "OpenRouter, many providers' models"),
    #[cfg(feature = "http")]
    chat("ollama", "an Ollama server"),
    #[cfg(feature = "http")]
    chat("vllm", "a vLLM server"),
    #[cfg(feature = "http")]
    chat("llamacpp", "a llama.cpp server"),
    #[cfg(feature = "http")]
    chat("lmstudio", "an LM Studio server"),
    #[cfg(feature = "http")]
    chat("compatible", "any server that speaks chat completions; needs a base URL"),
    #[cfg(feature = "local")]
    Provider {
        name: "local",
        takes: "[:FILE.gguf]",
        about: "runs in this process; without a file a small model that is fetched once (93 MB)",
        endpoint: nowhere,
        open: |provider, file, options| {
            options.refuse_access(provider.name)?;
            Ok(Arc::new(crate::local::LocalModel::open(file, options)?))
        },
    },
    Provider {
        name: "scripted",
        takes: ":FILE.json",
        about: "answers by a script; for tests",
        endpoint: nowhere,
        open: open_script,
    },
];

/// A server that speaks chat completions.
#[cfg(feature = "http")]
const fn chat(name: &'static str, about: &'static str) -> Provider {
    Provider {
        name,
        takes: ":MODEL",
        about,
        endpoint: |provider| provider.server().map(Endpoint::from),
        open: open_chat,
    }
}

#[cfg(feature = "http")]
fn open_chat(provider: &Provider, model: &str, options: &OpenOptions) -> Opened {
    crate::wire::open(provider, model, options, |model| match provider.server() {
        Some(server) => Ok(crate::openai::chat(model, server)),
        None => Err(ModelError::new(ModelErrorKind::Rejected, format!("{} has no server", provider.name))),
    })
}

#[cfg(feature = "http")]
impl Provider {
    fn server(&self) -> Option<&'static Server> {
        Server::named(self.name)
    }
}

#[cfg(feature = "http")]
impl From<&Server> for Endpoint {
    fn from(server: &Server) -> Self {
        Self { base_url: server.base_url, key_variable: server.key_variable, needs_key: server.needs_key }
    }
}

fn nowhere(_: &Provider) -> Option<Endpoint> {
    None
}

fn open_script(provider: &Provider, file: &str, options: &OpenOptions) -> Opened {
    options.refuse_access(provider.name)?;
    if file.is_empty() {
        let message = "the scripted model needs a script: write scripted:FILE.json";
        return Err(ModelError::new(ModelErrorKind::Rejected, message));
    }
    Ok(Arc::new(ScriptedModel::open(Path::new(file))?))
}

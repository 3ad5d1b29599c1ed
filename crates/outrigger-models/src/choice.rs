//! Choosing a model by one string.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use outrigger_core::model::{IntoModel, Model, ModelError, ModelErrorKind};

use crate::providers::{PROVIDERS, Provider};
#[cfg(feature = "http")]
use crate::wire::Key;

/// A model by its string, `provider:model`. It is looked up when the agent is built, so that a wrong one is told
/// together with everything else that is wrong.
#[derive(Clone)]
pub struct ModelChoice {
    choice: String,
    options: OpenOptions,
}

/// What opening a model may use.
#[derive(Clone, Default)]
pub struct OpenOptions {
    /// Told when a model is fetched or loaded. Default: nobody.
    pub watch: Option<Watch>,
    /// Where models and their caches are kept. Default: the user's cache directory.
    pub cache: Option<PathBuf>,
    /// Where a provider over HTTP is, without the path of a request: `http://127.0.0.1:8080/v1`. Default: the provider's
    /// own.
    pub base_url: Option<String>,
    /// The provider's key. Default: that of the provider's environment variable, if it is set.
    #[cfg(feature = "http")]
    pub key: Option<Key>,
    /// Headers that requests have, by name and value; they win over ours. A value is never shown.
    pub headers: Vec<(String, String)>,
    /// The proxy's URL: `http://`, `https://` or `socks5://`, with name and password if it wants them. Default: what the
    /// system says, and none for servers on this machine.
    pub proxy: Option<String>,
    /// A PEM file of certificates that are trusted beside the system's. Default: none.
    pub ca: Option<PathBuf>,
}

/// Who is told how far something is.
pub type Watch = Arc<dyn Fn(&Progress<'_>) + Send + Sync>;

/// How far a model is on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress<'a> {
    /// What is going on: `fetching the model`.
    pub stage: &'a str,
    /// How much of the stage is done, from 0 to 1; `None`: not known.
    pub done: Option<f32>,
}

/// A model by its string: `openai:gpt-5-mini`, `local`, `scripted:weather.json`.
#[must_use]
pub fn model(choice: impl Into<String>) -> ModelChoice {
    ModelChoice { choice: choice.into(), options: OpenOptions::default() }
}

/// A model of OpenAI's by its name: `gpt-5-mini`. Its key is in `OPENAI_API_KEY`, unless another is named.
#[cfg(feature = "http")]
#[must_use]
pub fn openai(name: &str) -> ModelChoice {
    model(format!("openai:{name}"))
}

/// A model of Anthropic's by its name: `claude-haiku-4-5`. Its key is in `ANTHROPIC_API_KEY`, unless another is named.
#[cfg(feature = "http")]
#[must_use]
pub fn anthropic(name: &str) -> ModelChoice {
    model(format!("anthropic:{name}"))
}

impl ModelChoice {
    /// The string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.choice
    }

    /// Sets what opening it may use.
    #[must_use]
    pub fn with_options(mut self, options: OpenOptions) -> Self {
        self.options = options;
        self
    }

    /// Another place than the provider's own: [`OpenOptions::base_url`].
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.options.base_url = Some(url.into());
        self
    }

    /// Where the key comes from: [`OpenOptions::key`].
    #[cfg(feature = "http")]
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.options.key = Some(key);
        self
    }

    /// Adds a header: [`OpenOptions::headers`].
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.headers.push((name.into(), value.into()));
        self
    }

    /// The proxy: [`OpenOptions::proxy`].
    #[must_use]
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.options.proxy = Some(url.into());
        self
    }

    /// Certificates to trust: [`OpenOptions::ca`].
    #[must_use]
    pub fn ca(mut self, file: impl Into<PathBuf>) -> Self {
        self.options.ca = Some(file.into());
        self
    }

    /// Looks the model up. May read files and the environment; fetches nothing, runs nothing and opens no connection.
    ///
    /// # Errors
    /// When there is no such provider in this build, it refuses the rest of the string, or the key it needs is not there.
    pub fn open(&self) -> Result<Arc<dyn Model>, ModelError> {
        let (name, rest) = self.parts();
        match provider(name) {
            Some(provider) => provider.open(rest, &self.options),
            None => Err(unknown(&self.choice, name)),
        }
    }

    /// How the model is reached, for people: its base URL, where its key comes from, the proxy and the certificates.
    /// `None`: not over HTTP, or not at all.
    #[must_use]
    pub fn route(&self) -> Option<String> {
        #[cfg(feature = "http")]
        return crate::wire::route(provider(self.parts().0)?, &self.options);
        #[cfg(not(feature = "http"))]
        None
    }

    fn parts(&self) -> (&str, &str) {
        self.choice.split_once(':').unwrap_or((&self.choice, ""))
    }
}

impl OpenOptions {
    /// For providers that are not asked over HTTP: what is only for those is refused.
    pub(crate) fn refuse_access(&self, provider: &str) -> Result<(), ModelError> {
        #[cfg(feature = "http")]
        let key = self.key.is_some();
        #[cfg(not(feature = "http"))]
        let key = false;
        let given = [
            ("base_url", self.base_url.is_some()),
            ("key", key),
            ("headers", !self.headers.is_empty()),
            ("proxy", self.proxy.is_some()),
            ("ca", self.ca.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => {
                let message = format!("{provider} models are not asked over HTTP: `{name}` is not for them");
                Err(ModelError::new(ModelErrorKind::Rejected, message))
            }
            None => Ok(()),
        }
    }
}

impl IntoModel for ModelChoice {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        Box::pin(async move { self.open() })
    }
}

fn provider(name: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.name == name)
}

fn unknown(choice: &str, name: &str) -> ModelError {
    let near = outrigger_contract::nearest_names(name, PROVIDERS.iter().map(|provider| provider.name), 1);
    let mean = near.first().map(|near| format!(" (did you mean {near:?}?)")).unwrap_or_default();
    let known: Vec<String> = PROVIDERS.iter().map(|provider| format!("{}{}", provider.name, provider.takes)).collect();
    let (last, others) =
        known.split_last().map_or((String::new(), &[] as &[String]), |(last, all)| (last.clone(), all));
    let and = if others.is_empty() { "" } else { " and " };
    let message = format!("there is no model {choice:?}{mean}; this build has {}{and}{last}", others.join(", "));
    ModelError::new(ModelErrorKind::Rejected, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(choice: ModelChoice) -> String {
        choice.open().err().unwrap().to_string()
    }

    // M10: one string; a wrong one says what there is.
    #[test]
    fn an_unknown_model_names_what_there_is() {
        let error = refusal(model("scriptd:weather.json"));
        assert!(
            error.starts_with(
                "there is no model \"scriptd:weather.json\" (did you mean \"scripted\"?); this build has "
            )
        );
        assert!(error.ends_with("scripted:FILE.json"), "{error}");
    }

    #[test]
    fn what_is_for_http_is_refused_elsewhere() {
        let told = refusal(model("scripted:s.json").base_url("http://127.0.0.1:1"));
        assert_eq!(told, "scripted models are not asked over HTTP: `base_url` is not for them");
    }

    #[cfg(feature = "http")]
    mod http {
        use super::*;

        /// Every provider over HTTP, with a key.
        fn each(mut see: impl FnMut(&'static Provider, ModelChoice)) {
            let over_http = PROVIDERS.iter().filter_map(|provider| Some((provider, provider.endpoint()?)));
            for (provider, endpoint) in over_http {
                let choice = model(format!("{}:some-model", provider.name)).key(Key::new("sk-0123456789"));
                let choice = match endpoint.base_url {
                    Some(_) => choice,
                    None => choice.base_url("http://127.0.0.1:1/v1"),
                };
                see(provider, choice);
            }
        }

        #[test]
        fn every_provider_opens_a_model_by_its_name() {
            let mut seen = 0;
            each(|provider, choice| {
                let model = choice.open().map_err(|error| format!("{}: {error}", provider.name)).unwrap();
                let name = &model.profile().name;
                assert_eq!((&*name.provider, &*name.model), (provider.name, "some-model"));
                seen += 1;
            });
            assert!(seen > 0);
        }

        // M10: whether a model exists is its provider's to say; that one is named is ours.
        #[test]
        fn a_model_without_a_name_is_refused_at_once() {
            for choice in ["anthropic", "anthropic:", "anthropic: "] {
                assert_eq!(refusal(model(choice)), "anthropic needs the name of a model: write anthropic:MODEL");
            }
        }

        // M2: what is missing, and every way to give it.
        #[test]
        fn a_key_that_is_missing_is_named() {
            let key = Key::env("OUTRIGGER_NO_SUCH_KEY");
            assert_eq!(
                refusal(anthropic("claude-haiku-4-5").key(key)),
                "the environment variable OUTRIGGER_NO_SUCH_KEY is not set"
            );
            assert_eq!(
                crate::wire::open::missing_key("anthropic", "ANTHROPIC_API_KEY"),
                "anthropic needs a key: set the environment variable ANTHROPIC_API_KEY, or name another one, a file or a \
                 command (`key = { env = … }`, `{ file = … }` or `{ command = […] }` in the agent file, `key(…)` in code)"
            );
        }

        #[test]
        fn what_cannot_be_used_is_told_at_once_and_without_secrets() {
            let sound = || anthropic("claude-haiku-4-5").key(Key::new("sk-0123456789"));
            for (choice, what) in [
                (sound().header("x y", "hunter22"), "no header can be called \"x y\""),
                (sound().header("x-a", "hunter22\n"), "the value of the header x-a"),
                (sound().base_url("claude.example?hunter22"), "the base URL cannot be read"),
                (sound().proxy("nonsense:hunter22"), "the proxy URL"),
                (sound().ca("no-such-file.pem"), "the file of certificates no-such-file.pem cannot be read"),
            ] {
                let told = refusal(choice);
                assert!(told.contains(what) && !told.contains("hunter22"), "{told}");
            }
        }

        #[test]
        fn a_route_says_what_is_in_effect_and_no_secret() {
            let choice = anthropic("claude-haiku-4-5");
            let choice = choice.base_url("http://models.example/").key(Key::new("hunter22"));
            let choice = choice.proxy("http://me:hunter22@proxy.example:3128").header("x-a", "hunter22").ca("ca.pem");
            assert_eq!(
                choice.route().unwrap(),
                "http://models.example/, key from the program's own code, sent unencrypted, through \
                 http://proxy.example:3128, with the headers x-a, trusting ca.pem as well"
            );
        }
    }
}

//! Choosing a model by one string.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use outrigger_core::model::{IntoModel, Model, ModelError, ModelErrorKind};

use crate::scripted::ScriptedModel;

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

/// A model by its string: `scripted:weather.json`, `local`, `local:model.gguf`.
#[must_use]
pub fn model(choice: impl Into<String>) -> ModelChoice {
    ModelChoice { choice: choice.into(), options: OpenOptions::default() }
}

/// What this build can serve.
pub struct Provider {
    /// The word before the colon.
    pub name: &'static str,
    /// What stands after the colon; empty if nothing need.
    pub takes: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    open: fn(&str, &OpenOptions) -> Opened,
}

/// A model, or why there is none.
type Opened = Result<Arc<dyn Model>, ModelError>;

/// The providers of this build, in the order they are listed to people.
pub const PROVIDERS: &[Provider] = &[
    #[cfg(feature = "local")]
    Provider {
        name: "local",
        takes: "[:FILE.gguf]",
        about: "runs in this process; without a file a small model that is fetched once (93 MB)",
        open: |file, options| Ok(Arc::new(crate::local::LocalModel::open(file, options)?)),
    },
    Provider { name: "scripted", takes: ":FILE.json", about: "answers by a script; for tests", open: open_script },
];

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

    /// Looks the model up. May read files; fetches nothing and opens no connection.
    ///
    /// # Errors
    /// When there is no such provider in this build, or it refuses the rest of the string.
    pub fn open(&self) -> Result<Arc<dyn Model>, ModelError> {
        let (name, rest) = self.choice.split_once(':').unwrap_or((&self.choice, ""));
        match PROVIDERS.iter().find(|provider| provider.name == name) {
            Some(provider) => (provider.open)(rest, &self.options),
            None => Err(unknown(&self.choice, name)),
        }
    }
}

impl IntoModel for ModelChoice {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        Box::pin(async move { self.open() })
    }
}

fn open_script(file: &str, _: &OpenOptions) -> Opened {
    if file.is_empty() {
        let message = "the scripted model needs a script: write scripted:FILE.json";
        return Err(ModelError::new(ModelErrorKind::Rejected, message));
    }
    Ok(Arc::new(ScriptedModel::open(Path::new(file))?))
}

fn unknown(choice: &str, name: &str) -> ModelError {
    let near = outrigger_contract::nearest_names(name, PROVIDERS.iter().map(|provider| provider.name), 1);
    let mean = near.first().map(|near| format!(" (did you mean {near:?}?)")).unwrap_or_default();
    let known: Vec<String> = PROVIDERS.iter().map(|provider| format!("{}{}", provider.name, provider.takes)).collect();
    let message = format!("there is no model {choice:?}{mean}; this build has {}", known.join(" and "));
    ModelError::new(ModelErrorKind::Rejected, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    // M10: one string; a wrong one says what there is.
    #[test]
    fn an_unknown_model_names_what_there_is() {
        let error = model("scriptd:weather.json").open().err().unwrap().to_string();
        assert!(
            error.starts_with(
                "there is no model \"scriptd:weather.json\" (did you mean \"scripted\"?); this build has "
            )
        );
        assert!(error.ends_with("scripted:FILE.json"), "{error}");
    }
}

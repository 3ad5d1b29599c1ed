//! Choosing a model by one string.

use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use outrigger_core::model::{IntoModel, Model, ModelError, ModelErrorKind};

use crate::scripted::ScriptedModel;

/// A model by its string, `provider:model`. It is looked up when the agent is built, so that a wrong one is told
/// together with everything else that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelChoice(String);

/// A model by its string: `scripted:weather.json`.
#[must_use]
pub fn model(choice: impl Into<String>) -> ModelChoice {
    ModelChoice(choice.into())
}

/// What this build can serve.
pub struct Provider {
    /// The word before the colon.
    pub name: &'static str,
    /// What stands after the colon.
    pub takes: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    open: fn(&str) -> Result<Arc<dyn Model>, ModelError>,
}

/// The providers of this build, in the order they are listed to people.
pub const PROVIDERS: &[Provider] = &[Provider {
    name: "scripted",
    takes: "FILE",
    about: "answers by a script in a JSON file; for tests",
    open: |file| Ok(Arc::new(ScriptedModel::open(Path::new(file))?)),
}];

impl ModelChoice {
    /// The string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Looks the model up. May read files; opens no connection.
    ///
    /// # Errors
    /// When there is no such provider in this build, or it refuses the rest of the string.
    pub fn open(&self) -> Result<Arc<dyn Model>, ModelError> {
        let (name, rest) = self.0.split_once(':').unwrap_or((&self.0, ""));
        match PROVIDERS.iter().find(|provider| provider.name == name) {
            Some(provider) => (provider.open)(rest),
            None => Err(unknown(&self.0, name)),
        }
    }
}

impl IntoModel for ModelChoice {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        Box::pin(async move { self.open() })
    }
}

fn unknown(choice: &str, name: &str) -> ModelError {
    let near = PROVIDERS.iter().find(|provider| strsim::damerau_levenshtein(provider.name, name) <= 2);
    let mean = near.map_or_else(|| ".".to_owned(), |provider| format!("; did you mean {:?}?", provider.name));
    let known: Vec<String> = PROVIDERS.iter().map(|provider| format!("{}:{}", provider.name, provider.takes)).collect();
    let message = format!("there is no model {choice:?}{mean} This build has: {}", known.join(", "));
    ModelError::new(ModelErrorKind::Rejected, message)
}

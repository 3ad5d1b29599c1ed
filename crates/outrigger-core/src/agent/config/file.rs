//! An agent file, read as a whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use outrigger_contract::WirePlan;
use serde_json::value::RawValue;

use super::document::{Document, LIMITS};
use super::error::{ConfigError, ConfigErrors};
use super::harness::{HarnessType, Problem, open};
use super::model::ModelPlan;
use super::places::Places;
use super::types::{AgentConfig, HarnessEntry};
use crate::agent::{Agent, AgentBuilder};
use crate::harness::Harness;

/// An agent file, read as a whole: its values, the harnesses it names, and where everything stands.
pub struct AgentFile {
    /// The values.
    pub config: AgentConfig,
    /// The harnesses, in order.
    pub harnesses: Vec<Arc<dyn Harness>>,
    places: Places,
    base: PathBuf,
}

impl AgentFile {
    /// Reads TOML text, and makes the harnesses it names out of `types`. Relative paths in it start from `base`.
    ///
    /// # Errors
    /// Everything that is wrong with the file, the configuration of its harnesses included.
    pub fn read(text: &str, types: &[HarnessType], base: &Path) -> Result<Self, ConfigErrors> {
        let document = Document::from_toml(text)?;
        let (config, mut errors) = match document.bind::<AgentConfig>() {
            Ok(config) => (Some(config), Vec::new()),
            Err(found) => (None, found.errors),
        };
        // A file that does not bind may still name its harnesses: what is wrong with those is told as well.
        let entries = match &config {
            Some(config) => config.harnesses.iter().cloned().map(Some).collect(),
            None => sound_entries(document.json()),
        };
        let (harnesses, found) = harnesses(&entries, types, base, document.places());
        errors.extend(found);
        errors.extend(config.iter().flat_map(|config| config.model_errors(document.places())));
        match config {
            Some(config) if errors.is_empty() => {
                Ok(Self { config, harnesses, places: document.places().clone(), base: base.to_owned() })
            }
            _ => Err(ConfigErrors::sorted(errors)),
        }
    }

    /// A builder with all the file says, but for the model: which providers there are is the host's to know.
    #[must_use]
    pub fn builder(&self) -> AgentBuilder {
        let mut builder = Agent::builder().limits(self.config.limits.clone());
        if let Some(name) = &self.config.name {
            builder = builder.name(name.as_str());
        }
        if let Some(instructions) = &self.config.instructions {
            builder = builder.instructions(instructions.as_str());
        }
        self.harnesses.iter().fold(builder, |builder, harness| builder.shared_harness(Arc::clone(harness)))
    }

    /// The models of the file: the first answers, the others when those before them have failed. Empty: it names none.
    #[must_use]
    pub fn models(&self) -> Vec<ModelPlan> {
        self.config.models(&self.base)
    }

    /// An error of a value of the file that its host found, such as a model that does not exist.
    #[must_use]
    pub fn error(&self, pointer: &str, message: impl Into<String>, suggestion: Option<String>) -> ConfigError {
        ConfigError::new(self.places.value(pointer), pointer, message, suggestion)
    }
}

/// The entries of a file that does not bind as a whole; `None` for those that are to blame.
fn sound_entries(json: &str) -> Vec<Option<HarnessEntry>> {
    #[derive(serde::Deserialize)]
    struct Loose<'a> {
        #[serde(borrow, default)]
        harnesses: Vec<&'a RawValue>,
    }
    let entries = serde_json::from_str::<Loose<'_>>(json).map(|loose| loose.harnesses).unwrap_or_default();
    let bind =
        |entry: &RawValue| outrigger_contract::bind::<HarnessEntry>(entry.get(), &WirePlan::default(), &LIMITS).ok();
    entries.into_iter().map(|entry| bind(entry).map(|bound| bound.value)).collect()
}

fn harnesses(
    entries: &[Option<HarnessEntry>],
    types: &[HarnessType],
    base: &Path,
    places: &Places,
) -> (Vec<Arc<dyn Harness>>, Vec<ConfigError>) {
    let (mut harnesses, mut errors) = (Vec::new(), Vec::new());
    for (index, entry) in entries.iter().enumerate() {
        let Some(entry) = entry else { continue };
        let earlier = entries.iter().take(index).flatten();
        let at = format!("/harnesses/{index}");
        if earlier.map(HarnessEntry::name).any(|name| name == entry.name()) {
            let message = format!("the harness {:?} is there twice", entry.name());
            errors.push(ConfigError::new(places.value(&at), &at, message, Some("keep one entry".to_owned())));
            continue;
        }
        match open(entry, types, base) {
            Ok(harness) => harnesses.push(harness),
            Err(problems) => errors.extend(problems.into_iter().flat_map(|problem| problem.place(entry, &at, places))),
        }
    }
    (harnesses, errors)
}

impl Problem {
    fn place(self, entry: &HarnessEntry, at: &str, places: &Places) -> Vec<ConfigError> {
        match self {
            Self::Config(error) => ConfigError::of_binding(&error, &format!("{at}/config"), places),
            Self::At { path, message, nearest } => {
                let path = match entry {
                    HarnessEntry::Name(_) => at.to_owned(),
                    HarnessEntry::Table(_) => format!("{at}{path}"),
                };
                let suggestion = nearest.first().map(|name| format!("did you mean {name:?}?"));
                vec![ConfigError::new(places.value(&path), &path, message, suggestion)]
            }
        }
    }
}

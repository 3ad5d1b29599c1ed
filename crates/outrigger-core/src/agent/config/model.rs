//! How a file says which models answer, and how they are reached. The core knows no provider: a host opens them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::Contract;

use super::error::ConfigError;
use super::places::Places;
use super::types::AgentConfig;

/// The model: its string, or a table that says more.
#[derive(Clone, Debug, PartialEq, Contract)]
#[serde(untagged)]
pub enum ModelEntry {
    /// `provider:model`.
    Choice(String),
    /// A table.
    Table(ModelTable),
}

/// A model, how it is reached, and who is asked when it fails.
#[derive(Clone, Debug, PartialEq, Contract)]
pub struct ModelTable {
    /// The model, as `provider:model`.
    #[arg(example = "openai:gpt-5-mini")]
    pub name: String,
    /// Where the provider is, for those that may be elsewhere.
    pub base_url: Option<String>,
    /// Where the key comes from, if not from the provider's environment variable.
    pub key: Option<KeyEntry>,
    /// Headers that requests have, by name.
    #[arg(default)]
    pub headers: BTreeMap<String, Hidden>,
    /// The URL of a proxy.
    pub proxy: Option<Hidden>,
    /// A PEM file of certificates to trust beside the system's.
    pub ca: Option<PathBuf>,
    /// Models that are asked, in order, when those before them have failed.
    #[arg(default)]
    pub fallback: Vec<FallbackEntry>,
}

/// A model that is asked when others have failed: its string, or a table that says more.
#[derive(Clone, Debug, PartialEq, Contract)]
#[serde(untagged)]
pub enum FallbackEntry {
    /// `provider:model`.
    Choice(String),
    /// A table.
    Table(FallbackTable),
}

/// A model that is asked when others have failed, and how it is reached.
#[derive(Clone, Debug, PartialEq, Contract)]
pub struct FallbackTable {
    /// The model, as `provider:model`.
    pub name: String,
    /// Where the provider is, for those that may be elsewhere.
    pub base_url: Option<String>,
    /// Where the key comes from, if not from the provider's environment variable.
    pub key: Option<KeyEntry>,
    /// Headers that requests have, by name.
    #[arg(default)]
    pub headers: BTreeMap<String, Hidden>,
    /// The URL of a proxy.
    pub proxy: Option<Hidden>,
    /// A PEM file of certificates to trust beside the system's.
    pub ca: Option<PathBuf>,
}

/// Where a key comes from: one of the three.
#[derive(Clone, Debug, PartialEq, Contract)]
pub struct KeyEntry {
    /// An environment variable.
    #[arg(example = "OPENAI_API_KEY")]
    pub env: Option<String>,
    /// A file that holds nothing else, and that only its owner may read.
    pub file: Option<PathBuf>,
    /// A command that prints it: the program and its words, run without a shell.
    #[arg(min_items = 1)]
    pub command: Option<Vec<String>>,
}

/// Text that may hold a secret: `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Contract)]
pub struct Hidden(pub String);

impl fmt::Debug for Hidden {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[hidden]")
    }
}

/// A model of a file, ready for a host to open: its paths start from the file's directory.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPlan {
    /// The model, as `provider:model`.
    pub choice: String,
    /// Where the provider is; `None`: where it always is.
    pub base_url: Option<String>,
    /// Where the key comes from; `None`: from the provider's environment variable.
    pub key: Option<KeySource>,
    /// Headers that requests have, by name.
    pub headers: BTreeMap<String, Hidden>,
    /// The URL of a proxy.
    pub proxy: Option<Hidden>,
    /// A PEM file of certificates to trust.
    pub ca: Option<PathBuf>,
    /// Where it stands in the file, as a JSON Pointer.
    pub pointer: String,
}

/// Where a key comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeySource {
    /// An environment variable.
    Env(String),
    /// A file.
    File(PathBuf),
    /// A command.
    Command {
        /// The program and its words.
        words: Vec<String>,
        /// Where it runs.
        directory: PathBuf,
    },
}

impl AgentConfig {
    /// The models of the file: the first answers, the others when those before them have failed. Empty: it names none.
    pub(super) fn models(&self, base: &Path) -> Vec<ModelPlan> {
        let plain = |choice: &str, pointer: String| ModelPlan {
            choice: choice.to_owned(),
            base_url: None,
            key: None,
            headers: BTreeMap::new(),
            proxy: None,
            ca: None,
            pointer,
        };
        let (first, fallback) = match &self.model {
            None => return Vec::new(),
            Some(ModelEntry::Choice(choice)) => (plain(choice, "/model".to_owned()), &[] as &[FallbackEntry]),
            Some(ModelEntry::Table(table)) => (table.plan(base), table.fallback.as_slice()),
        };
        let first = ModelPlan { base_url: first.base_url.or_else(|| self.base_url.clone()), ..first };
        let others = fallback.iter().enumerate().map(|(index, entry)| {
            let pointer = format!("/model/fallback/{index}");
            match entry {
                FallbackEntry::Choice(choice) => plain(choice, pointer),
                FallbackEntry::Table(table) => table.plan(base, pointer),
            }
        });
        std::iter::once(first).chain(others).collect()
    }

    /// What is wrong with the models although it binds.
    pub(super) fn model_errors(&self, places: &Places) -> Vec<ConfigError> {
        let Some(ModelEntry::Table(table)) = &self.model else { return Vec::new() };
        let mut errors = Vec::new();
        if table.base_url.is_some() && self.base_url.is_some() {
            let (at, suggestion) = ("/model/base_url", "keep the one in the model's table".to_owned());
            errors.push(ConfigError::new(places.key(at), at, "the base URL is there twice", Some(suggestion)));
        }
        let fallback = table.fallback.iter().enumerate().filter_map(|(index, entry)| match entry {
            FallbackEntry::Table(table) => Some((format!("/model/fallback/{index}/key"), &table.key)),
            FallbackEntry::Choice(_) => None,
        });
        let keys = std::iter::once(("/model/key".to_owned(), &table.key)).chain(fallback);
        errors.extend(keys.filter_map(|(at, key)| key.as_ref()?.error(&at, places)));
        errors
    }
}

impl ModelTable {
    fn plan(&self, base: &Path) -> ModelPlan {
        let Self { name, base_url, key, headers, proxy, ca, fallback: _ } = self.clone();
        FallbackTable { name, base_url, key, headers, proxy, ca }.plan(base, "/model".to_owned())
    }
}

impl FallbackTable {
    fn plan(&self, base: &Path, pointer: String) -> ModelPlan {
        ModelPlan {
            choice: self.name.clone(),
            base_url: self.base_url.clone(),
            key: self.key.as_ref().and_then(|key| key.source(base)),
            headers: self.headers.clone(),
            proxy: self.proxy.clone(),
            ca: self.ca.as_ref().map(|file| base.join(file)),
            pointer,
        }
    }
}

impl KeyEntry {
    fn source(&self, base: &Path) -> Option<KeySource> {
        let env = self.env.as_ref().map(|name| KeySource::Env(name.clone()));
        let file = || self.file.as_ref().map(|file| KeySource::File(base.join(file)));
        let command = || {
            let mut words = self.command.clone()?;
            // A program with a path is found like every file; one without, where programs are.
            if let Some(program) = words.first_mut().filter(|program| Path::new(program).components().count() > 1) {
                *program = std::path::absolute(base.join(&*program)).ok()?.to_string_lossy().into_owned();
            }
            Some(KeySource::Command { words, directory: base.to_owned() })
        };
        env.or_else(file).or_else(command)
    }

    fn error(&self, at: &str, places: &Places) -> Option<ConfigError> {
        let given = [self.env.is_some(), self.file.is_some(), self.command.is_some()];
        let message = match given.iter().filter(|given| **given).count() {
            0 => "the key comes from nowhere",
            1 => return None,
            _ => "the key comes from several places",
        };
        let suggestion = "write one of `env`, `file` and `command`".to_owned();
        Some(ConfigError::new(places.value(at), at, message, Some(suggestion)))
    }
}

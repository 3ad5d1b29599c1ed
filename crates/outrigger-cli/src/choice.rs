//! Which models are asked: by option or environment, else by the agent file.

use std::path::{Path, PathBuf};

use outrigger::agent::config::{AgentFile, ConfigError, KeySource, ModelPlan};
#[cfg(feature = "http")]
use outrigger::models::Key;
use outrigger::models::{ModelChoice, OpenOptions, PROVIDERS, model};

use crate::output::watch;

/// A model that is asked.
pub(crate) struct Chosen {
    /// The model.
    pub(crate) choice: ModelChoice,
    /// Where the file names it, as a JSON Pointer.
    pub(crate) pointer: Option<String>,
    /// Whether somebody chose it; else it is the default.
    pub(crate) configured: bool,
}

/// The models of a file, in order, unless another is asked for. The file's key, headers and so on are for its own
/// provider: one that is asked for has them where it is of the same.
pub(crate) fn chosen(file: &AgentFile, directory: &Path, asked: Option<&str>) -> Vec<Chosen> {
    let plans = file.models();
    let Some(asked) = asked else {
        let of_file = plans.into_iter().map(|plan| {
            let (name, pointer) = (from_directory(&plan.choice, directory), plan.pointer.clone());
            Chosen { choice: open_by(name, Some(plan)), pointer: Some(pointer), configured: true }
        });
        return of_file.collect();
    };
    let first = plans.into_iter().next();
    let choice = match first {
        Some(plan) if provider(&plan.choice) == provider(asked) => open_by(asked.to_owned(), Some(plan)),
        Some(_) => open_by(asked.to_owned(), None),
        // A base URL without a model is for whichever is asked for.
        None => match &file.config.base_url {
            Some(url) => open_by(asked.to_owned(), None).base_url(url),
            None => open_by(asked.to_owned(), None),
        },
    };
    vec![Chosen { choice, pointer: None, configured: true }]
}

fn provider(choice: &str) -> &str {
    choice.split_once(':').map_or(choice, |(provider, _)| provider)
}

fn open_by(name: String, plan: Option<ModelPlan>) -> ModelChoice {
    let watched = OpenOptions { watch: Some(watch()), ..OpenOptions::default() };
    let Some(plan) = plan else { return model(name).with_options(watched) };
    let headers = plan.headers.into_iter().map(|(name, value)| (name, value.0)).collect();
    let options =
        OpenOptions { base_url: plan.base_url, headers, proxy: plan.proxy.map(|url| url.0), ca: plan.ca, ..watched };
    let choice = model(name).with_options(options);
    #[cfg(feature = "http")]
    let choice = match plan.key.and_then(key) {
        Some(key) => choice.key(key),
        None => choice,
    };
    choice
}

#[cfg(feature = "http")]
fn key(source: KeySource) -> Option<Key> {
    match source {
        KeySource::Env(name) => Some(Key::env(name)),
        KeySource::File(path) => Some(Key::file(path)),
        KeySource::Command { words, directory } => Some(Key::command(words).in_directory(directory)),
        _ => None,
    }
}

/// What a file that was found, and not named, must not do: it may have come with somebody else's directory. It starts no
/// command, and sends no conversation and no key to a place of its own choice.
pub(crate) fn overreach(file: &AgentFile, path: &Path, asked: Option<&str>) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    let name = format!("to trust it, name it: --agent {}", path.display());
    let mut refuse = |pointer: &str, what: &str| {
        let message = format!("this file was found, not named: it may not {what}");
        errors.push(file.error(pointer, message, Some(name.clone())));
    };
    let mut plans = file.models();
    if let (Some(asked), Some(first)) = (asked, plans.first()) {
        let used = usize::from(provider(asked) == provider(&first.choice));
        plans.truncate(used);
    } else if file.config.base_url.as_deref().is_some_and(elsewhere) {
        refuse("/base_url", ELSEWHERE);
    }
    for plan in plans {
        let at = |key: &str| format!("{}/{key}", plan.pointer);
        if matches!(plan.key, Some(KeySource::Command { .. })) {
            refuse(&at("key/command"), "start a command");
        }
        let of_file = plan.base_url.is_some() && plan.base_url == file.config.base_url;
        if plan.base_url.as_deref().is_some_and(elsewhere) && !(of_file && asked.is_none()) {
            refuse(&if of_file { "/base_url".to_owned() } else { at("base_url") }, ELSEWHERE);
        }
        if plan.proxy.as_ref().is_some_and(|url| elsewhere(&url.0)) {
            refuse(&at("proxy"), "choose a proxy");
        }
        if plan.ca.is_some() {
            refuse(&at("ca"), "choose whom to trust");
        }
    }
    errors.sort_by_key(|error| (error.line, error.column));
    errors
}

const ELSEWHERE: &str = "choose where conversations are sent";

#[cfg(feature = "http")]
fn elsewhere(url: &str) -> bool {
    !outrigger::models::is_url_of_this_machine(url)
}

/// A build without providers over HTTP sends nothing anywhere.
#[cfg(not(feature = "http"))]
fn elsewhere(_: &str) -> bool {
    false
}

/// A model whose string names a file names it from the directory of the agent file.
fn from_directory(choice: &str, directory: &Path) -> String {
    let Some((name, rest)) = choice.split_once(':') else { return choice.to_owned() };
    let names_a_file = PROVIDERS.iter().any(|provider| provider.name == name && provider.takes_file());
    if names_a_file && !rest.is_empty() && directory != Path::new(".") {
        let file: PathBuf = directory.join(rest);
        format!("{name}:{}", file.display())
    } else {
        choice.to_owned()
    }
}

//! What an agent has and does, defaults included.

use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::runtime::{AgentModel, Limits, PerModel};
use crate::transcript::{ModelName, Text};

/// What an agent has and does, defaults included. Every feature is listed once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Features, and how they stand.
    pub features: Vec<Feature>,
    /// Every tool, and where it comes from.
    pub capabilities: Vec<Capability>,
    /// What someone may want to mend.
    pub notes: Vec<Note>,
}

/// A feature, and how it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// What it is.
    pub feature: Text,
    /// Whether it was asked for.
    pub requested: bool,
    /// How it stands: `enabled`, `disabled` or `always_on`.
    pub effective: Text,
    /// What is behind it.
    pub backing: Backing,
    /// What it does not do.
    pub limitation: Text,
}

/// What is behind a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backing {
    /// Nothing.
    None,
    /// What comes with Outrigger.
    Default,
    /// What the caller gave.
    Caller,
}

/// A tool, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capability {
    /// The identity.
    pub name: Text,
    /// What kind of capability: `tool`.
    pub kind: Text,
    /// The harness it comes from.
    pub source: Text,
}

/// Something someone may want to mend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What it is about.
    pub source: Text,
    /// What to know.
    pub message: Text,
}

/// What the caller gave, before the builder is used up.
pub(super) struct Made {
    pub(super) asker: bool,
    pub(super) store: bool,
    pub(super) limits: bool,
    pub(super) middleware: usize,
}

pub(super) fn make(made: &Made, models: &PerModel<AgentModel>, catalog: &Catalog, limits: &Limits) -> Report {
    let capabilities = catalog.entries().iter().map(|entry| Capability {
        name: entry.identity.clone(),
        kind: "tool".into(),
        source: entry.source.clone(),
    });
    Report {
        features: features(made, models, limits),
        capabilities: capabilities.collect(),
        notes: notes(catalog, models),
    }
}

fn features(made: &Made, models: &PerModel<AgentModel>, limits: &Limits) -> Vec<Feature> {
    let model = &models.first().model;
    let name = &model.profile().name;
    let fallbacks: Vec<String> = models.iter().skip(1).map(|one| shown(&one.model.profile().name)).collect();
    let caller = |given: bool| if given { Backing::Caller } else { Backing::Default };
    let feature = |feature: &str, requested: bool, effective: &str, backing: Backing, limitation: String| Feature {
        feature: feature.into(),
        requested,
        effective: effective.into(),
        backing,
        limitation: limitation.into(),
    };
    vec![
        feature("model", true, "enabled", Backing::Caller, format!("{}; its answers are its own", shown(name))),
        feature(
            "fallback",
            !fallbacks.is_empty(),
            if fallbacks.is_empty() { "disabled" } else { "enabled" },
            if fallbacks.is_empty() { Backing::None } else { Backing::Caller },
            if fallbacks.is_empty() {
                "a model that fails for good fails the turn".to_owned()
            } else {
                format!("then {}; a run does not go back to a model that failed", fallbacks.join(", "))
            },
        ),
        feature(
            "retry",
            made.limits,
            if limits.retries > 0 { "enabled" } else { "disabled" },
            caller(made.limits),
            format!("up to {} times, of failures that may pass; `Retry-After` is heeded", limits.retries),
        ),
        feature(
            "timeouts",
            made.limits,
            "always_on",
            caller(made.limits),
            format!(
                "connect {:?}, first byte {:?}, idle {:?}, attempt {:?}",
                limits.connect_timeout, limits.first_byte_timeout, limits.idle_timeout, limits.attempt_timeout
            ),
        ),
        feature(
            "strict_binding",
            false,
            "always_on",
            Backing::Default,
            format!("arguments over {} bytes or {} levels are refused", limits.argument_bytes, limits.argument_depth),
        ),
        feature(
            "legality",
            false,
            "always_on",
            Backing::Default,
            format!("checks the form of the {} dialect, not what messages say", model.profile().dialect.name),
        ),
        feature(
            "limits",
            made.limits,
            "always_on",
            caller(made.limits),
            format!("a turn ends after {} iterations or {:?}", limits.max_iterations, limits.max_duration),
        ),
        feature(
            "permissions",
            made.asker,
            "always_on",
            if made.asker { Backing::Caller } else { Backing::None },
            if made.asker {
                "only tools that require permission are asked for".to_owned()
            } else {
                "nobody is asked: tools that require permission are denied".to_owned()
            },
        ),
        feature(
            "threads",
            made.store,
            "always_on",
            caller(made.store),
            if made.store {
                "as durable as the store that was given".to_owned()
            } else {
                "kept in memory: gone with the agent".to_owned()
            },
        ),
        feature(
            "middleware",
            made.middleware > 0,
            if made.middleware > 0 { "enabled" } else { "disabled" },
            if made.middleware > 0 { Backing::Caller } else { Backing::None },
            format!("{} registered", made.middleware),
        ),
        feature(
            "context_budget",
            false,
            "disabled",
            Backing::None,
            "requests are sized, not bounded: a long thread can outgrow the model's window".to_owned(),
        ),
    ]
}

fn shown(name: &ModelName) -> String {
    format!("{}:{}", name.provider, name.model)
}

fn notes(catalog: &Catalog, models: &PerModel<AgentModel>) -> Vec<Note> {
    let of_models = models.iter().map(|one| one.model.profile()).flat_map(|profile| {
        let source: Text = shown(&profile.name).into();
        profile.notes.iter().map(move |message| Note { source: source.clone(), message: message.clone() })
    });
    let mut notes: Vec<Note> = of_models.collect();
    let menus = &models.first().menus;
    for entry in catalog.entries() {
        let mut note = |message: Text| notes.push(Note { source: entry.identity.clone(), message });
        if entry.tool.spec().description.is_empty() {
            note("has no description: a model can only guess what it is for; add a doc comment".into());
        }
        for loss in menus.item(&entry.identity).iter().flat_map(|item| item.losses.iter()) {
            let path = if loss.path.is_empty() { "/" } else { &loss.path };
            note(format!("the model's schema cannot say {} at {path}; the binder still enforces it", loss.what).into());
        }
    }
    notes
}

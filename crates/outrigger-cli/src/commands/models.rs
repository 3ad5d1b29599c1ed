//! `outrigger models`.

use std::io::Write;

use outrigger::models::{Endpoint, PROVIDERS, Provider};
use serde::Serialize;

use crate::args::Models;
use crate::failure::Failure;
use crate::output::print_line;
use crate::setup::DEFAULT_MODEL;

#[derive(Serialize)]
struct List {
    models: Vec<Entry>,
    default: &'static str,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    takes: &'static str,
    about: &'static str,
    base_url: Option<&'static str>,
    key: Option<KeyOf>,
}

/// The key a provider takes.
#[derive(Serialize)]
struct KeyOf {
    variable: &'static str,
    required: bool,
    set: bool,
}

impl From<&'static Provider> for Entry {
    fn from(provider: &'static Provider) -> Self {
        let endpoint = provider.endpoint();
        let key = endpoint.map(|Endpoint { key_variable: variable, needs_key: required, .. }| KeyOf {
            variable,
            required,
            set: std::env::var_os(variable).is_some_and(|value| !value.is_empty()),
        });
        let &Provider { name, takes, about, .. } = provider;
        Self { name, takes, about, base_url: endpoint.and_then(|endpoint| endpoint.base_url), key }
    }
}

impl Entry {
    /// How it stands with the key, in words.
    fn key(&self) -> String {
        match &self.key {
            None => String::new(),
            Some(KeyOf { variable, set: true, .. }) => format!("; key in {variable}, which is set"),
            Some(KeyOf { variable, required: true, .. }) => format!("; needs a key in {variable}, which is not set"),
            Some(KeyOf { variable, .. }) => format!("; sends a key if {variable} is set"),
        }
    }
}

pub(crate) fn models(options: &Models) -> Result<u8, Failure> {
    let models: Vec<Entry> = PROVIDERS.iter().map(Entry::from).collect();
    if options.json {
        print_line(&List { models, default: DEFAULT_MODEL })?;
        return Ok(0);
    }
    let mut out = std::io::stdout().lock();
    for one in &models {
        writeln!(out, "{:<24} {}{}", format!("{}{}", one.name, one.takes), one.about, one.key())?;
    }
    Ok(0)
}

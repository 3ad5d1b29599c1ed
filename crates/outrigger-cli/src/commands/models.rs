//! `outrigger models`.

use std::io::Write;

use outrigger::models::PROVIDERS;
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
}

pub(crate) fn models(options: &Models) -> Result<u8, Failure> {
    if options.json {
        let entries = PROVIDERS.iter().map(|one| Entry { name: one.name, takes: one.takes, about: one.about });
        print_line(&List { models: entries.collect(), default: DEFAULT_MODEL })?;
        return Ok(0);
    }
    let mut out = std::io::stdout().lock();
    for provider in PROVIDERS {
        writeln!(out, "{:<24} {}", format!("{}{}", provider.name, provider.takes), provider.about)?;
    }
    Ok(0)
}

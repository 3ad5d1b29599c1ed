//! `outrigger check`: what the agent has and does, and what is wrong with it.

use std::io::Write;
use std::path::Path;

use outrigger::agent::{Capability, Feature, Note, Report};
use serde::Serialize;

use crate::args::Check;
use crate::failure::{Failure, FileError};
use crate::output::{error, one_line, print_line};
use crate::runtime::block_on;
use crate::setup::Setup;

/// The exit code when there are errors.
const WRONG: u8 = 2;

#[derive(Serialize)]
struct Checked<'a> {
    features: &'a [Feature],
    capabilities: &'a [Capability],
    servers: [(); 0],
    notes: &'a [Note],
    errors: Vec<Wrong<'a>>,
}

#[derive(Serialize)]
struct Wrong<'a> {
    file: Option<&'a Path>,
    line: Option<u32>,
    column: Option<u32>,
    path: Option<&'a str>,
    message: &'a str,
    suggestion: Option<&'a str>,
}

pub(crate) fn check(options: &Check) -> Result<u8, Failure> {
    let (report, errors) = match report(options) {
        Ok(report) => (report, Vec::new()),
        Err(Failure::Config(errors)) => (Report { features: vec![], capabilities: vec![], notes: vec![] }, errors),
        Err(other) => return Err(other),
    };
    if options.json {
        let Report { features, capabilities, notes } = &report;
        let wrong = errors.iter().map(Wrong::from).collect();
        print_line(&Checked { features, capabilities, servers: [], notes, errors: wrong })?;
    } else {
        show(&report)?;
        errors.iter().for_each(|wrong| error(&wrong.to_string()));
    }
    Ok(if errors.is_empty() { 0 } else { WRONG })
}

/// Building the agent is the check: nothing is told here that building does not know.
fn report(options: &Check) -> Result<Report, Failure> {
    let setup = Setup::load(options.agent.agent.as_deref())?;
    block_on(async {
        let asked = options.model.model.as_deref();
        let agent = setup.build(asked, |builder| builder).await?;
        let mut report = agent.describe().clone();
        let routes =
            setup.routes(asked)?.into_iter().map(|route| Note { source: "model".into(), message: route.into() });
        report.notes.splice(0..0, routes);
        Ok(report)
    })
}

impl<'a> From<&'a FileError> for Wrong<'a> {
    fn from(error: &'a FileError) -> Self {
        let place = error.place.as_ref();
        Self {
            file: error.file.as_deref(),
            line: place.map(|(line, ..)| *line),
            column: place.map(|(_, column, _)| *column),
            path: place.map(|(.., path)| path.as_str()),
            message: &error.message,
            suggestion: error.suggestion.as_deref(),
        }
    }
}

fn show(report: &Report) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for feature in &report.features {
        let Feature { feature, effective, limitation, .. } = feature;
        writeln!(out, "{feature:<16} {effective:<10} {}", one_line(limitation))?;
    }
    for capability in &report.capabilities {
        writeln!(out, "{:<16} {}", capability.kind, one_line(&capability.name))?;
    }
    for note in &report.notes {
        writeln!(out, "note: {}: {}", one_line(&note.source), one_line(&note.message))?;
    }
    Ok(())
}

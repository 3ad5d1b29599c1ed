//! `outrigger tools`: the menu as the model sees it.

use std::io::Write;

use outrigger::agent::Agent;
use outrigger::catalog::Entry;
use outrigger::contract::{Loss, LossKind, SchemaProfile, nearest_names};
use outrigger::models::profiles::PROFILES;
use outrigger::scripted::{Script, ScriptedModel};
use serde::Serialize;

use crate::args::Tools;
use crate::failure::Failure;
use crate::output::{cut, one_line, print_line};
use crate::runtime::block_on;
use crate::setup::Setup;

/// The most characters of a description that are shown.
const ABOUT: usize = 80;

/// Bytes that a token stands for, at least, in what tools are told in. An estimate that errs upwards.
const BYTES_A_TOKEN: u64 = 3;

#[derive(Serialize)]
struct Menu<'a> {
    profile: &'a str,
    tools: Vec<Tool<'a>>,
    visible_tokens: u64,
    flat_tokens: u64,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    identity: &'a str,
    wire_name: &'a str,
    visible: bool,
    behind: [&'a str; 0],
    source: &'a str,
    bytes: u64,
    tokens: u64,
    strict: bool,
    losses: &'a [Loss],
}

pub(crate) fn tools(options: &Tools) -> Result<u8, Failure> {
    let schemas = profile(&options.profile)?;
    let setup = Setup::load(options.agent.agent.as_deref())?;
    // The menu is a matter of the profile alone.
    let model = ScriptedModel::new(Script::new()).with_schemas(schemas);
    let agent = block_on(async { Ok(setup.builder().model(model).build().await?) })?;
    let menu = menu(&agent, &options.profile);
    if options.json {
        print_line(&menu)?
    } else {
        show(&agent, &menu)?
    }
    Ok(0)
}

fn profile(name: &str) -> Result<SchemaProfile, Failure> {
    let known = || PROFILES.iter().map(|(name, _)| *name);
    PROFILES.iter().find(|(known, _)| *known == name).map(|(_, make)| make()).ok_or_else(|| {
        let near = nearest_names(name, known(), 1);
        let mean = near.first().map(|near| format!(" (did you mean {near:?}?)")).unwrap_or_default();
        let known = known().collect::<Vec<_>>().join(", ");
        Failure::Usage(format!("there is no profile {name:?}{mean}; there are: {known}"))
    })
}

fn menu<'a>(agent: &'a Agent, profile: &'a str) -> Menu<'a> {
    let tools: Vec<Tool<'_>> = agent.catalog().entries().iter().filter_map(|entry| tool(agent, entry)).collect();
    let tokens = tools.iter().map(|tool| tool.tokens).fold(0, u64::saturating_add);
    Menu { profile, tools, visible_tokens: tokens, flat_tokens: tokens }
}

fn tool<'a>(agent: &'a Agent, entry: &'a Entry) -> Option<Tool<'a>> {
    let item = agent.menu().item(&entry.identity)?;
    let bytes = item.block.wire.len() as u64;
    Some(Tool {
        name: &entry.name,
        identity: &entry.identity,
        wire_name: &item.block.name,
        visible: true,
        behind: [],
        source: &entry.source,
        bytes,
        tokens: bytes.div_ceil(BYTES_A_TOKEN),
        strict: item.block.strict,
        losses: &item.losses,
    })
}

fn show(agent: &Agent, menu: &Menu<'_>) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let width = menu.tools.iter().map(|tool| tool.identity.chars().count()).max().unwrap_or(0);
    for tool in &menu.tools {
        let about = agent.catalog().by_identity(tool.identity).map_or("", |entry| &entry.tool.spec().description);
        let about = cut(&one_line(about.lines().next().unwrap_or_default()), ABOUT);
        let strict = if tool.strict { "strict  " } else { "" };
        writeln!(out, "{:<width$}  {:>5} bytes  {strict}{about}", tool.identity, tool.bytes)?;
        for loss in tool.losses {
            let path = if loss.path.is_empty() { "/".to_owned() } else { one_line(&loss.path) };
            writeln!(out, "{:<width$}  {path}: {} {}", "", kind(loss.kind), one_line(&loss.what))?;
        }
    }
    let count = menu.tools.len();
    writeln!(out, "{count} tools, about {} tokens in the {} profile", menu.visible_tokens, menu.profile)?;
    Ok(())
}

/// What became of something that a dialect cannot say.
fn kind(kind: LossKind) -> &'static str {
    match kind {
        LossKind::Described => "in words:",
        LossKind::Dropped => "not said:",
        LossKind::NotStrict => "not strict:",
        _ => "lost:",
    }
}

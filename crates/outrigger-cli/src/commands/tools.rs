//! `outrigger tools`: the menu as the model sees it.

use std::io::Write;

use outrigger::agent::Agent;
use outrigger::catalog::{Container, Entry, Menu as Shown};
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
    behind: Vec<&'a str>,
    source: &'a str,
    bytes: u64,
    tokens: u64,
    strict: bool,
    losses: &'a [Loss],
    #[serde(skip)]
    is_container: bool,
    #[serde(skip)]
    description: &'a str,
}

pub(crate) fn tools(options: &Tools) -> Result<u8, Failure> {
    let schemas = profile(&options.profile)?;
    let setup = Setup::load(options.agent.agent.as_deref())?;
    // The menu is a matter of the profile alone.
    let model = ScriptedModel::new(Script::new()).with_schemas(schemas);
    let agent = block_on(async { Ok(setup.builder().model(model).build().await?) })?;
    let openings = agent.catalog().openings(options.expand.iter().map(String::as_str));
    let shown = agent.menu_of(&openings.map_err(|unknown| Failure::Usage(unknown.to_string()))?);
    let menu = menu(&agent, &shown, &options.profile);
    if options.json {
        print_line(&menu)?
    } else {
        show(&menu)?
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

fn menu<'a>(agent: &'a Agent, shown: &'a Shown, profile: &'a str) -> Menu<'a> {
    let catalog = agent.catalog();
    let containers = catalog.containers().iter().filter_map(|one| container(shown, one));
    let tools = catalog.entries().iter().filter_map(|entry| tool(agent, shown, entry));
    let tools: Vec<Tool<'_>> = containers.chain(tools).collect();
    let sum = |of: fn(&Tool<'_>) -> bool| {
        tools.iter().filter(|tool| of(tool)).map(|tool| tool.tokens).fold(0, u64::saturating_add)
    };
    let (visible_tokens, flat_tokens) = (sum(|tool| tool.visible), sum(|tool| !tool.is_container));
    Menu { profile, visible_tokens, flat_tokens, tools }
}

fn container<'a>(shown: &'a Shown, container: &'a Container) -> Option<Tool<'a>> {
    let behind = container.outer().into_iter().collect();
    told(shown, &container.name, &container.name, &container.name, behind, true)
}

fn tool<'a>(agent: &'a Agent, shown: &'a Shown, entry: &'a Entry) -> Option<Tool<'a>> {
    let behind = agent.catalog().owners(&entry.identity).map(|one| &*one.name).collect();
    told(shown, &entry.name, &entry.identity, &entry.source, behind, false)
}

fn told<'a>(
    shown: &'a Shown,
    name: &'a str,
    identity: &'a str,
    source: &'a str,
    behind: Vec<&'a str>,
    is_container: bool,
) -> Option<Tool<'a>> {
    let item = shown.item(identity)?;
    let bytes = item.block.wire.len() as u64;
    Some(Tool {
        name,
        identity,
        wire_name: &item.block.name,
        visible: shown.has(identity),
        behind,
        is_container,
        description: &item.block.description,
        source,
        bytes,
        tokens: bytes.div_ceil(BYTES_A_TOKEN),
        strict: item.block.strict,
        losses: &item.losses,
    })
}

fn show(menu: &Menu<'_>) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let width = menu.tools.iter().map(|tool| tool.identity.chars().count()).max().unwrap_or(0);
    for tool in &menu.tools {
        let about = cut(&one_line(tool.description.lines().next().unwrap_or_default()), ABOUT);
        let strict = if tool.strict { "strict  " } else { "" };
        let hidden = if tool.visible { String::new() } else { format!("behind {}  ", tool.behind.join(", ")) };
        let opened = if tool.is_container && !tool.visible { "open  " } else { &hidden };
        writeln!(out, "{:<width$}  {:>5} bytes  {strict}{opened}{about}", tool.identity, tool.bytes)?;
        for loss in tool.losses {
            let path = if loss.path.is_empty() { "/".to_owned() } else { one_line(&loss.path) };
            writeln!(out, "{:<width$}  {path}: {} {}", "", kind(loss.kind), one_line(&loss.what))?;
        }
    }
    let count = menu.tools.iter().filter(|tool| !tool.is_container).count();
    let visible = menu.tools.iter().filter(|tool| tool.visible).count();
    if visible == menu.tools.len() {
        writeln!(out, "{count} tools, about {} tokens in the {} profile", menu.visible_tokens, menu.profile)?;
    } else {
        let Menu { profile, visible_tokens, flat_tokens, .. } = menu;
        writeln!(
            out,
            "{count} tools; {visible} entries visible, about {visible_tokens} tokens in the {profile} profile; {flat_tokens} if nothing collapsed"
        )?;
    }
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

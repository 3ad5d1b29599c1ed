//! `outrigger call`: one tool, without a model.

use futures_util::StreamExt;
use outrigger::agent::Agent;
use outrigger::catalog::{Entry, Resolution};
use outrigger::contract::{BindError, Issue, Limits, WirePlan};
use outrigger::event::EventKind;
use outrigger::scripted::{Script, ScriptedModel};
use outrigger::transcript::{CallStatus, Openings};
use serde::Serialize;

use super::NO_ANSWER;
use crate::args::Call;
use crate::failure::Failure;
use crate::interrupt::Interrupts;
use crate::output::{error, print_line, print_text};
use crate::runtime::block_on;
use crate::setup::{Setup, read_stdin};

/// The exit code for a tool that does not exist.
const NO_TOOL: u8 = 2;

#[derive(Serialize)]
struct Outcome {
    status: CallStatus,
    content: String,
    issues: Vec<Issue>,
}

pub(crate) fn call(options: &Call) -> Result<u8, Failure> {
    let args = if options.args == "-" { read_stdin()? } else { options.args.clone() };
    let setup = Setup::load(options.agent.agent.as_deref())?;
    let outcome = block_on(perform(&setup, &options.name, &args))?;
    if options.json {
        print_line(&outcome)?;
    } else if outcome.status.is_ok() {
        print_text(&outcome.content)?;
    } else {
        error(&outcome.content);
    }
    Ok(match outcome.status {
        CallStatus::Ok => 0,
        CallStatus::UnknownTool => NO_TOOL,
        _ => NO_ANSWER,
    })
}

/// The call goes the way of every call: a script asks for it, and the runtime binds, runs and shapes it.
async fn perform(setup: &Setup, name: &str, args: &str) -> Result<Outcome, Failure> {
    let script = Script::new().call(name, args).text("done");
    let agent = setup.builder().model(ScriptedModel::new(script)).build().await?;
    let menu = agent.menu();
    let entry = match agent.catalog().resolve(name, &Openings::default(), &menu) {
        Resolution::Tool(entry) => entry,
        Resolution::Hidden(hidden) => hidden.entry,
        Resolution::Unknown { nearest } => return Ok(unknown(&agent, name, &nearest)),
        // A container is opened like a tool, and takes no arguments.
        _ => return follow(&agent).await,
    };
    if let Err(error) = bind(setup, &agent, entry, args) {
        let content = error.for_model();
        return Ok(Outcome { status: CallStatus::InvalidArguments, content, issues: error.issues });
    }
    follow(&agent).await
}

async fn follow(agent: &Agent) -> Result<Outcome, Failure> {
    let interrupts = Interrupts::listen();
    let mut stream = agent.stream("Call the tool.");
    let mut result = None;
    loop {
        let event = tokio::select! {
            event = stream.next() => event,
            () = interrupts.pressed() => {
                stream.cancel();
                continue;
            }
        };
        let Some(event) = event else { break };
        if let EventKind::ToolCallResult { status, content, .. } = event.kind {
            result = Some(Outcome { status, content: content.to_string(), issues: Vec::new() });
        }
    }
    let cancelled =
        || Outcome { status: CallStatus::Cancelled, content: "The call was cancelled.".into(), issues: vec![] };
    Ok(result.unwrap_or_else(cancelled))
}

fn bind(setup: &Setup, agent: &Agent, entry: &Entry, args: &str) -> Result<(), BindError> {
    let limits = &setup.file().config.limits;
    let text = usize::try_from(limits.argument_bytes.get()).unwrap_or(usize::MAX);
    let limits = Limits { text, depth: limits.argument_depth.get() };
    let plan = agent.menu().item(&entry.identity).map_or_else(WirePlan::default, |item| (*item.plan).clone());
    entry.tool.bind(args, &plan, &limits).map(drop)
}

fn unknown(agent: &Agent, name: &str, nearest: &[outrigger::transcript::Text]) -> Outcome {
    let names: Vec<&str> = agent.catalog().entries().iter().map(|entry| &*entry.identity).collect();
    let content = match nearest {
        [] => format!("There is no tool {name:?}. There are: {}.", names.join(", ")),
        _ => format!("There is no tool {name:?}. Nearest: {}.", nearest.join(", ")),
    };
    Outcome { status: CallStatus::UnknownTool, content, issues: Vec::new() }
}

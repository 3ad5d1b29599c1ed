//! How well the embedded model uses the program's own tools: prompts from a file, what was expected, what came.
//!
//! `cargo run --release -p outrigger --features local --example evaluate_local -- examples/evaluate_local/prompts-before.jsonl`
//!
//! A line of the file is `{"ask", "tool", "args"}`, with `"or"` a list of other right arguments; two expressions are the
//! same if the calculator says so. `--least TOOLS,ARGUMENTS` fails the run below so many right ones, and any call that
//! did not bind fails it too.

use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use outrigger::event::EventKind;
use outrigger::harnesses::{Calculator, Clock, Files};
use outrigger::prelude::*;
use outrigger::transcript::CallStatus;
use serde::Deserialize;
use serde_json::{Map, Value};

/// One prompt, and what it should lead to.
#[derive(Deserialize)]
struct Case {
    ask: String,
    tool: String,
    args: Map<String, Value>,
    #[serde(default)]
    or: Vec<Map<String, Value>>,
}

/// What a prompt led to.
#[derive(Default)]
struct Outcome {
    tool: String,
    arguments: String,
    bound: bool,
    answer: String,
    first_call: Duration,
    whole: Duration,
}

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let file =
        arguments.next().ok_or("usage: evaluate_local PROMPTS.jsonl [--least TOOLS,ARGUMENTS] [--model CHOICE]")?;
    let (mut least, mut choice) = ((0, 0), "local".to_owned());
    while let (Some(option), Some(value)) = (arguments.next(), arguments.next()) {
        match option.as_str() {
            "--least" => {
                let (tools, calls) = value.split_once(',').ok_or("--least takes TOOLS,ARGUMENTS")?;
                least = (tools.parse()?, calls.parse()?);
            }
            "--model" => choice = value,
            other => return Err(format!("there is no option {other}").into()),
        }
    }
    let agent = Agent::builder()
        .model(model(choice))
        .harness(Calculator)
        .harness(Clock::new())
        .harness(Files::new(Path::new("."))?)
        .build()
        .await?;
    let (mut all, mut tools, mut right, mut unbound) = (0, 0, 0, 0);
    for line in std::fs::read_to_string(file)?.lines().filter(|line| !line.trim().is_empty()) {
        let case: Case = serde_json::from_str(line)?;
        let outcome = ask(&agent, &case.ask).await?;
        let right_tool = outcome.tool == case.tool;
        let right_arguments = right_tool && fits(&case, &outcome.arguments);
        all += 1;
        tools += u32::from(right_tool);
        right += u32::from(right_arguments);
        unbound += u32::from(!outcome.tool.is_empty() && !outcome.bound);
        println!(
            "{} {} {:5.1}s {:5.1}s  {:46} {} {}",
            if right_tool { "tool" } else { "----" },
            if right_arguments { "args" } else { "----" },
            outcome.first_call.as_secs_f64(),
            outcome.whole.as_secs_f64(),
            case.ask,
            if outcome.tool.is_empty() { "(answered)" } else { &outcome.tool },
            if outcome.tool.is_empty() { &outcome.answer } else { &outcome.arguments },
        );
    }
    println!("{all} prompts: {tools} right tools, {right} right arguments, {unbound} calls that did not bind");
    if tools < least.0 || right < least.1 || unbound > 0 {
        return Err(format!(
            "fewer than {} right tools or {} right arguments, or a call that did not bind",
            least.0, least.1
        )
        .into());
    }
    Ok(())
}

/// Runs one prompt to its end and keeps its first call.
async fn ask(agent: &Agent, prompt: &str) -> Result<Outcome, Failure> {
    let began = Instant::now();
    let mut outcome = Outcome { bound: true, ..Outcome::default() };
    let mut stream = agent.stream(prompt);
    while let Some(event) = stream.next().await {
        match event.kind {
            EventKind::ToolCallStarted { name, .. } if outcome.tool.is_empty() => {
                outcome.tool = name.to_string();
                outcome.first_call = began.elapsed();
            }
            EventKind::ToolCallArguments { delta, .. } if outcome.first_call > Duration::ZERO => {
                outcome.arguments.push_str(&delta);
            }
            EventKind::ToolCallResult { status, .. } => {
                outcome.bound &= status != CallStatus::InvalidArguments;
            }
            EventKind::TextDelta { text, .. } => outcome.answer.push_str(&text.replace('\n', " ")),
            _ => {}
        }
    }
    stream.result().await?;
    outcome.whole = began.elapsed();
    outcome.answer = outcome.answer.chars().take(60).collect();
    Ok(outcome)
}

/// Whether the arguments are among the right ones; `null` is the same as left out.
fn fits(case: &Case, arguments: &str) -> bool {
    let Ok(Value::Object(mut sent)) = serde_json::from_str(arguments) else { return false };
    sent.retain(|_, value| !value.is_null());
    std::iter::once(&case.args).chain(&case.or).any(|wanted| {
        wanted.len() == sent.len()
            && wanted.iter().all(|(name, value)| sent.get(name).is_some_and(|sent| same(name, value, sent)))
    })
}

fn same(name: &str, wanted: &Value, sent: &Value) -> bool {
    if wanted == sent {
        return true;
    }
    let value = |expression: &Value| Calculator.calculate(expression.as_str().unwrap_or_default().to_owned()).ok();
    match (name, value(wanted), value(sent)) {
        ("expression", Some(wanted), Some(sent)) => wanted.to_string() == sent.to_string(),
        _ => false,
    }
}

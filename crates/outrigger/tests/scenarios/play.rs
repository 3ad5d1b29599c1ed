//! Plays a script in process or over a wire, and tells what became of it in a form that names no provider.

use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::StreamExt;
use outrigger::agent::{Agent, Limits, RunError, RunStream};
use outrigger::event::EventKind;
use outrigger::model::{IntoModel, MessageLine};
use outrigger::prelude::*;
use outrigger::scripted::{Script, ScriptedModel};
use outrigger::transcript::UserMessage;
use outrigger_mock::{Mock, Wire};
use serde_json::{Value, json};

/// Counts how often its bodies ran.
#[derive(Default)]
pub(crate) struct Weather {
    ran: AtomicU32,
}

/// Weather reports.
#[harness]
impl Weather {
    /// Gets the current weather for a city.
    #[tool]
    async fn current(
        &self,
        /// The city to look up.
        city: String,
        /// How many days ahead.
        #[arg(default)]
        days: Option<u8>,
    ) -> String {
        self.ran.fetch_add(1, Ordering::SeqCst);
        format!("Sunny in {city}, {} days ahead.", days.unwrap_or_default())
    }
}

/// One scenario: what is asked, what the model does.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) input: UserMessage,
    pub(crate) script: Script,
    /// Whether the run is cancelled when the model has begun to write.
    pub(crate) cancelled: bool,
}

/// Where a script is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    InProcess,
    Over(Wire),
}

/// What became of it.
pub(crate) async fn play(scenario: &Scenario, stage: Stage) -> Value {
    let script = scenario.script.clone();
    match stage {
        Stage::InProcess => run(scenario, ScriptedModel::new(script), None).await,
        Stage::Over(wire) => {
            let mock = Mock::start(wire, script).await;
            let name = match wire {
                Wire::Chat => "openai:mock",
                Wire::Anthropic => "anthropic:mock",
            };
            let model = outrigger::models::model(name)
                .base_url(mock.base_url())
                .key(outrigger::models::Key::new("a-key-for-tests"));
            run(scenario, model, Some(&mock)).await
        }
    }
}

async fn run(scenario: &Scenario, model: impl IntoModel, mock: Option<&Mock>) -> Value {
    let weather = std::sync::Arc::new(Weather::default());
    let limits = Limits { max_iterations: std::num::NonZeroU32::new(60).unwrap(), ..Limits::default() };
    let builder = Agent::builder().model(model).instructions("Be brief.").limits(limits);
    let agent = builder.shared_harness(weather.clone()).build().await.unwrap();
    let thread = agent.thread("s", "main");
    let mut stream = thread.stream(scenario.input.clone());
    let retries = follow(&mut stream, scenario.cancelled).await;
    let (stop, result) = match stream.result().await {
        Ok(result) => (result.stop.as_str().to_owned(), result),
        Err(RunError::Failed { fault, result }) => (fault.kind.to_string(), *result),
        Err(other) => panic!("{other}"),
    };
    if let (true, Some(mock)) = (scenario.cancelled, mock) {
        mock.reader_left().await;
    }
    let messages = thread.view().await.unwrap().messages().with(|messages| {
        messages.iter().map(|message| serde_json::to_value(MessageLine::from(&**message)).unwrap()).collect::<Vec<_>>()
    });
    json!({
        "stop": stop,
        "text": result.text(),
        "iterations": result.iterations,
        "usage": { "input": result.usage.input, "output": result.usage.output, "cached": result.usage.cached },
        "retries": retries,
        "bodies": weather.ran.load(Ordering::SeqCst),
        "messages": messages,
    })
}

/// Reads a run to its end; tells the kinds of the failures that were tried again.
async fn follow(stream: &mut RunStream, cancel: bool) -> Vec<String> {
    let mut retries = Vec::new();
    while let Some(event) = stream.next().await {
        match event.kind {
            EventKind::Retry { kind, .. } => retries.push(kind.to_string()),
            EventKind::TextDelta { .. } if cancel => stream.cancel(),
            _ => {}
        }
    }
    retries
}

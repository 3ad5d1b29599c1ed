//! Agents against a provider that is not ours: aimock, from npm, which speaks OpenAI's chat completions and Anthropic's
//! messages and fails on demand (M12).
//!
//! `OUTRIGGER_AIMOCK` names the folder of the installed package `@copilotkit/aimock`, or its program. Without it, or
//! without Node, each test says so and passes. `.ci/run` has the version these tests are written for.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod answers;
mod faults;
mod server;
mod tools;

use std::sync::{Arc, Mutex};

use futures_util::StreamExt;
use outrigger::agent::{AgentBuilder, RunError};
use outrigger::event::EventKind;
use outrigger::models::Key;
use outrigger::prelude::*;
use outrigger::transcript::UserMessage;
use server::Aimock;

/// One way to talk to the same provider.
#[derive(Clone, Copy)]
struct Wire {
    model: &'static str,
    base: &'static str,
    path: &'static str,
}

const CHAT: Wire = Wire { model: "openai:gpt-5", base: "/v1", path: "/v1/chat/completions" };
const MESSAGES: Wire = Wire { model: "anthropic:claude-sonnet-4-5", base: "", path: "/v1/messages" };
const WIRES: [Wire; 2] = [CHAT, MESSAGES];

const SYSTEM: &str = "You know the weather.";

/// The weather, and where it was asked for.
#[derive(Clone, Default)]
struct Weather {
    asked: Arc<Mutex<Vec<String>>>,
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
    ) -> String {
        self.asked.lock().unwrap().push(city.clone());
        format!("21 degrees in {city}, sunny")
    }
}

impl Weather {
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Wire {
    /// An agent that talks to the server on this wire.
    fn agent(self, server: &Aimock, weather: &Weather) -> AgentBuilder {
        let model = model(self.model).base_url(format!("{}{}", server.url(), self.base)).key(Key::new("a key"));
        Agent::builder().instructions(SYSTEM).model(model).harness(weather.clone())
    }

    /// An answer to one message.
    async fn ask(self, server: &Aimock, message: impl Into<UserMessage>) -> TurnResult {
        let agent = self.agent(server, &Weather::default()).build().await.unwrap();
        agent.run(message).await.unwrap()
    }
}

/// What was told of a run, and how it ended.
struct Told {
    text: String,
    deltas: usize,
    reasoning: String,
    /// The kinds of the failures after which it was tried again.
    retries: Vec<String>,
    result: Result<TurnResult, RunError>,
}

impl Told {
    async fn of(agent: &Agent, message: &str) -> Self {
        let mut stream = agent.stream(message);
        let (mut text, mut deltas, mut reasoning, mut retries) = (String::new(), 0, String::new(), Vec::new());
        while let Some(event) = stream.next().await {
            match event.kind {
                EventKind::TextDelta { text: delta, .. } => {
                    text.push_str(&delta);
                    deltas += 1;
                }
                EventKind::ReasoningDelta { text } => reasoning.push_str(&text),
                EventKind::Retry { kind, .. } => {
                    text.clear();
                    retries.push(kind.to_string());
                }
                _ => {}
            }
        }
        Self { text, deltas, reasoning, retries, result: stream.result().await }
    }

    /// The kind of the failure it ended with.
    fn fault(&self) -> &str {
        match &self.result {
            Err(RunError::Failed { fault, .. }) => &fault.kind,
            other => panic!("not a failed turn: {other:?}"),
        }
    }
}

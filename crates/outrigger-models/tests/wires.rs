//! Both wires, whole: an agent, a tool and a provider on this machine (M2, M5, M12).
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use outrigger_core::agent::{Agent, Limits};
use outrigger_core::harness;
use outrigger_mock::{Mock, Wire};
use outrigger_models::scripted::{Script, ScriptFault, ScriptPart, ScriptStep, ScriptUsage};
use outrigger_models::{Key, ModelChoice, anthropic, openai};

const KEY: &str = "sk-proj-0123456789abcdefXYZ";

const WIRES: [Wire; 2] = [Wire::Chat, Wire::Anthropic];

struct Weather;

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
        format!("It is sunny in {city}.")
    }
}

fn model(mock: &Mock, wire: Wire) -> ModelChoice {
    let choice = match wire {
        Wire::Chat => openai("gpt-4o-mini"),
        Wire::Anthropic => anthropic("claude-haiku-4-5"),
    };
    choice.base_url(mock.base_url()).key(Key::new(KEY))
}

async fn agent(mock: &Mock, wire: Wire, retries: u32) -> Agent {
    let limits = Limits { retries, ..Limits::DEFAULT };
    Agent::builder().model(model(mock, wire)).harness(Weather).limits(limits).build().await.unwrap()
}

#[tokio::test]
async fn a_tool_is_called_and_its_result_answered() {
    for wire in WIRES {
        let usage = Some(ScriptUsage { input: 20, output: 5, ..ScriptUsage::default() });
        let answer =
            ScriptStep { text: Some("It is sunny in Chicago. ☀".to_owned()), usage, ..ScriptStep::default() };
        let script = Script::new().call("current", r#"{"city":"Chicago"}"#).step(answer);
        let mock = Mock::start(wire, script).await;
        let turn = agent(&mock, wire, 0).await.run("What is the weather in Chicago?").await.unwrap();
        assert_eq!((turn.text(), turn.iterations), ("It is sunny in Chicago. ☀", 2), "{wire:?}");
        assert_eq!((turn.usage.input, turn.usage.output), (20, 5), "{wire:?}");
        let seen = mock.seen();
        assert_eq!(seen.len(), 2);
        assert!(seen[1].body.to_string().contains("It is sunny in Chicago."), "{}", seen[1].body);
        for request in seen {
            let header =
                |wanted: &str| request.headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| &**value);
            let key = match wire {
                Wire::Chat => header("authorization").and_then(|value| value.strip_prefix("Bearer ")),
                Wire::Anthropic => header("x-api-key"),
            };
            assert_eq!(key, Some(KEY));
            assert!(header("content-length").is_some() && header("transfer-encoding").is_none());
        }
    }
}

// M5: what may pass is tried again, when the provider says.
#[tokio::test]
async fn a_refusal_that_passes_is_tried_again() {
    for wire in WIRES {
        let fault = |status, message: &str, retry_after_ms| ScriptStep {
            error: Some(ScriptFault { status: Some(status), message: message.to_owned(), retry_after_ms, kind: None }),
            ..ScriptStep::default()
        };
        let script =
            Script::new().step(fault(429, "slow down", Some(30))).step(fault(503, "busy", Some(1))).text("Here.");
        let mock = Mock::start(wire, script).await;
        let began = Instant::now();
        let turn = agent(&mock, wire, 4).await.run("Hello?").await.unwrap();
        assert_eq!((turn.text(), mock.seen().len()), ("Here.", 3), "{wire:?}");
        assert!(began.elapsed() >= Duration::from_millis(30));
    }
}

// M3: a stream that breaks is an error, never a short answer, and is asked for again.
#[tokio::test]
async fn a_stream_that_breaks_is_asked_for_again() {
    for wire in WIRES {
        let parts = vec![ScriptPart::Text("Hal".to_owned()), ScriptPart::DelayMs(30), ScriptPart::Drop(true)];
        let broken = || ScriptStep { parts: parts.clone(), ..ScriptStep::default() };
        let mock = Mock::start(wire, Script::new().step(broken()).text("Whole.")).await;
        assert_eq!(agent(&mock, wire, 1).await.run("Hello?").await.unwrap().text(), "Whole.", "{wire:?}");
        let mock = Mock::start(wire, Script::new().step(broken())).await;
        let error = agent(&mock, wire, 0).await.run("Hello?").await.err().unwrap().to_string();
        assert!(error.contains("broke in the middle of the answer"), "{wire:?}: {error}");
    }
}

// R10: a run that is dropped reaches the server.
#[tokio::test]
async fn a_cancelled_run_reaches_the_server() {
    for wire in WIRES {
        let parts =
            vec![ScriptPart::Text("Hal".to_owned()), ScriptPart::DelayMs(60_000), ScriptPart::Text("lo".to_owned())];
        let mock = Mock::start(wire, Script::new().step(ScriptStep { parts, ..ScriptStep::default() })).await;
        let agent = agent(&mock, wire, 0).await;
        let run = tokio::spawn(async move { agent.run("Hello?").await.map(drop) });
        while mock.seen().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        run.abort();
        // The script's wait is over only when its reader is found gone.
        tokio::time::pause();
        mock.reader_left().await;
        tokio::time::resume();
    }
}

//! What goes wrong at a provider (M5, M6).

use std::time::Duration;

use futures_util::future::join_all;
use outrigger::prelude::*;
use outrigger::transcript::StopReason;
use serde_json::{Value, json};

use crate::server::Aimock;
use crate::{Told, WIRES, Weather};

const TEXT: &str = "an answer of some length, so that it can be cut";

/// What the server does to the first request of a kind, and what we must call it.
struct Passing {
    name: &'static str,
    fixture: Value,
    kind: &'static str,
}

fn failing(status: u16, kind: &str) -> Value {
    json!({ "response": { "error": { "message": "not now", "type": kind }, "status": status, "retryAfter": 0 } })
}

/// A text answer with more keys of a fixture.
fn answer(mut keys: Value) -> Value {
    keys["response"] = json!({ "content": TEXT });
    keys
}

fn passing() -> Vec<Passing> {
    let fault = |name, fixture, kind| Passing { name, fixture, kind };
    vec![
        fault("a rate limit.", failing(429, "rate_limit_error"), "rate_limited"),
        fault("an internal error.", failing(500, "api_error"), "unavailable"),
        fault("a bad gateway.", failing(502, "api_error"), "unavailable"),
        fault("no service.", failing(503, "api_error"), "unavailable"),
        fault("an overload.", failing(529, "overloaded_error"), "unavailable"),
        fault("a dropped request.", answer(json!({ "chaos": { "dropRate": 1 } })), "unavailable"),
        fault("a limit by chance.", answer(json!({ "chaos": { "rateLimitRate": 1 } })), "rate_limited"),
        fault("a cut after chunks.", answer(json!({ "chunkSize": 5, "truncateAfterChunks": 4 })), "stream"),
        fault("a cut in time.", answer(json!({ "chunkSize": 5, "latency": 60, "disconnectAfterMs": 200 })), "stream"),
    ]
}

/// A fixture of one message; the server plays those of one message in turn.
fn nth(message: &str, n: usize, mut fixture: Value) -> Value {
    fixture["match"] = json!({ "userMessage": message, "sequenceIndex": n });
    fixture
}

// M5: what may pass is tried again, and what the failed attempt said does not count.
#[tokio::test]
async fn faults_that_pass_are_survived() {
    for wire in WIRES {
        let faults = passing();
        let played = faults
            .iter()
            .flat_map(|fault| [nth(fault.name, 0, fault.fixture.clone()), nth(fault.name, 1, answer(json!({})))]);
        let Some(server) = Aimock::start(played.collect()) else { return };
        let agent = wire.agent(&server, &Weather::default()).build().await.unwrap();
        let runs = faults.iter().map(|fault| Told::of(&agent, fault.name));
        for (told, fault) in join_all(runs).await.into_iter().zip(&faults) {
            assert_eq!(
                (&*told.text, &*told.retries),
                (TEXT, &[fault.kind.to_owned()][..]),
                "{}: {}",
                wire.model,
                fault.name
            );
            assert_eq!(told.result.unwrap().stop, StopReason::Answered);
        }
    }
}

// M5: a connection that is closed without an answer is one more that may pass.
#[tokio::test]
async fn a_connection_that_breaks_is_made_anew() {
    for wire in WIRES {
        let broken = answer(json!({ "chaos": { "disconnectRate": 1 } }));
        let Some(server) = Aimock::start(vec![nth("hello", 0, broken), nth("hello", 1, answer(json!({})))]) else {
            return;
        };
        let agent = wire.agent(&server, &Weather::default()).build().await.unwrap();
        let told = Told::of(&agent, "hello").await;
        assert_eq!((told.retries.len(), told.result.unwrap().text()), (1, TEXT), "{}", wire.model);
    }
}

// M5: what will not pass is told at once, by its kind.
#[tokio::test]
async fn faults_that_stay_are_told_at_once() {
    let error = |status: u16, kind: &str, code: &str, message: &str| json!({ "response": { "error": { "message": message, "type": kind, "code": code }, "status": status } });
    let too_long = "prompt is too long: 200001 tokens > 200000 maximum";
    let faults = [
        ("malformed.", error(400, "invalid_request_error", "invalid_value", "no such field"), "model.rejected"),
        ("without a key.", error(401, "authentication_error", "invalid_api_key", "who are you?"), "model.unauthorized"),
        ("too long.", error(400, "invalid_request_error", "context_length_exceeded", too_long), "model.overflow"),
        // A success that is no stream, and no JSON either: whatever stands there is not the provider.
        ("a broken body.", answer(json!({ "chaos": { "malformedRate": 1 } })), "model.rejected"),
    ];
    let fixtures = faults.iter().map(|(message, fixture, _)| {
        let mut fixture = fixture.clone();
        fixture["match"] = json!({ "userMessage": message });
        fixture
    });
    let Some(server) = Aimock::start(fixtures.collect()) else { return };
    for wire in WIRES {
        let agent = wire.agent(&server, &Weather::default()).build().await.unwrap();
        for (message, _, kind) in &faults {
            let before = server.requests().len();
            let told = Told::of(&agent, message).await;
            assert_eq!((told.fault(), told.retries.len()), (*kind, 0), "{}: {message}", wire.model);
            assert_eq!(server.requests().len() - before, 1, "{}: {message}", wire.model);
        }
        // No fixture: the server knows of no such thing.
        let told = Told::of(&agent, "something else").await;
        assert_eq!(told.fault(), "model.rejected", "{}", wire.model);
        assert_eq!(server.requests().last().unwrap().status, 404);
    }
}

// M3, M5: a call whose stream broke is never run, and the attempts are bounded.
#[tokio::test]
async fn a_call_that_was_cut_is_not_run() {
    let calls = json!([{ "id": "call_a", "name": "current", "arguments": { "city": "Chicago" } }]);
    let cut = json!({
        "match": { "userMessage": "weather" },
        "response": { "toolCalls": calls },
        "chunkSize": 4,
        "truncateAfterChunks": 4,
    });
    let Some(server) = Aimock::start(vec![cut]) else { return };
    for wire in WIRES {
        let (weather, before) = (Weather::default(), server.requests().len());
        let limits = Limits { retries: 1, ..Limits::default() };
        let agent = wire.agent(&server, &weather).limits(limits).build().await.unwrap();
        let told = Told::of(&agent, "weather").await;
        assert_eq!((told.fault(), &*told.retries), ("model.stream", &["stream".to_owned()][..]), "{}", wire.model);
        assert_eq!((weather.asked().len(), server.requests().len() - before), (0, 2));
    }
}

// M6: silence before the answer, and within it.
#[tokio::test]
async fn silence_is_timed() {
    let late =
        json!({ "match": { "userMessage": "late" }, "response": { "content": TEXT }, "chaos": { "latencyMs": 5000 } });
    let slow =
        json!({ "match": { "userMessage": "slow" }, "response": { "content": TEXT }, "chunkSize": 5, "latency": 3000 });
    let profile = json!({ "ttft": 20, "tps": 200 });
    let steady = json!({ "match": { "userMessage": "steady" }, "response": { "content": TEXT }, "chunkSize": 5, "streamingProfile": profile });
    let Some(server) = Aimock::start(vec![late, slow, steady]) else { return };
    let patience = Duration::from_millis(1000);
    let limits = Limits { retries: 0, first_byte_timeout: patience, idle_timeout: patience, ..Limits::default() };
    for wire in WIRES {
        let agent = wire.agent(&server, &Weather::default()).limits(limits.clone()).build().await.unwrap();
        for message in ["late", "slow"] {
            assert_eq!(Told::of(&agent, message).await.fault(), "model.timed_out", "{}: {message}", wire.model);
        }
        assert_eq!(agent.run("steady").await.unwrap().text(), TEXT);
    }
}

//! One suite of scenarios for every wire (M3–M6, R3, R4, M12): the same script, played in process and over each wire by
//! a server on this machine, ends in the same conversation.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod play;

use outrigger::scripted::Script;
use outrigger::transcript::UserMessage;
use outrigger_mock::Wire;
use play::{Scenario, Stage, play};

/// A picture of one point.
const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn scenario(name: &'static str, steps: &str) -> Scenario {
    let script = Script::parse(&format!(r#"{{ "steps": [{steps}] }}"#)).unwrap();
    Scenario { name, input: UserMessage::text("What is the weather in Chicago?"), script, cancelled: false }
}

/// A call of `current`, as a step.
fn call(id: usize) -> String {
    format!(r#"{{ "calls": [{{ "id": "c{id}", "name": "current", "arguments": {{ "city": "City {id}" }} }}] }},"#)
}

fn scenarios() -> Vec<Scenario> {
    let image = UserMessage::text("What is on this picture?").image("image/png", PICTURE);
    let long: String = (0..40).map(call).collect();
    vec![
        scenario(
            "text",
            r#"{ "text": "It is sunny — ☀ — in Chicago.", "usage": { "input": 120, "output": 9, "cached": 64 } }"#,
        ),
        scenario(
            "one call",
            r#"{ "text": "Let me look.", "calls": [{ "id": "c1", "name": "current", "arguments": { "city": "Chicago", "days": 2 } }],
                 "usage": { "input": 100, "output": 20 } },
               { "text": "Sunny.", "usage": { "input": 150, "output": 3 } }"#,
        ),
        scenario(
            "parallel calls",
            r#"{ "calls": [{ "id": "c1", "name": "current", "arguments": { "city": "Oslo" } },
                           { "id": "c2", "name": "current", "arguments": { "city": "Bergen" } },
                           { "id": "c3", "name": "current", "arguments": { "city": "Narvik" } }] },
               { "text": "Sunny everywhere." }"#,
        ),
        scenario(
            "bad arguments",
            r#"{ "calls": [{ "id": "c1", "name": "current", "arguments": { "town": "Oslo", "days": "two" } },
                           { "id": "c2", "name": "current", "arguments": "[1]" },
                           { "id": "c3", "name": "current", "arguments": "{\"city\": \"Os" },
                           { "id": "c4", "name": "current", "arguments": {} }] },
               { "text": "I give up." }"#,
        ),
        scenario(
            "truncated call",
            r#"{ "finish": "length", "calls": [{ "id": "c1", "name": "current", "arguments": { "city": "Oslo" } },
                                               { "id": "c2", "name": "current", "arguments": "{\"city\": \"Chi" }] },
               { "text": "Once more." }"#,
        ),
        scenario(
            "unknown tool",
            r#"{ "calls": [{ "id": "c1", "name": "curent", "arguments": {} }] }, { "text": "Sorry." }"#,
        ),
        scenario("long loop", &format!(r#"{long} {{ "text": "Done." }}"#)),
        Scenario {
            cancelled: true,
            ..scenario("cancel", r#"{ "parts": [{ "text": "It is" }, { "delay_ms": 600000 }, { "text": " late" }] }"#)
        },
        Scenario { input: image, ..scenario("image", r#"{ "text": "One point." }"#) },
        scenario(
            "overflow",
            r#"{ "error": { "status": 400, "kind": "overflow", "message": "prompt is too long: 210000 tokens > 200000 maximum" } }"#,
        ),
        scenario(
            "429",
            r#"{ "error": { "status": 429, "message": "slow down", "retry_after_ms": 20 } }, { "text": "Sunny." }"#,
        ),
        scenario("refused key", r#"{ "error": { "status": 401, "message": "who are you?" } }"#),
        scenario(
            "mid-stream drop",
            r#"{ "parts": [{ "text": "It is cl" }, { "drop": true }] }, { "text": "It is sunny." }"#,
        ),
        scenario(
            "garbage",
            r#"{ "parts": [{ "text": "It" }, { "raw": "data: {\"choices\": [{\n\n" }] }, { "text": "It is sunny." }"#,
        ),
        scenario("refusal", r#"{ "text": "No.", "finish": "refused" }"#),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_wire_tells_the_same_story() {
    let (mut told, mut differ) = (String::new(), Vec::new());
    for scenario in scenarios() {
        let in_process = play(&scenario, Stage::InProcess).await;
        for wire in [Wire::Chat, Wire::Anthropic] {
            let over = play(&scenario, Stage::Over(wire)).await;
            if over != in_process {
                differ.push(format!("{} over {wire:?}:\n{over:#}\nin process:\n{in_process:#}", scenario.name));
            }
        }
        let shown = if scenario.name == "long loop" { summary(&in_process) } else { in_process };
        told.push_str(&format!("## {}\n{}\n\n", scenario.name, serde_json::to_string_pretty(&shown).unwrap()));
    }
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
    insta::assert_snapshot!(told);
}

/// A long conversation by its numbers.
fn summary(played: &serde_json::Value) -> serde_json::Value {
    let mut shown = played.clone();
    shown["messages"] = played["messages"].as_array().unwrap().len().into();
    shown
}

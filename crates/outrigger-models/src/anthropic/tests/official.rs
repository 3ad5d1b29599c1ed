//! What is sent, against the types of the provider's own library.

use std::io::Write as _;
use std::process::{Command, Stdio};

use outrigger_core::agent::{Agent, OutputMode};
use outrigger_core::transcript::UserMessage;
use serde_json::{Value, json};

use super::super::{Effort, Messages, Thinking, messages};
use super::decode::STREAMS;
use super::requests::{Place, place};
use super::support::{Kept, decoded, tool};
use crate::wire::Protocol as _;

/// The bodies of a conversation of two turns whose first answer is a stream.
async fn conversation(model: Messages, stream: &str, tools: usize) -> Vec<Value> {
    let kept = Kept::new(model, [decoded(stream).0]);
    let mut builder = Agent::builder().model(kept.clone()).instructions("Be brief.");
    for name in ["current", "now"] {
        builder = builder.tool(tool(name));
    }
    for index in 0..tools {
        builder = builder.tool(place(&format!("place{index}")));
    }
    let thread = builder.build().await.unwrap().thread("s", "t");
    thread.run(UserMessage::text("What is this?").image("image/png", "aWs=")).await.unwrap();
    thread.run("And now?").await.unwrap();
    kept.bodies()
}

/// Streams of published shapes that end well, as they are streamed by the provider itself.
fn regular() -> impl Iterator<Item = (&'static str, &'static str)> {
    let irregular =
        ["imitated", "unknown", "paused", "overloaded", "cut_off", "never_valid", "thought_cut_by_the_limit"];
    STREAMS.iter().copied().filter(move |(name, _)| !irregular.contains(name))
}

async fn cases() -> Vec<Value> {
    let mut cases = Vec::new();
    let mut add = |model: &Messages, bodies: Vec<Value>| {
        let beta = model.headers().iter().any(|(name, _)| *name == "anthropic-beta");
        cases.extend(bodies.into_iter().map(|body| json!({ "body": body, "beta": beta })));
    };
    let models = [
        messages("claude-haiku-4-5").with_thinking(Thinking::Budget(2000)),
        messages("claude-opus-5").with_thinking(Thinking::Adaptive).with_effort(Effort::Max),
        messages("claude-opus-5").with_thinking(Thinking::Off).with_effort(Effort::Low),
        messages("claude-nobody-knows"),
    ];
    for (name, stream) in regular().filter(|(name, _)| *name != "compaction") {
        for model in &models {
            let tools = if name == "interleaved" { 15 } else { 1 };
            add(model, conversation(model.clone(), stream, tools).await);
        }
    }
    // Blocks and settings of betas.
    let bound = messages("claude-opus-5-5");
    add(&bound, conversation(bound.clone(), include_str!("streams/compaction.sse"), 1).await);
    let kept = Kept::new(
        messages("claude-haiku-4-5").with_effort(Effort::Medium),
        [super::requests::text(r#"{"city":"Oslo"}"#)],
    );
    let agent = Agent::builder().model(kept.clone()).output(OutputMode::Native).build().await.unwrap();
    agent.run_as::<Place>("Where?").await.unwrap();
    add(&kept.model, kept.bodies());
    // The library mends arguments that were cut off; here they go back as the text they were.
    for (name, stream) in regular().filter(|(name, _)| *name != "cut_by_the_limit") {
        let model = messages("claude-haiku-4-5");
        let content = conversation(model, stream, 0).await.swap_remove(1)["messages"][1]["content"].take();
        cases.push(json!({ "name": name, "stream": stream, "content": content }));
    }
    cases
}

// M12: bodies are what the library's types allow and no more; answers go back as the library itself would send them.
#[tokio::test]
async fn the_official_library_agrees() {
    let Some(python) = std::env::var_os("OUTRIGGER_PEERS_PYTHON") else {
        println!("skipped: OUTRIGGER_PEERS_PYTHON names no Python with the package anthropic");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/anthropic_types.py");
    let mut peer = Command::new(python).arg(script).stdin(Stdio::piped()).spawn().unwrap();
    let lines: String = cases().await.iter().map(|case| format!("{case}\n")).collect();
    peer.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    assert!(peer.wait().unwrap().success());
}

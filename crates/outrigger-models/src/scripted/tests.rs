//! The script's format, what is wrong with scripts, and what scripts say of requests they did not expect.

use std::sync::Arc;

use outrigger_core::agent::{Agent, Limits, RunError};
use outrigger_core::tool::{Body, NativeTool, ToolOutput, ToolSpec};

use super::*;

async fn agent(model: &ScriptedModel) -> Agent {
    let body = Body::<(), std::collections::BTreeMap<String, String>>::Future(|_, arguments, _| {
        Box::pin(async move { Ok(ToolOutput::text(format!("Sunny in {}.", arguments["city"]))) })
    });
    let tool = NativeTool::new(Arc::new(()), ToolSpec::new("current", "Weather now."), body);
    let limits = Limits { retries: 0, ..Limits::default() };
    let builder = Agent::builder().model(model.clone()).instructions("Be brief.").limits(limits);
    builder.tool(Arc::new(tool)).build().await.unwrap()
}

/// What a run says, or why it failed.
async fn outcome(script: &str) -> String {
    let model = match Script::parse(script) {
        Ok(script) => ScriptedModel::new(script),
        Err(error) => return format!("refused: {error}"),
    };
    match agent(&model).await.run("What is the weather in Chicago?").await {
        Ok(result) => format!("{}: {}", result.stop.as_str(), result.text()),
        Err(RunError::Failed { fault, .. }) => format!("failed ({}): {fault}", fault.kind),
        Err(error) => format!("error: {error}"),
    }
}

// The format of scripts, with every key.
#[tokio::test(start_paused = true)]
async fn a_script_with_every_key_plays() {
    let script = r#"{ "steps": [
      { "expect": { "tools": ["current"], "tools_absent": ["hidden"], "contains": ["Chicago"], "last_contains": "weather",
                    "messages": 1, "max_bytes": 200000, "system_contains": ["brief"] },
        "calls": [ { "id": "c1", "name": "current", "arguments": { "city": "Chicago" } },
                   { "name": "current", "arguments": "{\"raw\": tex" } ] },
      { "expect": { "contains": ["Sunny in Chicago.", "not_json"], "messages": 3 },
        "parts": [ { "text": "It " }, { "delay_ms": 5 }, { "text": "is" }, { "reasoning": "hm" },
                   { "opaque": { "kind": "signature", "bytes": "YQ==" } }, { "drop": false } ],
        "text": " sunny.", "usage": { "input": 120, "output": 5 }, "delay_ms": 5, "finish": "stop" } ],
      "on_end": "fail" }"#;
    // The text of a bad call's result names its problem, not the code; the miss is readable.
    let told = outcome(script).await;
    assert!(told.starts_with("failed (model.script): the request is not what step 2 of the script expects:"), "{told}");
    let told = outcome(&script.replace(r#", "not_json""#, "")).await;
    assert_eq!(told, "answered: It is sunny.");
}

#[tokio::test(start_paused = true)]
async fn what_is_wrong_is_said_in_words_to_act_on() {
    let scripts = [
        r#"{ "steps": [ { "txt": "hi" } ] }"#,
        "{ \"steps\": [\n  { \"text\": 5 } ] }",
        r#"{ "steps": [ { "parts": [ { "txet": "hi" } ] } ] }"#,
        r#"{ "steps": [] }"#,
        r#"{ "steps": [ { "error": { "status": 500 }, "text": "hi" } ] }"#,
        r#"{ "steps": [ { "calls": [ { "name": "current", "arguments": { "city": "x" } } ] } ] }"#,
        r#"{ "steps": [ { "expect": { "tools": ["forecast"], "tools_absent": ["current"], "messages": 4, "max_bytes": 10,
                          "contains": ["Boston"], "last_contains": "rain", "system_contains": ["long"] }, "text": "hi" } ] }"#,
        r#"{ "steps": [ { "error": { "status": 429, "message": "slow down", "retry_after_ms": 20 } } ] }"#,
        r#"{ "steps": [ { "error": { "status": 400, "kind": "overflow", "message": "too long" } } ] }"#,
        r#"{ "steps": [ { "parts": [ { "text": "It " }, { "drop": true } ] } ] }"#,
        r#"{ "steps": [ { "parts": [ { "raw": "data: {" } ] } ] }"#,
        r#"{ "steps": [ { "parts": [ { "opaque": { "kind": "x", "bytes": "?" } } ] } ] }"#,
    ];
    let mut told = String::new();
    for script in scripts {
        told.push_str(&format!("{}\n\n", outcome(script).await));
    }
    insta::assert_snapshot!(told);
}

#[tokio::test]
async fn the_last_step_can_repeat() {
    let model = ScriptedModel::new(Script::new().text("one").text("two").repeating());
    let agent = agent(&model).await;
    let mut said = Vec::new();
    for _ in 0..4 {
        said.push(agent.run("go").await.unwrap().text().to_owned());
    }
    assert_eq!(said, ["one", "two", "two", "two"]);
    assert_eq!(model.requests().len(), 4);
}

// Ids are made up where absent, stably, and never twice in a thread.
#[tokio::test]
async fn calls_without_an_id_get_a_stable_one() {
    let script = Script::new().calls([("current", "{}"), ("current", "{}")]).call("current", "{}").text("done");
    let ids = |model: &ScriptedModel| -> Vec<String> {
        let last = model.requests().pop().unwrap();
        let calls = last.messages().messages();
        let ids = calls.iter().filter_map(|message| match &**message {
            outrigger_core::transcript::Message::Assistant(said) => {
                Some(said.calls().map(|call| call.id.to_string()).collect::<Vec<_>>())
            }
            _ => None,
        });
        ids.flatten().collect()
    };
    let (one, two) = (ScriptedModel::new(script.clone()), ScriptedModel::new(script));
    agent(&one).await.run("go").await.unwrap();
    agent(&two).await.run("go").await.unwrap();
    assert_eq!(ids(&one), ids(&two));
    let mut distinct = ids(&one);
    distinct.dedup();
    assert_eq!(distinct.len(), 3);
}

#[test]
fn a_file_that_is_no_script_is_named() {
    let missing = ScriptedModel::open(std::path::Path::new("no/such.json")).err().unwrap().to_string();
    assert!(missing.starts_with("the script no/such.json cannot be used: it cannot be read: "), "{missing}");
    let folder = ScriptedModel::open(std::path::Path::new(env!("CARGO_MANIFEST_DIR"))).err().unwrap().to_string();
    assert!(folder.contains("cannot be read"), "{folder}");
}

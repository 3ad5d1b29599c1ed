//! Whole requests, as an agent sends them.

use std::sync::Arc;

use outrigger_core::Contract;
use outrigger_core::agent::{Agent, OutputMode};
use outrigger_core::tool::{Body, NativeTool, Tool, ToolOutput, ToolSpec};
use serde_json::Value;

use super::super::{Effort, Messages, Thinking, messages};
use super::support::{Kept, decoded, tool};
use crate::wire::Protocol as _;

async fn first_body(model: Messages, tools: Vec<Arc<dyn Tool>>) -> Value {
    let kept = Kept::new(model, []);
    let mut builder = Agent::builder().model(kept.clone()).instructions("Be brief.");
    for tool in tools {
        builder = builder.tool(tool);
    }
    builder.build().await.unwrap().run("Hello.").await.unwrap();
    kept.bodies().swap_remove(0)
}

// The whole body of a turn's second request, byte for byte.
#[tokio::test]
async fn a_turn_with_thinking_and_tools() {
    let (parts, _) = decoded(include_str!("streams/thinking_and_tools.sse"));
    let kept = Kept::new(messages("claude-haiku-4-5").with_thinking(Thinking::Budget(2048)), [parts]);
    let builder = Agent::builder().model(kept.clone()).instructions("Be brief.");
    let agent = builder.tool(tool("current")).tool(tool("now")).build().await.unwrap();
    agent.run("What is the weather in Chicago?").await.unwrap();
    let body = kept.bodies().swap_remove(1);
    // M7: at most four places may be marked.
    assert_eq!(body.to_string().matches("cache_control").count(), 4);
    insta::assert_snapshot!(serde_json::to_string_pretty(&body).unwrap());
}

// Thinking is asked for as the caller wants, and bound models are told to drop what no longer fits.
#[tokio::test]
async fn thinking_and_effort_are_settings() {
    let asked = async |model: Messages| {
        let beta = model.headers().iter().any(|(name, _)| *name == "anthropic-beta");
        let body = first_body(model, vec![]).await;
        format!("{} {} {} {beta}", body["max_tokens"], body["thinking"], body["output_config"])
    };
    let haiku = || messages("claude-haiku-4-5");
    assert_eq!(asked(haiku()).await, "64000 null null false");
    assert_eq!(asked(messages("claude-next")).await, "8192 null null false");
    let budget = haiku().with_thinking(Thinking::Budget(100_000)).with_max_tokens(3000);
    assert_eq!(asked(budget).await, r#"3000 {"type":"enabled","budget_tokens":2999} null false"#);
    let off = messages("claude-opus-5").with_thinking(Thinking::Off);
    assert_eq!(asked(off).await, r#"128000 {"type":"disabled"} null false"#);
    let adaptive = messages("claude-opus-5").with_thinking(Thinking::Adaptive).with_effort(Effort::ExtraHigh);
    assert_eq!(asked(adaptive).await, r#"128000 {"type":"adaptive"} {"effort":"xhigh"} false"#);
    let bound = r#"{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}}"#;
    assert_eq!(asked(messages("claude-opus-5-5")).await, format!("128000 {bound} null true"));
}

// A request without tools whose history has calls declares one that cannot be called.
#[tokio::test]
async fn calls_in_history_need_a_tool() {
    let (parts, _) = decoded(include_str!("streams/interleaved.sse"));
    let kept = Kept::new(messages("claude-haiku-4-5"), [parts]);
    Agent::builder().model(kept.clone()).build().await.unwrap().run("Hello.").await.unwrap();
    let bodies = kept.bodies();
    assert!(bodies[0].get("tools").is_none() && bodies[0].get("system").is_none());
    assert_eq!(bodies[1]["tools"][0]["name"], "none");
    assert_eq!(bodies[1]["tool_choice"]["type"], "none");
    assert_eq!(bodies[1]["messages"][2]["content"][0]["is_error"], true);
}

/// Arguments with optional ones and a union.
#[derive(Clone, Contract)]
#[allow(dead_code, reason = "only the shape is used")]
pub(super) struct Place {
    /// The city.
    city: String,
    /// The street.
    street: Option<String>,
    /// The number.
    number: Option<u32>,
}

pub(super) fn place(name: &str) -> Arc<dyn Tool> {
    let body = Body::<(), Place>::Future(|_, _, _| Box::pin(async { Ok(ToolOutput::text("x")) }));
    Arc::new(NativeTool::new(Arc::new(()), ToolSpec::new(name, "Finds it."), body))
}

// The budget of strict tools is kept whatever the menu; a tool more at the end changes nothing before it.
#[tokio::test]
async fn the_strict_budget_is_kept() {
    let strict = async |count: usize| -> Vec<bool> {
        let tools = (0..count).map(|index| place(&format!("place{index}"))).collect();
        let body = first_body(messages("claude-haiku-4-5"), tools).await;
        body["tools"].as_array().unwrap().iter().map(|tool| tool["strict"] == true).collect()
    };
    // 24 optional properties, two a tool.
    let many = strict(15).await;
    assert_eq!(many, [[true; 12].as_slice(), [false; 3].as_slice()].concat());
    assert_eq!(strict(5).await, many[..5]);
    let plain = first_body(messages("claude-opus-4-1"), vec![place("place")]).await;
    assert!(plain["tools"][0].get("strict").is_none());
}

/// What no strict schema can say: any names.
#[derive(Clone, Contract)]
#[allow(dead_code, reason = "only the shape is used")]
struct Prices {
    /// A price for each name.
    prices: std::collections::BTreeMap<String, u32>,
}

/// The first request of a turn whose answer is to be a `T`.
async fn asked<T: Contract>(answer: &str) -> Value {
    let kept = Kept::new(messages("claude-haiku-4-5"), [text(answer)]);
    let builder = Agent::builder().model(kept.clone()).output(OutputMode::Native);
    builder.tool(tool("note")).build().await.unwrap().run_as::<T>("Where?").await.unwrap();
    kept.bodies().swap_remove(0)
}

// An answer under a schema: the model is held to it, or told of it where no strict schema can say it.
#[tokio::test]
async fn the_answer_has_a_schema() {
    let held = asked::<Place>(r#"{"city":"Oslo"}"#).await;
    insta::assert_snapshot!(serde_json::to_string_pretty(&held).unwrap());
    let told = asked::<Prices>(r#"{"prices":{}}"#).await;
    assert!(told.get("output_config").is_none());
    let schema = told["system"][0]["text"].as_str().unwrap();
    assert!(schema.starts_with("Answer with one JSON document") && schema.contains("\"prices\""), "{schema}");
}

pub(super) fn text(text: &str) -> Vec<outrigger_core::model::Part> {
    use outrigger_core::model::Part;
    use outrigger_core::transcript::Finish;
    vec![Part::Text(text.into()), Part::Finish(Finish::Stop)]
}

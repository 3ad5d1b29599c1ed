//! What came in goes out again: the same blocks in the same order.

use std::fmt::Write as _;

use outrigger_core::agent::Agent;
use outrigger_core::model::Part;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::messages;
use super::support::{Kept, decoded, tool};

/// How many cases a property runs: 64, since each is a whole turn, or as many as `OUTRIGGER_CASES` says.
fn cases() -> u32 {
    std::env::var("OUTRIGGER_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(64)
}

/// A block of an answer, and the pieces it is streamed in.
#[derive(Clone, Debug)]
struct Streamed {
    block: Value,
    pieces: usize,
}

fn streamed() -> impl Strategy<Value = Streamed> {
    let text = || "[a-z \\n\"\\\\{é🌍]{0,12}x";
    let arguments = proptest::collection::btree_map("[a-z]{1,4}", "[a-z\"\\\\é 🌍]{0,6}", 0..4);
    let block = prop_oneof![
        text().prop_map(|text| json!({ "type": "text", "text": text })),
        (text(), "[A-Za-z0-9+/]{1,20}=")
            .prop_map(|(text, signature)| json!({ "type": "thinking", "thinking": text, "signature": signature })),
        "[A-Za-z0-9+/]{1,20}="
            .prop_map(|signature| json!({ "type": "thinking", "thinking": "", "signature": signature })),
        "[A-Za-z0-9+/]{1,20}=".prop_map(|data| json!({ "type": "redacted_thinking", "data": data })),
        arguments.prop_map(|input| json!({ "type": "tool_use", "id": "", "name": "note", "input": input })),
        (text(), text()).prop_map(|(text, cited)| {
            let citation = json!({ "type": "char_location", "cited_text": cited, "document_index": 0 });
            json!({ "type": "text", "text": text, "citations": [citation] })
        }),
        text().prop_map(|query| {
            json!({ "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": { "query": query } })
        }),
        text().prop_map(|text| {
            json!({ "type": "code_execution_tool_result", "tool_use_id": "srvtoolu_1", "content": { "stdout": text } })
        }),
        text().prop_map(|text| json!({ "type": "compaction", "content": text, "encrypted_content": "eA==" })),
    ];
    (block, 1usize..5).prop_map(|(block, pieces)| Streamed { block, pieces })
}

/// The stream of an answer, after the published format.
fn stream(blocks: &[Streamed]) -> String {
    let mut out = String::new();
    let mut event = |data: Value| {
        writeln!(out, "event: {}\ndata: {data}\n", data["type"].as_str().unwrap()).unwrap();
    };
    event(json!({ "type": "message_start", "message": { "usage": { "input_tokens": 1, "output_tokens": 1 } } }));
    for (index, Streamed { block, pieces }) in blocks.iter().enumerate() {
        let mut begun = block.clone();
        let deltas: Vec<Value> = match block["type"].as_str().unwrap() {
            "text" => {
                begun["text"] = json!("");
                let mut deltas = Vec::new();
                if let Some(citations) = begun.get_mut("citations") {
                    *citations = json!([]);
                    deltas.push(json!({ "type": "citations_delta", "citation": block["citations"][0] }));
                }
                let texts = split(block["text"].as_str().unwrap(), *pieces);
                deltas.extend(texts.map(|text| json!({ "type": "text_delta", "text": text })));
                deltas
            }
            "thinking" => {
                (begun["thinking"], begun["signature"]) = (json!(""), json!(""));
                let thoughts = split(block["thinking"].as_str().unwrap(), *pieces);
                let mut deltas: Vec<Value> =
                    thoughts.map(|text| json!({ "type": "thinking_delta", "thinking": text })).collect();
                deltas.push(json!({ "type": "signature_delta", "signature": block["signature"] }));
                deltas
            }
            "tool_use" | "server_tool_use" => {
                begun["input"] = json!({});
                let input = block["input"].to_string();
                let input = if input == "{}" { "" } else { &input };
                split(input, *pieces).map(|json| json!({ "type": "input_json_delta", "partial_json": json })).collect()
            }
            _ => Vec::new(),
        };
        event(json!({ "type": "content_block_start", "index": index, "content_block": begun }));
        for delta in deltas {
            event(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        }
        event(json!({ "type": "content_block_stop", "index": index }));
    }
    event(json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 2 } }));
    event(json!({ "type": "message_stop" }));
    out
}

/// A text in about so many pieces.
fn split(text: &str, pieces: usize) -> impl Iterator<Item = String> {
    let chars: Vec<char> = text.chars().collect();
    let each = chars.len().div_ceil(pieces).max(1);
    chars.chunks(each).map(String::from_iter).collect::<Vec<_>>().into_iter()
}

/// The assistant's message in the request after the answer, as the given model sends it.
async fn sent_back(stream: &str) -> Value {
    let (parts, error) = decoded(stream);
    assert!(error.is_none(), "{error:?}");
    let model = Kept::new(messages("claude-haiku-4-5"), [parts]);
    let agent = Agent::builder().model(model.clone()).tool(tool("note")).build().await.unwrap();
    let thread = agent.thread("s", "t");
    thread.run("Hello.").await.unwrap();
    if model.bodies().len() < 2 {
        thread.run("And now?").await.unwrap();
    }
    let body = model.bodies().swap_remove(1);
    assert_eq!(body["messages"][1]["role"], "assistant");
    body["messages"][1]["content"].clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    // W3: thinking, redacted thinking, calls, the provider's own tools: unchanged and in order. Nothing is merged.
    #[test]
    fn an_answer_goes_back_as_it_came(mut blocks in proptest::collection::vec(streamed(), 1..8)) {
        for (index, Streamed { block, .. }) in blocks.iter_mut().enumerate() {
            if block["type"] == "tool_use" {
                block["id"] = json!(format!("toolu_{index}"));
            }
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let sent = runtime.block_on(sent_back(&stream(&blocks)));
        let came: Vec<Value> = blocks.into_iter().map(|streamed| streamed.block).collect();
        prop_assert_eq!(sent, Value::Array(came));
    }
}

// Numbers and escapes of what is kept are not rewritten, whatever they are.
#[test]
fn what_is_kept_is_kept_to_the_byte() {
    let block = r#"{"type":"hologram","size":1.50,"big":123456789012345678901234567890,"text":"\u00e9\/"}"#;
    let stream = format!(
        "data: {{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{block}}}\n\n\
         data: {{\"type\":\"content_block_stop\",\"index\":0}}\n\ndata: {{\"type\":\"message_stop\"}}\n\n"
    );
    let (parts, _) = decoded(&stream);
    let [_, Part::Opaque(opaque), _] = parts.as_slice() else { panic!("{parts:?}") };
    assert_eq!(super::support::block(opaque), block);
}

// What a model said goes to no other model but as what can be read.
#[tokio::test]
async fn another_model_gets_what_can_be_read() {
    let (parts, _) = decoded(include_str!("streams/interleaved.sse"));
    let first = Kept::new(messages("claude-haiku-4-5"), [parts]);
    let store: std::sync::Arc<outrigger_core::session::MemoryStore> = std::sync::Arc::default();
    let agent = |model: Kept| Agent::builder().model(model).tool(tool("current")).store(store.clone()).build();
    agent(first).await.unwrap().thread("s", "t").run("Hello.").await.unwrap();
    let second = Kept::new(messages("claude-sonnet-5"), []);
    agent(second.clone()).await.unwrap().thread("s", "t").run("And now?").await.unwrap();
    let body = second.bodies().swap_remove(0);
    let kinds = |content: &Value| -> Vec<String> {
        content.as_array().unwrap().iter().map(|block| block["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&body["messages"][1]["content"]), ["tool_use", "tool_use", "text"]);
    assert_eq!(kinds(&body["messages"][2]["content"]), ["tool_result", "tool_result"]);
}

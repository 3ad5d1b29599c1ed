//! What a model calls.

use outrigger::agent::OutputMode;
use outrigger::prelude::*;
use outrigger::transcript::StopReason;
use serde_json::{Value, json};

use crate::server::Aimock;
use crate::{CHAT, SYSTEM, WIRES, Weather};

fn call(id: &str, city: &str) -> Value {
    json!({ "id": id, "name": "current", "arguments": { "city": city } })
}

fn asking(message: &str, response: Value) -> Value {
    json!({ "match": { "userMessage": message, "hasToolResult": false, "toolName": "current" }, "response": response })
}

fn answering(message: &str, text: &str) -> Value {
    json!({ "match": { "userMessage": message, "hasToolResult": true }, "response": { "content": text } })
}

// M2, M3: a call with a word before it, its arguments in pieces; the result goes back under its id.
#[tokio::test]
async fn a_call_is_run_and_its_result_goes_back() {
    let response = json!({ "content": "Let me look.", "toolCalls": [call("call_a", "São Paulo")] });
    let sizes = [1, 3, 1000];
    let ask = sizes.iter().map(|size| {
        let mut fixture = asking(&format!("pieces of {size}."), response.clone());
        fixture["chunkSize"] = json!(size);
        fixture
    });
    // Answers only when the result is there, and says what it must.
    let answer = json!({
        "match": { "toolCallId": "call_a", "toolResultContains": "21 degrees in São Paulo" },
        "response": { "content": "Sunny." },
    });
    let Some(server) = Aimock::start([answer].into_iter().chain(ask).collect()) else { return };
    for wire in WIRES {
        for size in sizes {
            let weather = Weather::default();
            let agent = wire.agent(&server, &weather).build().await.unwrap();
            let turn = agent.run(format!("in pieces of {size}.")).await.unwrap();
            assert_eq!((turn.text(), turn.iterations, weather.asked()), ("Sunny.", 2, vec!["São Paulo".to_owned()]));
            let lines = [
                format!("system: {SYSTEM}"),
                format!("user: in pieces of {size}."),
                "assistant: Let me look.".to_owned(),
                "call call_a: current {\"city\":\"São Paulo\"}".to_owned(),
                "result of call_a: 21 degrees in São Paulo, sunny".to_owned(),
            ];
            assert_eq!(server.requests().last().unwrap().lines(), lines, "{}", wire.model);
        }
    }
}

// M4: calls of one answer, one without an id of the script's, are each answered once and in order.
#[tokio::test]
async fn calls_side_by_side_are_each_answered() {
    let anonymous = json!({ "name": "current", "arguments": { "city": "Bern" } });
    let calls = json!({ "toolCalls": [call("call_a", "Aachen"), anonymous, call("call_c", "Chur")] });
    let Some(server) = Aimock::start(vec![asking("compare", calls), answering("compare", "Chur.")]) else { return };
    for wire in WIRES {
        let weather = Weather::default();
        let agent = wire.agent(&server, &weather).build().await.unwrap();
        assert_eq!(agent.run("compare").await.unwrap().text(), "Chur.");
        let mut asked = weather.asked();
        asked.sort();
        assert_eq!(asked, ["Aachen", "Bern", "Chur"]);
        let lines = server.requests().last().unwrap().lines();
        let ids = |prefix: &str, end: char| -> Vec<String> {
            let marked = lines.iter().filter_map(|line| line.strip_prefix(prefix));
            marked.map(|line| line.split(end).next().unwrap().to_owned()).collect()
        };
        let (calls, results) = (ids("call ", ':'), ids("result of ", ':'));
        assert_eq!((calls.len(), &calls), (3, &results), "{}: {lines:#?}", wire.model);
        assert_eq!((&*calls[0], &*calls[2]), ("call_a", "call_c"));
    }
}

// M3: a call before any text, and text between calls.
#[tokio::test]
async fn text_between_calls_disturbs_nothing() {
    let entry = |id: &str, city: &str| json!({ "type": "toolCall", "id": id, "name": "current", "arguments": { "city": city } });
    let text = json!({ "type": "text", "text": "And the other." });
    let blocks = json!({ "blocks": [entry("call_a", "Aachen"), text, entry("call_b", "Bern")] });
    let Some(server) = Aimock::start(vec![asking("both", blocks), answering("both", "Done.")]) else { return };
    for wire in WIRES {
        let weather = Weather::default();
        let agent = wire.agent(&server, &weather).build().await.unwrap();
        assert_eq!(agent.run("both").await.unwrap().text(), "Done.");
        assert_eq!(weather.asked().len(), 2);
        let mut lines = server.requests().last().unwrap().lines();
        lines.sort();
        let sent = [
            "assistant: And the other.",
            "call call_a: current {\"city\":\"Aachen\"}",
            "call call_b: current {\"city\":\"Bern\"}",
            "result of call_a: 21 degrees in Aachen, sunny",
            "result of call_b: 21 degrees in Bern, sunny",
        ];
        assert_eq!(lines[..5], sent, "{}", wire.model);
    }
}

// M4: what does not bind goes back in words, is legal on the wire, and the model may mend it.
#[tokio::test]
async fn arguments_that_do_not_fit_go_back_and_are_mended() {
    let wrong = json!({ "toolCalls": [{ "id": "call_a", "name": "current", "arguments": { "town": "Bern" } }] });
    let turn =
        |n: u32, response: Value| json!({ "match": { "userMessage": "mend", "turnIndex": n }, "response": response });
    let right = json!({ "toolCalls": [call("call_b", "Bern")] });
    let fixtures = vec![turn(0, wrong), turn(1, right), turn(2, json!({ "content": "Mended." }))];
    let Some(server) = Aimock::start(fixtures) else { return };
    for wire in WIRES {
        let weather = Weather::default();
        let agent = wire.agent(&server, &weather).build().await.unwrap();
        let turn = agent.run("mend").await.unwrap();
        assert_eq!((turn.text(), turn.iterations, weather.asked()), ("Mended.", 3, vec!["Bern".to_owned()]));
        let lines = server.requests().last().unwrap().lines();
        let told = &lines[3];
        assert!(told.starts_with("result of call_a: ") && told.contains("/city is missing"), "{}: {told}", wire.model);
    }
}

#[derive(Contract, Debug, PartialEq)]
struct Verdict {
    /// Whether to take an umbrella.
    umbrella: bool,
    city: String,
}

// A5: a value under a response schema, where the wire has one.
#[tokio::test]
async fn a_value_is_asked_for_by_a_response_schema() {
    let verdict = json!({ "umbrella": false, "city": "Bern" });
    let matched = json!({ "userMessage": "umbrella", "responseFormat": "json_schema" });
    let Some(server) = Aimock::start(vec![json!({ "match": matched, "response": { "content": verdict } })]) else {
        return;
    };
    let agent = CHAT.agent(&server, &Weather::default()).output(OutputMode::Native).build().await.unwrap();
    let typed = agent.thread("s", "main").run_as::<Verdict>("umbrella in Bern?").await.unwrap();
    assert_eq!(typed.output, Verdict { umbrella: false, city: "Bern".to_owned() });
    assert_eq!(typed.turn.stop, StopReason::OutputTool);
}

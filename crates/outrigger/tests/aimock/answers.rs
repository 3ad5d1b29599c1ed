//! What a model says.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use outrigger::event::EventKind;
use outrigger::models::Key;
use outrigger::prelude::*;
use outrigger::transcript::{StopReason, Usage, UserMessage};
use serde_json::json;

use crate::server::Aimock;
use crate::{CHAT, SYSTEM, Told, WIRES, Weather};

/// Every width of character there is in UTF-8 but the widest, which this server cuts in halves that are no text.
const WORDS: &str = "Grüße aus 東京: 21 °C, «sunny» and\n\"dry\"";

// M2, M11: text and what it cost, on either wire.
#[tokio::test]
async fn a_message_is_answered_and_its_cost_counted() {
    let usage = json!({ "prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16, "input_tokens": 11, "output_tokens": 5 });
    let fixture = json!({ "match": { "userMessage": "hello" }, "response": { "content": "Hello!", "usage": usage } });
    let Some(server) = Aimock::start(vec![fixture]) else { return };
    for wire in WIRES {
        let turn = wire.ask(&server, "hello").await;
        let usage = Usage { input: 11, output: 5, ..Usage::default() };
        assert_eq!((turn.text(), turn.stop, turn.usage), ("Hello!", StopReason::Answered, usage), "{}", wire.model);
    }
    let requests = server.requests();
    let lines = [format!("system: {SYSTEM}"), "user: hello".to_owned()];
    for (request, wire) in requests.iter().zip(WIRES) {
        assert_eq!((&*request.path, request.lines()), (wire.path, lines.to_vec()));
        assert_eq!(request.body["model"].as_str(), wire.model.split_once(':').map(|(_, model)| model));
        assert_eq!(request.body["stream"], true);
    }
}

// M3: the same text, in whatever pieces it comes.
#[tokio::test]
async fn the_size_of_chunks_changes_nothing() {
    let sizes = [1, 2, 7, 1000];
    let fixtures = sizes.iter().map(|size| {
        let asked = format!("in pieces of {size}.");
        json!({ "match": { "userMessage": asked }, "response": { "content": WORDS }, "chunkSize": size })
    });
    let Some(server) = Aimock::start(fixtures.collect()) else { return };
    for wire in WIRES {
        let agent = wire.agent(&server, &Weather::default()).build().await.unwrap();
        for size in sizes {
            let told = Told::of(&agent, &format!("in pieces of {size}.")).await;
            assert_eq!((&*told.text, told.result.unwrap().text()), (WORDS, WORDS));
            assert_eq!(told.deltas, WORDS.chars().count().div_ceil(size), "pieces of {size} on {}", wire.model);
        }
    }
}

// M3: this server, as others in JavaScript, cuts between UTF-16 units. What was cut is lost; the answer is not.
#[tokio::test]
async fn a_character_cut_in_half_does_not_end_the_answer() {
    let fixture =
        json!({ "match": { "userMessage": "smile" }, "response": { "content": "so 😀 be it" }, "chunkSize": 4 });
    let Some(server) = Aimock::start(vec![fixture]) else { return };
    for wire in WIRES {
        let agent = wire.agent(&server, &Weather::default()).build().await.unwrap();
        let told = Told::of(&agent, "smile").await;
        let turn = told.result.unwrap();
        assert!(turn.text().starts_with("so ") && turn.text().ends_with(" be it"), "{}: {turn:?}", wire.model);
        assert_eq!(told.retries.len(), 0);
    }
}

// M6: a slow stream is read as it comes, and a cancelled run leaves it.
#[tokio::test]
async fn a_slow_answer_can_be_left() {
    let content = "one two three four five six seven eight nine ten";
    let slow = json!({ "match": { "userMessage": "slowly" }, "response": { "content": content }, "chunkSize": 4, "latency": 250 });
    let Some(server) = Aimock::start(vec![slow]) else { return };
    for wire in WIRES {
        let agent = wire.agent(&server, &Weather::default()).build().await.unwrap();
        let mut stream = agent.stream("slowly");
        while let Some(event) = stream.next().await {
            if matches!(event.kind, EventKind::TextDelta { .. }) {
                break;
            }
        }
        let left = Instant::now();
        stream.cancel();
        let turn = stream.result().await.unwrap();
        assert_eq!(turn.stop, StopReason::Cancelled);
        assert!(content.starts_with(turn.text()) && turn.text().len() < content.len(), "{:?}", turn.text());
        assert!(left.elapsed() < Duration::from_millis(1500), "it waited for the rest: {:?}", left.elapsed());
    }
}

// M2: what was said before goes along.
#[tokio::test]
async fn a_second_message_carries_the_first() {
    let turn = |n: u32, answer| json!({ "match": { "userMessage": "say", "turnIndex": n }, "response": { "content": answer } });
    let Some(server) = Aimock::start(vec![turn(0, "one"), turn(1, "two")]) else { return };
    for wire in WIRES {
        let thread = wire.agent(&server, &Weather::default()).build().await.unwrap().thread("s", "main");
        assert_eq!(thread.run("say one").await.unwrap().text(), "one");
        assert_eq!(thread.run("say two").await.unwrap().text(), "two");
        let lines = server.requests().last().unwrap().lines();
        assert_eq!(lines[1..], ["user: say one", "assistant: one", "user: say two"], "{}", wire.model);
    }
}

// M1: reasoning is told apart from the answer.
#[tokio::test]
async fn reasoning_is_no_part_of_the_answer() {
    let response = json!({ "content": "Yes.", "reasoning": "Let me think.", "reasoningSignature": "c2lnbmVk" });
    let Some(server) = Aimock::start(vec![json!({ "match": { "userMessage": "think" }, "response": response })]) else {
        return;
    };
    for wire in WIRES {
        let agent = wire.agent(&server, &Weather::default()).build().await.unwrap();
        let told = Told::of(&agent, "think").await;
        assert_eq!((&*told.reasoning, &*told.text), ("Let me think.", "Yes."), "{}", wire.model);
        assert_eq!(told.result.unwrap().text(), "Yes.");
    }
}

// M1: a picture goes along with its text.
#[tokio::test]
async fn a_picture_is_sent() {
    let fixture = json!({ "match": { "userMessage": "what is this" }, "response": { "content": "a red dot" } });
    let Some(server) = Aimock::start(vec![fixture]) else { return };
    let dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
    for wire in WIRES {
        let turn = wire.ask(&server, UserMessage::text("what is this?").image("image/png", dot)).await;
        assert_eq!(turn.text(), "a red dot", "{}", wire.model);
    }
    // The journal keeps pictures on the chat wire only.
    let parts = server.requests()[0].body["messages"][1]["content"].clone();
    assert_eq!(parts[1]["image_url"]["url"], format!("data:image/png;base64,{dot}"), "{parts}");
}

// M3: comments of a proxy between events are no events.
#[tokio::test]
async fn comments_are_skipped() {
    let fixture = json!({ "match": { "userMessage": "hello" }, "response": { "content": "Hello!" }, "openRouterProcessing": true });
    let Some(server) = Aimock::start(vec![fixture]) else { return };
    let model = model(CHAT.model).base_url(format!("{}/api/v1", server.url())).key(Key::new("a key"));
    let agent = Agent::builder().model(model).build().await.unwrap();
    assert_eq!(agent.run("hello").await.unwrap().text(), "Hello!");
    assert_eq!(server.requests()[0].path, "/api/v1/chat/completions");
}

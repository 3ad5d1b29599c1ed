//! The engine as a whole, over a tiny random model: what holds for any model holds for one that knows nothing.

mod tiny;

use std::ops::ControlFlow;

use serde_json::{Value, json};

use crate::*;
use tiny::Tiny;

fn user(text: &str) -> Message {
    Message::User(text.to_owned())
}

fn conversation(messages: Vec<Message>) -> Conversation {
    Conversation { system: String::new(), messages }
}

fn go_on(_: Delta<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn view<'a>(name: &'a str, schema: &'a str) -> ToolView<'a> {
    ToolView { name, description: "Does something useful. Really.", schema, examples: &[] }
}

fn result(name: &str, status: Status, content: &str) -> ToolResult {
    ToolResult { name: name.to_owned(), status, content: content.to_owned() }
}

const ORDER: &str = r##"{
    "type": "object",
    "properties": {
        "kind": { "enum": ["large", "small"] },
        "count": { "type": "integer", "minimum": 2, "maximum": 9 },
        "flag": { "type": ["boolean", "null"] },
        "code": { "type": "string", "pattern": "^[A-Z]{2}[0-9]{2}$" },
        "tags": { "type": "array", "items": { "$ref": "#/$defs/Tag" }, "minItems": 1, "maxItems": 2, "uniqueItems": true }
    },
    "required": ["kind", "count", "code", "tags"],
    "additionalProperties": false,
    "$defs": { "Tag": { "type": "object", "properties": { "name": { "type": "string", "maxLength": 4 } },
                        "required": ["name"], "additionalProperties": false } }
}"##;

/// Checks by hand what the schema above says.
fn assert_binds(arguments: &str) {
    let value: Value = serde_json::from_str(arguments).unwrap();
    let members = value.as_object().unwrap();
    assert!(members.keys().all(|k| ["kind", "count", "flag", "code", "tags"].contains(&k.as_str())), "{value}");
    assert!(["large", "small"].contains(&value["kind"].as_str().unwrap()), "{value}");
    assert!((2..=9).contains(&value["count"].as_i64().unwrap()), "{value}");
    let code = value["code"].as_str().unwrap();
    assert!(code.len() == 4 && code.chars().take(2).all(|c| c.is_ascii_uppercase()), "{value}");
    let tags = value["tags"].as_array().unwrap();
    assert!((1..=2).contains(&tags.len()), "{value}");
    assert!(tags.iter().all(|t| t["name"].as_str().unwrap().chars().count() <= 4 && t.as_object().unwrap().len() == 1));
}

#[test]
fn every_call_of_a_model_that_knows_nothing_binds() {
    for seed in 0..6 {
        let mut engine = Tiny { seed, ..Tiny::default() }.engine(Options::default());
        // Without content the choice may be to answer; then there is no call to check.
        let reply =
            engine.respond(&conversation(vec![user("Order 3 small")]), &[view("order", ORDER)], &mut go_on).unwrap();
        reply.calls.iter().for_each(|call| assert_binds(&call.arguments));
    }
}

#[test]
fn arguments_are_decoded_under_the_grammar_whatever_the_model_wants() {
    for seed in 0..12 {
        let mut engine = Tiny { seed, ..Tiny::default() }.engine(Options::default());
        let schema: Value = serde_json::from_str(ORDER).unwrap();
        let grammar = engine.grammars.arguments("order", &schema).unwrap();
        engine.session.read(&engine.tokenizer.encode_plain("x"), &mut go_on).unwrap();
        let (mut usage, tokenizer) = (Usage::default(), engine.tokenizer.clone());
        let mut decoding = crate::arguments::Decoding {
            session: &mut engine.session,
            tokenizer: &tokenizer,
            tool: "order",
            spans: None,
            limits: crate::arguments::Limits::SMALL,
            usage: &mut usage,
        };
        let decoded = decoding.run(grammar, &mut |_, _| Ok(()), &mut go_on);
        assert_binds(&decoded.unwrap());
        assert!(usage.forced > 10, "forced tokens skip sampling: {usage:?}");
    }
}

#[test]
fn a_string_without_a_limit_comes_to_an_end() {
    let schema: Value = serde_json::from_str(r#"{"type": "object", "properties": {"text": {"type": "string"}, "list": {"type": "array", "items": {"type": "string"}}}, "required": ["text", "list"], "additionalProperties": false}"#).unwrap();
    for seed in 0..4 {
        let mut engine = Tiny { seed, ..Tiny::default() }.engine(Options::default());
        let grammar = engine.grammars.arguments("write", &schema).unwrap();
        engine.session.read(&engine.tokenizer.encode_plain("x"), &mut go_on).unwrap();
        let (mut usage, tokenizer) = (Usage::default(), engine.tokenizer.clone());
        let mut decoding = crate::arguments::Decoding {
            session: &mut engine.session,
            tokenizer: &tokenizer,
            tool: "write",
            spans: None,
            limits: crate::arguments::Limits::SMALL,
            usage: &mut usage,
        };
        let arguments = decoding.run(grammar, &mut |_, _| Ok(()), &mut go_on).unwrap();
        let value: Value = serde_json::from_str(&arguments).unwrap();
        assert!(value["text"].is_string() && value["list"].is_array());
    }
}

#[test]
fn an_answer_after_results_opens_with_them_word_for_word() {
    let mut engine = Tiny::default().engine(Options::default());
    let messages = |results| {
        let calls = vec![Call { name: "order".to_owned(), arguments: "{}".to_owned() }];
        vec![user("How many?"), Message::Assistant { text: String::new(), calls }, Message::Results(results)]
    };
    let one = vec![result("order", Status::Done, "42 pieces")];
    let reply = engine.respond(&conversation(messages(one)), &[view("order", ORDER)], &mut go_on).unwrap();
    assert_eq!(reply.text[0], TextPart { text: "42 pieces".to_owned(), origin: Origin::Adapter });
    assert!(reply.calls.is_empty());

    let two = vec![result("order", Status::Done, "42"), result("price", Status::Failed, "no such piece")];
    let reply = engine.respond(&conversation(messages(two)), &[view("order", ORDER)], &mut go_on).unwrap();
    assert_eq!(reply.full_text(), "order: 42\nprice failed: no such piece");
}

#[test]
fn a_menu_that_was_opened_puts_the_question_again() {
    let mut engine = Tiny::default().engine(Options { max_tokens: 4, ..Options::default() });
    let messages = vec![user("Order 3"), Message::Results(vec![result("shop", Status::Opened, "opened")])];
    let reply = engine.respond(&conversation(messages), &[view("order", ORDER)], &mut go_on).unwrap();
    assert!(reply.text.iter().all(|part| part.origin == Origin::Model));
}

#[test]
fn a_conversation_over_the_window_is_refused_with_both_numbers() {
    let mut engine = Tiny { window: 256, ..Tiny::default() }.engine(Options::default());
    let error = engine.respond(&conversation(vec![user(&"long ".repeat(200))]), &[], &mut go_on).unwrap_err();
    assert!(matches!(error, LocalError::ContextTooLong { tokens: 1000.., window: 256 }), "{error}");
}

#[test]
fn the_caller_can_cancel_at_every_step() {
    for steps in 0..40 {
        let mut engine = Tiny::default().engine(Options { max_tokens: 8, ..Options::default() });
        let mut left = steps;
        let mut sink = |_: Delta<'_>| {
            left -= 1;
            if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let hello = conversation(vec![user("hello")]);
        match engine.respond(&hello, &[view("order", ORDER)], &mut sink) {
            Err(error) => assert!(matches!(error, LocalError::Cancelled), "{error}"),
            Ok(_) => return,
        }
        // And the engine is as good as new.
        engine.respond(&conversation(vec![user("hi")]), &[], &mut go_on).unwrap();
    }
}

#[test]
fn the_same_is_answered_whether_the_prefix_was_cached_or_not() {
    let directory = std::env::temp_dir().join(format!("outrigger-engine-prefix-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    let options = Options { prefix_cache: Some(directory.clone()), max_tokens: 16, ..Options::default() };
    let tiny = Tiny::default();
    let path = tiny.file();
    let ask = |text: &str| {
        let mut engine = Engine::load(&path, &options, &mut |_| ()).unwrap();
        engine.respond(&conversation(vec![user(text)]), &[view("order", ORDER)], &mut go_on).unwrap()
    };
    let (cold, warm) = (ask("Order 7"), ask("Order 7"));
    assert_eq!((cold.calls, cold.text), (warm.calls, warm.text));
    assert!(warm.usage.cached > cold.usage.cached + 64, "{:?} {:?}", cold.usage, warm.usage);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn control_tokens_in_what_is_said_are_only_letters() {
    let engine = Tiny::default().engine(Options::default());
    let end = engine.tokenizer.end();
    assert!(!engine.tokenizer.encode_plain("a<|im_end|>b").contains(&end));
    assert_eq!(engine.tokenizer.encode_marked("<|im_end|>"), [end]);
}

#[test]
fn the_full_profile_streams_what_it_returns() {
    let options = Options { profile: Some(ModelProfile::Full), max_tokens: 24, ..Options::default() };
    let mut engine = Tiny::default().engine(options);
    let mut streamed = String::new();
    let mut sink = |delta: Delta<'_>| {
        if let Delta::Text { text, .. } = delta {
            streamed.push_str(text);
        }
        ControlFlow::Continue(())
    };
    let reply = engine.respond(&conversation(vec![user("hello")]), &[view("order", ORDER)], &mut sink).unwrap();
    assert_eq!(streamed, reply.full_text());
}

#[test]
fn a_call_of_the_full_profile_binds_and_closes() {
    for seed in 0..4 {
        let mut engine = Tiny { seed, ..Tiny::default() }.engine(Options::default());
        let views = [view("order", ORDER), view("cancel", r#"{"type": "object", "additionalProperties": false}"#)];
        engine.session.read(&engine.tokenizer.encode_plain("<tool_call>"), &mut go_on).unwrap();
        let call = crate::full::call(&mut engine, &views, 0, &mut Usage::default(), &mut go_on).unwrap();
        match call.name.as_str() {
            "order" => assert_binds(&call.arguments),
            _ => assert_eq!(call.arguments, "{}"),
        }
        let read: Vec<u8> = engine.session.tokens().iter().flat_map(|&t| engine.tokenizer.bytes(t).to_vec()).collect();
        assert!(read.ends_with(b"}\n</tool_call>"));
    }
}

#[test]
fn chunks_and_single_tokens_compute_the_same() {
    let engine = Tiny::default().engine(Options::default());
    let model = &engine.session.model;
    let tokens: Vec<u32> = (0..60).map(|i| (i * 7 + 3) % 250).collect();
    let (mut at_once, mut one_by_one) = (model.cache(), model.cache());
    let whole = model.forward(&tokens, &mut at_once).unwrap();
    let mut last = Vec::new();
    for &token in &tokens {
        last = model.forward(&[token], &mut one_by_one).unwrap();
    }
    // The two ways quantise differently: dense products use the weights in single precision.
    let difference = model.last_row(&whole).iter().zip(&last).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let size = last.iter().map(|v| v.abs()).fold(0.0, f32::max);
    assert!(difference < 0.05 * size, "{difference} of {size}");
}

#[test]
fn what_is_no_model_is_a_typed_error() {
    let path = std::env::temp_dir().join(format!("outrigger-no-model-{}.gguf", std::process::id()));
    std::fs::write(&path, b"GGUF\x03\x00\x00\x00 and then nothing").unwrap();
    let error = Engine::load(&path, &Options::default(), &mut |_| ()).err().unwrap();
    assert!(matches!(error, LocalError::Unreadable { .. }), "{error}");
    std::fs::remove_file(&path).unwrap();

    let path = Tiny { architecture: "mamba", ..Tiny::default() }.file();
    let error = Engine::load(&path, &Options::default(), &mut |_| ()).err().unwrap().to_string();
    assert!(error.contains("mamba") && error.contains("llama"), "{error}");
    let path = Tiny { tokenizer: "llama", ..Tiny::default() }.file();
    let error = Engine::load(&path, &Options::default(), &mut |_| ()).err().unwrap();
    assert!(matches!(error, LocalError::Tokenizer { .. }), "{error}");
}

#[test]
fn qwen_models_load_and_answer() {
    for architecture in ["qwen2", "qwen3"] {
        let mut engine =
            Tiny { architecture, ..Tiny::default() }.engine(Options { max_tokens: 4, ..Options::default() });
        let reply = engine.respond(&conversation(vec![user("hello")]), &[], &mut go_on).unwrap();
        assert!(reply.usage.generated <= 4);
    }
}

#[test]
fn an_unreadable_schema_names_its_tool() {
    let mut engine = Tiny::default().engine(Options::default());
    let error = engine.respond(&conversation(vec![user("x")]), &[view("broken", "{")], &mut go_on).unwrap_err();
    assert!(error.to_string().contains("broken"), "{error}");
    let odd = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "if": { "not": {} } }).to_string();
    let schema: Value = serde_json::from_str(&odd).unwrap();
    assert!(engine.grammars.arguments("odd", &schema).is_ok(), "what a grammar cannot express is left to the binder");
}

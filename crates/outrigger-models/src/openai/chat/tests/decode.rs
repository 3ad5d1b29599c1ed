//! Streams in, parts out.

use std::fs;
use std::path::Path;

use outrigger_core::model::{ModelErrorKind, Part};
use outrigger_core::transcript::Finish;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::Decoder;
use super::super::calls::MOST_CALLS;
use super::support::{decoded, events, events_of, joined, told};
use crate::wire::Decode as _;

/// Every stream of the folder, by its name.
fn streams() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/openai/chat/tests/streams");
    let mut streams: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(path).unwrap()))
        .collect();
    streams.sort();
    streams
}

// M3, W1, W6, M12: one stream a format and a quirk, written from the published formats; a snapshot of what each means.
#[test]
fn every_format_and_quirk_means_what_it_should() {
    let streams = streams();
    assert!(streams.len() >= 50, "{} streams", streams.len());
    let meanings = streams.iter().map(|(name, stream)| {
        let (parts, error) = decoded(events(stream));
        format!("== {name}\n{}", told(&parts, error.as_ref()))
    });
    insta::assert_snapshot!(meanings.collect::<Vec<_>>().join("\n"));
}

// M3: no part of a call comes before its start, and every index has one start; the finish is last, and there is one.
#[test]
fn every_stream_is_in_order() {
    for (name, stream) in streams() {
        let (parts, error) = decoded(events(&stream));
        check_order(&parts, error.is_none(), &name);
    }
}

pub(super) fn check_order(parts: &[Part], whole: bool, name: &str) {
    let mut started = 0_usize;
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::CallStarted { index, .. } => {
                assert!(*index < MOST_CALLS, "{name}");
                assert!(!parts[..at].iter().any(|part| is_start_of(part, *index)), "{name}: {index} starts twice");
                started += 1;
            }
            Part::CallArguments { index, .. } => {
                assert!(parts[..at].iter().any(|part| is_start_of(part, *index)), "{name}: {index} never started");
            }
            Part::Finish(_) => assert!(parts[at + 1..].iter().all(|part| *part == Part::Alive), "{name}"),
            _ => {}
        }
    }
    let finishes = parts.iter().filter(|part| matches!(part, Part::Finish(_))).count();
    assert!(finishes <= 1 && (!whole || finishes == 1), "{name}: {finishes} ends");
    if parts.iter().any(|part| matches!(part, Part::Finish(Finish::Calls))) {
        assert!(started > 0, "{name}: ends for calls and has none");
    }
}

fn is_start_of(part: &Part, wanted: usize) -> bool {
    matches!(part, Part::CallStarted { index, .. } if *index == wanted)
}

// M3: chunks split anywhere, inside a UTF-8 character too. The decoder knows events only, so equal events are equal
// answers.
#[test]
fn the_bytes_of_a_stream_may_be_split_anywhere() {
    for (name, stream) in streams() {
        let whole = events(&stream);
        for cut in 0..stream.len() {
            let (before, after) = stream.as_bytes().split_at(cut);
            assert!(events_of(&[before, after]) == whole, "{name} split at {cut}");
        }
        let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
        assert_eq!(decoded(events_of(&bytes)).0, decoded(whole).0, "{name} byte by byte");
    }
}

// M3: wherever a server cuts its texts, the answer is the same.
#[test]
fn cuts_do_not_matter() {
    let (text, arguments) = ("Hällo 😀 \"wörld\"", r#"{"city":"São Paulo 😀","n":[1,{"a":"}"}]}"#);
    let answer = |texts: [&str; 2], pieces: [&str; 2]| {
        let mut chunks = texts.map(|text| json!({ "content": text, "reasoning_content": text })).to_vec();
        let call = |function: Value| json!({ "tool_calls": [{ "index": 0, "function": function }] });
        chunks.push(json!({ "tool_calls": [{ "index": 0, "id": "a", "function": { "name": "look" } }] }));
        chunks.extend(pieces.map(|piece| call(json!({ "arguments": piece }))));
        let chunks = chunks.into_iter().map(|delta| json!({ "choices": [{ "delta": delta }] }).to_string());
        let end = json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] }).to_string();
        let (parts, error) = decoded(chunks.chain([end]).map(|data| ("", data)));
        assert!(error.is_none());
        let texts_of =
            |parts: &[Part], wanted: fn(&Part) -> Option<&str>| parts.iter().filter_map(wanted).collect::<String>();
        let said = texts_of(&parts, |part| if let Part::Text(text) = part { Some(text) } else { None });
        let thought = texts_of(&parts, |part| if let Part::Reasoning(text) = part { Some(text) } else { None });
        let calls: Vec<Part> =
            joined(&parts).into_iter().filter(|part| !matches!(part, Part::Text(_) | Part::Reasoning(_))).collect();
        (said, thought, calls)
    };
    let whole = answer([text, ""], [arguments, ""]);
    assert_eq!((whole.0.as_str(), whole.1.as_str(), whole.2.len()), (text, text, 3));
    for (cut, _) in text.char_indices() {
        assert_eq!(answer(text.split_at(cut).into(), [arguments, ""]), whole, "text cut at {cut}");
    }
    for (cut, _) in arguments.char_indices() {
        assert_eq!(answer([text, ""], arguments.split_at(cut).into()), whole, "arguments cut at {cut}");
    }
}

// M3: a stream that ends early is an error, wherever it ends.
#[test]
fn a_stream_cut_anywhere_is_an_error() {
    for (name, stream) in streams() {
        let events = events(&stream);
        let finish = events.iter().position(|(_, data)| data.contains(r#""finish_reason": ""#));
        for end in 0..finish.unwrap_or(events.len()) {
            let (_, error) = decoded(events[..end].iter().map(|(name, data)| (name, data)));
            assert!(error.is_some(), "{name} cut after {end} events");
        }
    }
}

// M3, field faults: an answer is bounded, whatever the server sends.
#[test]
fn an_answer_has_bounds() {
    let mut decoder = Decoder::new("mock");
    let mut parts = Vec::new();
    let call = |index: usize| {
        json!({ "choices": [{ "delta": { "tool_calls": [{ "index": index, "function": { "name": "a" } }] } }] })
            .to_string()
    };
    for index in 0..MOST_CALLS {
        decoder.event("", &call(index), &mut parts).unwrap();
    }
    let error = decoder.event("", &call(MOST_CALLS), &mut parts).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ModelErrorKind::Stream, "mock: the answer has more than 1024 calls")
    );

    // As deep as the parser goes, and deeper, on a test's own small stack.
    for depth in [50, 118, 5000] {
        for (open, close) in [(r#"{"content":"#, "}"), ("[", "]"), (r#"[{"thinking":"#, "}]")] {
            let content = format!("{}\"x\"{}", open.repeat(depth), close.repeat(depth));
            let event = format!(r#"{{"choices":[{{"delta":{{"content":{content}}}}}]}}"#);
            let told = Decoder::new("mock").event("", &event, &mut parts);
            assert_eq!(told.is_ok(), depth * open.matches(['{', '[']).count() < 120, "{depth} of {open}");
        }
    }

    let mut decoder = Decoder::new("mock");
    let text = json!({ "choices": [{ "delta": { "content": "x".repeat(1 << 20) } }] }).to_string();
    let events = (0..).take_while(|_| decoder.event("", &text, &mut Vec::new()).is_ok()).take(100).count();
    assert_eq!(events, 16);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    // M3: any order of any pieces of calls ends in calls that begin before they go on, and in one end.
    #[test]
    fn any_pieces_make_an_answer_in_order(pieces in prop::collection::vec(piece(), 0..12), reason in "stop|tool_calls|length|odd") {
        let chunks = pieces.into_iter().map(|piece| json!({ "choices": [{ "delta": { "tool_calls": [piece] } }] }));
        let end = json!({ "choices": [{ "delta": {}, "finish_reason": reason }] });
        let (parts, error) = decoded(chunks.chain([end]).map(|chunk| ("", chunk.to_string())));
        prop_assert!(error.is_none());
        check_order(&parts, true, "any");
    }

    // M3: no event panics, and what is no answer is an error or a sign of life.
    #[test]
    fn any_event_is_survived(name in "|message|error|x", data in prop_oneof![any::<String>(), json_text()]) {
        let (parts, _) = decoded([(name, data)]);
        check_order(&parts, false, "any");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    // M3: a stream with bytes lost, changed or taken from another one is read in order or refused, and what was read can
    // be written into a later request of every server.
    #[test]
    fn damaged_streams_make_no_nonsense(
        of in any::<[prop::sample::Index; 2]>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 4),
        noise in prop::collection::vec(any::<u8>(), 0..3),
    ) {
        let streams = streams();
        let [first, second] = of.map(|of| of.get(&streams).1.as_bytes());
        let at = |cut: usize, stream: &[u8]| cuts[cut].index(stream.len() + 1);
        let mut stream = first[..at(0, first)].to_vec();
        stream.extend(noise);
        stream.extend(&second[at(1, second)..]);
        stream.extend(&first[at(2, first)..]);
        prop_assert_eq!(crate::testing::chat_stream(&stream), None);
    }
}

/// A piece of a call, with anything left out, repeated or odd.
fn piece() -> impl Strategy<Value = Value> {
    let index =
        prop_oneof![Just(json!(null)), (0..3_u8).prop_map(|index| json!(index)), Just(json!("1")), Just(json!(-1))];
    let id = prop_oneof![Just(json!(null)), Just(json!("")), "[ab]".prop_map(|id| json!(id)), Just(json!(7))];
    let name = prop_oneof![Just(json!(null)), Just(json!("")), "get|ge|t".prop_map(|name| json!(name))];
    let arguments = prop_oneof![
        Just(json!(null)),
        Just(json!({ "a": 1 })),
        r#"|\{|\}|"|\{"a":1\}|\{"a| |5"#.prop_map(|text| json!(text)),
    ];
    (index, id, name, arguments).prop_map(|(index, id, name, arguments)| {
        json!({ "index": index, "id": id, "function": { "name": name, "arguments": arguments } })
    })
}

/// JSON of the stream's own words, in any arrangement.
fn json_text() -> impl Strategy<Value = String> {
    let leaf =
        prop_oneof![Just(Value::Null), any::<i32>().prop_map(Value::from), "[a-z\\\\\"]{0,4}".prop_map(Value::from)];
    let names =
        "choices|delta|content|tool_calls|function|index|id|name|arguments|usage|error|finish_reason|reasoning|object";
    let tree = leaf.prop_recursive(6, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::btree_map(names, inner, 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    tree.prop_map(|value| value.to_string())
}

fn cases() -> u32 {
    std::env::var("OUTRIGGER_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1000)
}

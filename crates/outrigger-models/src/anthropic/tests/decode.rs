//! Streams, each with what it means.

use outrigger_core::model::{ModelErrorKind, Part};
use outrigger_core::transcript::{Finish, Usage};
use proptest::prelude::*;

use super::support::{decoded, decoded_in, events, told};

macro_rules! streams {
    ($($name:ident),* $(,)?) => {
        /// Every stream, by its name.
        pub(super) const STREAMS: &[(&str, &str)] =
            &[$((stringify!($name), include_str!(concat!("streams/", stringify!($name), ".sse")))),*];
    };
}

streams![
    text,
    thinking_and_tools,
    interleaved,
    imitated,
    cut_by_the_limit,
    thought_cut_by_the_limit,
    never_valid,
    server_tools,
    compaction,
    unknown,
    refused,
    window_exceeded,
    stop_sequence,
    paused,
    overloaded,
    cut_off,
];

// M3, M12: one stream for each shape and quirk of the published format.
#[test]
fn streams_mean_what_the_format_says() {
    for (name, stream) in STREAMS {
        let (parts, error) = decoded(stream);
        insta::assert_snapshot!(*name, told(&parts, error.as_ref()));
    }
}

// M3: chunks may be split anywhere, inside a character and inside a line break too.
#[test]
fn a_stream_split_at_any_byte_means_the_same() {
    for (name, stream) in STREAMS {
        let (whole, error) = decoded(stream);
        let told = error.map(|error| error.to_string());
        let bytes = stream.as_bytes();
        for at in 0..=bytes.len() {
            let (head, tail) = bytes.split_at(at);
            let (parts, error) = decoded_in(&[head, tail]);
            assert_eq!((&parts, error.map(|error| error.to_string())), (&whole, told.clone()), "{name} at {at}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decoded_in(&single).0, whole, "{name} byte by byte");
    }
}

// M3: pings and unknown events may stand anywhere, and change nothing but that the provider is alive.
#[test]
fn noise_between_events_changes_nothing() {
    for (name, stream) in STREAMS {
        let (quiet, _) = decoded(stream);
        let mut noisy = String::new();
        for (event, data) in events(stream) {
            noisy.push_str(
                "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: new\ndata: {\"type\":\"new\",\"index\":0}\n\n",
            );
            noisy.push_str("data: {\"type\":\"new\",\"index\":\"0\",\"message\":\"hi\",\"content_block\":7}\n\n");
            noisy.push_str(&format!("event: {event}\ndata: {data}\n\n"));
        }
        let loud = |parts: Vec<Part>| parts.into_iter().filter(|part| *part != Part::Alive).collect::<Vec<_>>();
        assert_eq!(loud(decoded(&noisy).0), loud(quiet), "{name}");
    }
}

// M3: a stream that stops anywhere before its end is an error, and tells nothing that the whole stream does not.
#[test]
fn a_stream_that_ends_early_is_an_error() {
    for (name, stream) in STREAMS.iter().filter(|(name, _)| !["paused", "overloaded", "cut_off"].contains(name)) {
        let (whole, _) = decoded(stream);
        let all = events(stream);
        let end = all.iter().position(|(_, data)| data.contains("message_stop")).unwrap();
        for keep in 0..end {
            let cut: String =
                all[..keep].iter().map(|(event, data)| format!("event: {event}\ndata: {data}\n\n")).collect();
            let (parts, error) = decoded(&cut);
            assert_eq!(error.unwrap().kind(), ModelErrorKind::Stream, "{name} after {keep}");
            assert_eq!(parts, whole[..parts.len()], "{name} after {keep}");
        }
    }
}

/// A stream of data alone, one event a line.
fn lines(events: &[&str]) -> String {
    events.iter().map(|data| format!("data: {data}\n\n")).collect()
}

// M3: what makes no sense is an error that says so, never a guess at a call.
#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |events: &[&str]| {
        let (_, error) = decoded(&lines(events));
        let error = error.unwrap();
        format!("{}: {error}", error.kind().as_str())
    };
    let sense = "stream: the answer cannot be read:";
    let nameless =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","input":{}}}"#;
    assert_eq!(refused(&[nameless]), format!("{sense} a call has no name"));
    let orphan = r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{"}}"#;
    assert_eq!(refused(&[orphan]), format!("{sense} arguments came for a call that never began"));
    let (_, error) = decoded("event: content_block_delta\ndata: {\"type\":\"content_blo\n\n");
    assert!(error.unwrap().to_string().ends_with(": event \"content_block_delta\" cannot be read"));
    let (_, error) = decoded("data: {\"type\":\"content_blo\n\n");
    assert!(error.unwrap().to_string().ends_with(": event \"message\" cannot be read"));
}

// M3: servers in JavaScript cut texts between UTF-16 units. What was cut is lost; the answer goes on.
#[test]
fn halves_of_a_character_do_not_end_the_answer() {
    let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
    let add = |text: &str| {
        format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#)
    };
    let (parts, _) = decoded(&lines(&[start, &add(r"so \ud83d"), &add(r"\ude00 be it")]));
    let text = |part: &Part| if let Part::Text(text) = part { Some(text.to_string()) } else { None };
    assert_eq!(parts.iter().filter_map(text).collect::<String>(), "so \u{fffd}\u{fffd} be it");
}

// Bounded by construction: an answer cannot have blocks without end.
#[test]
fn blocks_are_counted() {
    let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"new"}}"#;
    let (_, error) = decoded(&lines(&vec![start; 5000]));
    assert!(error.unwrap().to_string().ends_with("more than 4096 blocks"));
}

// M11: counts are cumulative, a later one replaces an earlier, one that is left out stays; all input counts as input.
#[test]
fn usage_is_the_last_of_each_count() {
    let (parts, _) = decoded(&lines(&[
        r#"{"type":"message_start","message":{"usage":{"input_tokens":5,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":1}}}"#,
        r#"{"type":"message_delta","delta":{},"usage":{"output_tokens":7,"input_tokens":null}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9,"input_tokens":6,"cache_read_input_tokens":-1,"output_tokens_details":{"thinking_tokens":4}}}"#,
        r#"{"type":"message_stop"}"#,
    ]));
    let usages: Vec<Usage> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Usage(usage) => Some(*usage),
            _ => None,
        })
        .collect();
    let usage = |input, output, reasoning| Usage { input, output, cached: 300, reasoning };
    assert_eq!(usages, [usage(325, 1, 0), usage(325, 7, 0), usage(326, 9, 4)]);
    assert_eq!(parts.last(), Some(&Part::Finish(Finish::Stop)));
}

// M3: a stop reason that contradicts the content does not decide: what the answer holds does.
#[test]
fn content_decides_over_a_contradicting_reason() {
    let finish = |reason: &str, blocks: &str| {
        let (parts, _) = decoded(&lines(&[
            blocks,
            &format!(r#"{{"type":"message_delta","delta":{{"stop_reason":{reason}}}}}"#),
            r#"{"type":"message_stop"}"#,
        ]));
        match parts.last() {
            Some(Part::Finish(finish)) => *finish,
            other => panic!("{other:?}"),
        }
    };
    let call =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"now","input":{}}}"#;
    let text = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}"#;
    assert_eq!(finish("\"end_turn\"", call), Finish::Calls);
    assert_eq!(finish("\"tool_use\"", text), Finish::Stop);
    assert_eq!(finish("null", call), Finish::Calls);
    assert_eq!(finish("\"max_tokens\"", call), Finish::Length);
    assert_eq!(finish("\"refusal\"", call), Finish::Refused);
}

// M3: servers that stream calls side by side, or forget to end a block, lose and reorder nothing.
#[test]
fn blocks_side_by_side_keep_their_order() {
    let call = |index: usize| {
        format!(
            r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"tool_use","id":"c{index}","name":"now","input":{{}}}}}}"#
        )
    };
    let arguments = |index: usize, json: &str| {
        let delta = serde_json::json!({ "type": "input_json_delta", "partial_json": json });
        format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)
    };
    let thought = r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"hm","signature":"s"}}"#;
    let (parts, _) = decoded(&lines(&[
        thought,
        &call(1),
        &call(2),
        &arguments(1, "{\"a\":"),
        &arguments(2, "{}"),
        &arguments(1, "1}"),
        r#"{"type":"message_stop"}"#,
    ]));
    insta::assert_snapshot!(told(&parts, None));
}

// The door of the fuzz target finds nothing wrong with the streams here.
#[test]
fn the_fuzz_target_knows_sense() {
    for (name, stream) in STREAMS {
        assert_eq!(crate::testing::anthropic_stream(stream), None, "{name}");
    }
}

proptest! {
    // Nothing from outside panics or makes nonsense: streams with pieces left out, doubled and moved.
    #[test]
    fn damaged_streams_make_no_nonsense(
        which in 0..STREAMS.len(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0_u8..4), 1..6),
    ) {
        let mut lines: Vec<&str> = STREAMS[which].1.split_inclusive('\n').collect();
        let mut damaged = String::new();
        for (from, to, edit) in edits {
            let (from, to) = (from.index(lines.len()), to.index(lines.len()));
            match edit {
                0 => drop(lines.remove(from)),
                1 => lines.insert(to, lines[from]),
                2 => lines.swap(from, to),
                _ => {
                    let at = lines[from].char_indices().nth(to).map_or(0, |(at, _)| at);
                    lines[from] = lines[from].split_at(at).0;
                }
            }
            if lines.is_empty() {
                break;
            }
        }
        damaged.extend(lines);
        prop_assert_eq!(crate::testing::anthropic_stream(&damaged), None);
    }
}

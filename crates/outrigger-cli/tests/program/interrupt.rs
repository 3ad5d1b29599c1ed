//! Ctrl-C: once cancels, twice quits.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::bench::{Bench, Done, interrupt};

/// A model that begins to speak and then takes a minute.
const SLOW: &str = r#"{ "steps": [ { "parts": [ { "text": "One " }, { "delay_ms": 60000 }, { "text": "two" } ] }, { "text": "Again." } ] }"#;

fn slow() -> Bench {
    Bench::new().with("s.json", SLOW)
}

/// Reads until a line says this.
fn wait_for(from: &mut impl BufRead, what: &str) -> String {
    let mut all = String::new();
    while !all.contains(what) {
        assert_ne!(from.read_line(&mut all).unwrap(), 0, "{what:?} did not come: {all}");
    }
    all
}

fn rest(mut child: Child, mut stdout: impl Read) -> Done {
    let mut out = String::new();
    stdout.read_to_string(&mut out).unwrap();
    let mut done = Done::from({
        drop(child.stdin.take());
        child.wait_with_output().unwrap()
    });
    done.stdout = out;
    done
}

#[test]
fn the_first_cancels_the_turn() {
    let bench = slow();
    let mut child = bench.command(&["run", "x", "--model", "scripted:s.json", "--json", "--events"]).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    wait_for(&mut stdout, "text_delta");
    interrupt(&child);
    let done = rest(child, stdout);
    let last: Value = serde_json::from_str(done.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((last["type"].as_str(), last["stop"].as_str(), done.code), (Some("result"), Some("cancelled"), Some(1)));
    assert_eq!(last["text"], "One ");
}

#[test]
fn in_a_chat_the_turn_is_cancelled_and_the_thread_is_kept() {
    let bench = slow();
    let mut child = bench.command(&["chat", "--model", "scripted:s.json"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"count\n").unwrap();
    let mut begun = [0; 4];
    stdout.read_exact(&mut begun).unwrap();
    interrupt(&child);
    stdin.write_all(b"once more\n/quit\n").unwrap();
    let done = rest(child, stdout);
    assert_eq!(done.stdout, "\nAgain.\n");
    assert_eq!((done.complaints().as_str(), done.code), ("note: the turn ended: cancelled\n", Some(0)));
}

#[test]
fn the_second_quits_at_once() {
    let bench = Bench::new();
    let mut child = bench.command(&["chat", "--model", "scripted:s.json"]);
    let bench = bench.with("s.json", SLOW);
    let mut child = child.stdin(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"/tools\n").unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    wait_for(&mut stdout, "Files.info");
    interrupt(&child);
    wait_for(&mut stderr, "Ctrl-C again");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(bench);
}

//! `outrigger chat`, spoken to through a pipe.

use crate::bench::Bench;

const CHAT: [&str; 3] = ["chat", "--model", "scripted:s.json"];

#[test]
fn a_chat_goes_on_on_one_thread() {
    let script = r#"{ "steps": [
        { "text": "Hello, Ann." },
        { "expect": { "messages": 3, "contains": ["I am Ann"] }, "calls": [ { "name": "calculate", "arguments": { "expression": "6*7" } } ] },
        { "text": "42." } ] }"#;
    let done =
        Bench::new().with("s.json", script).run_with_input(&CHAT, "I am Ann\n\nWhat is 6*7?\n/quit\nnever read\n");
    insta::assert_snapshot!(done.shown());
}

#[test]
fn commands_are_answered_and_the_end_of_input_is_the_end() {
    let done = Bench::scripted().run_with_input(&CHAT, "/tools\n/tolls\n");
    insta::assert_snapshot!(done.shown());
}

#[test]
fn a_turn_that_fails_does_not_end_the_talk() {
    let script = r#"{ "steps": [ { "error": { "status": 400, "message": "down" } }, { "text": "Up again." } ] }"#;
    let done = Bench::new().with("s.json", script).run_with_input(&CHAT, "a\nb");
    assert_eq!((done.stdout.as_str(), done.complaints().as_str()), ("Up again.\n", "error: 400: down\n"));
    assert_eq!(done.code, Some(0));
}

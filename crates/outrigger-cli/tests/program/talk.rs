//! `outrigger chat`, talked to at a terminal.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use crate::bench::Bench;
use crate::terminal::Terminal;

const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";
const UP: &str = "\u{1b}[A";
const ALT_ENTER: &str = "\u{1b}\r";

/// Steps of a script, each the JSON of one.
fn scripted(steps: &[&str]) -> Bench {
    Bench::new()
        .with("s.json", format!(r#"{{ "steps": [ {} ] }}"#, steps.join(", ")))
        .with("agent.toml", "harnesses = [\"Calculator\"]\n[limits]\nretries = 2\n")
}

fn open(bench: &Bench) -> Terminal {
    Terminal::chat(bench, 80, &[], &[])
}

fn hears(text: &str) -> String {
    serde_json::json!({ "expect": { "last_contains": text }, "text": "Heard." }).to_string()
}

#[test]
fn a_talk_shows_calls_folded_and_whole_when_asked() {
    let sum = format!("{}1", "1+".repeat(200));
    let call =
        serde_json::json!({ "calls": [{ "id": "c1", "name": "calculate", "arguments": { "expression": sum } }] });
    let bench = scripted(&[&call.to_string(), r#"{ "text": "It is 201.", "usage": { "input": 120, "output": 5 } }"#]);
    let mut terminal = open(&bench);
    terminal.say("Add ones.");
    let screen = terminal.screen();
    let line = |start: &str| screen.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    assert!(
        line("1 → ").starts_with(r#"1 → calculate {"expression":"1+1+"#) && line("1 → ").contains("… +"),
        "{screen}"
    );
    assert_eq!((line("1 ← "), line("It is")), ("1 ← ok 201".to_owned(), "It is 201.".to_owned()));
    terminal.say("/show");
    assert!(terminal.raw().contains(&format!("{{\"expression\":\"{sum}\"}}")), "{}", terminal.screen());
    terminal.say("/show 2").wait_for("there is no such call; there are 1 to 1");
    assert_eq!(terminal.press("/quit\r").end(), 0);
}

// M11: tokens of the last turn and of the thread.
#[test]
fn usage_is_of_the_last_turn_and_of_the_thread() {
    let step = r#"{ "text": "Yes.", "usage": { "input": 120, "output": 5, "cached": 100, "reasoning": 2 } }"#;
    let bench = scripted(&[step, step]);
    let mut terminal = open(&bench);
    terminal.say("One?").say("Two?").say("/usage");
    for row in ["input      120    240", "cached     100    200", "output       5     10", "reasoning    2      4"] {
        terminal.wait_for(row);
    }
}

#[test]
fn several_lines_are_one_message() {
    let bench = scripted(&[&hears("one\ntwo"), &hears("three\nfour"), &hears("five\n  six\\\nseven")]);
    let mut terminal = open(&bench);
    terminal.say("one\\\rtwo");
    terminal.say(&format!("three{ALT_ENTER}four"));
    terminal.say("\u{1b}[200~five\r  six\\\rseven\u{1b}[201~");
    assert_eq!(terminal.screen().matches("Heard.").count(), 3, "{}", terminal.screen());
}

#[test]
fn what_was_said_comes_back_and_is_kept_for_its_owner_alone() {
    let bench = scripted(&[&hears("the first"), &hears("the first")]);
    let mut terminal = open(&bench);
    terminal.say("the first").say("/tools").press(UP).press(UP).say("");
    assert_eq!(terminal.screen().matches("Heard.").count(), 2, "{}", terminal.screen());
    assert_eq!(terminal.press(CTRL_D).end(), 0);
    let history = bench.path().join("history");
    assert_eq!(std::fs::metadata(&history).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(bench.read("history").contains("the first"));
    // The next talk begins with it; the script begins anew.
    open(&bench).press(UP).say("").wait_for("Heard.");
}

#[test]
fn an_empty_variable_turns_the_history_off() {
    let bench = scripted(&[&hears("secret")]);
    let variables = [("OUTRIGGER_HISTORY", ""), ("XDG_STATE_HOME", bench.path().to_str().unwrap())];
    let mut terminal = Terminal::chat(&bench, 80, &[], &variables);
    terminal.say("secret");
    assert_eq!(terminal.press(CTRL_D).end(), 0);
    assert!(!bench.path().join("outrigger").exists() && !bench.path().join("history").exists());
}

// R9: cancelled, the thread goes on: the question and what was said of the answer are still there.
#[test]
fn ctrl_c_stops_the_answer_and_keeps_the_thread() {
    let slow = r#"{ "parts": [ { "text": "One " }, { "delay_ms": 600000 }, { "text": "two" } ] }"#;
    let next = r#"{ "expect": { "contains": ["Count.", "One "], "last_contains": "Go on." }, "text": "Again." }"#;
    let bench = scripted(&[slow, next]);
    let mut terminal = open(&bench);
    terminal.press("Count.\r").wait_for("One ");
    terminal.press(CTRL_C).wait_for("the turn ended: cancelled");
    terminal.wait_for_answered().say("Go on.").wait_for("Again.");
    terminal.press(CTRL_C).wait_for("Ctrl-C again, Ctrl-D or /quit leaves");
    assert_eq!(terminal.press(CTRL_C).end(), 130);
}

#[test]
fn ctrl_c_throws_away_what_is_typed() {
    let bench = scripted(&[&hears("kept")]);
    let mut terminal = open(&bench);
    terminal.press("thrown away").wait_for("thrown away");
    terminal.say(CTRL_C).say("kept").wait_for("Heard.");
}

#[test]
fn a_failed_attempt_is_told_and_its_text_is_superseded() {
    let broken = r#"{ "parts": [ { "reasoning": "Hm." }, { "text": "Half an answ" } ], "error": { "kind": "unavailable", "message": "gone away", "retry_after_ms": 1 } }"#;
    let bench = scripted(&[broken, r#"{ "text": "A whole answer." }"#]);
    let mut terminal = open(&bench);
    terminal.say("Go.");
    let screen = terminal.screen();
    let lines: Vec<&str> = screen.lines().skip_while(|line| !line.contains("Go.")).skip(1).collect();
    let expected = [
        "~ Hm.",
        "Half an answ",
        "✗ superseded: the text above does not count",
        "! again in 0.0 s (unavailable): gone away",
        "A whole answer.",
    ];
    assert_eq!(lines[..5], expected, "{screen}");
}

#[test]
fn another_model_goes_on_with_the_thread() {
    let other =
        r#"{ "steps": [ { "expect": { "contains": ["I am Ann", "Hello, Ann."], "messages": 3 }, "text": "Ann." } ] }"#;
    let bench = scripted(&[r#"{ "text": "Hello, Ann." }"#]).with("other.json", other);
    let mut terminal = open(&bench);
    terminal.say("I am Ann").say("/model").wait_for("scripted:s.json");
    terminal.say("/model scripted:none.json").wait_for("none.json cannot be used");
    terminal.say("/model scripted:other.json").wait_for("scripted:other.json answers from now on");
    terminal.say("Who am I?").wait_for("Ann.");
    assert!(!terminal.screen().contains("not what step"), "{}", terminal.screen());
}

#[test]
fn commands_are_completed_and_wrong_ones_are_not_said_to_the_model() {
    let bench = scripted(&[r#"{ "expect": { "messages": 1 }, "text": "First." }"#]);
    let mut terminal = open(&bench);
    terminal.press("/too\t").wait_for("> /tools").say("").wait_for("Calculator.calculate:");
    terminal.say("/usge").wait_for("did you mean \"/usage\"?");
    terminal.say("/help").wait_for("Alt-Enter");
    terminal.say(" /usage?").wait_for("First.");
}

// P8: what a model or a tool says moves no cursor, sets no title and uses no colour.
#[test]
fn what_others_say_cannot_command_the_terminal() {
    let evil = "\u{1b}]0;title\u{7}\u{1b}[2J\u{1b}[31m\u{9b}5A\rkept\tit";
    let call = serde_json::json!({ "parts": [{ "reasoning": evil }], "text": evil,
        "calls": [{ "name": evil, "arguments": evil }, { "name": "calculate", "arguments": { "expression": evil } }] });
    let bench = scripted(&[&call.to_string(), r#"{ "text": "Done." }"#]);
    let mut terminal = Terminal::chat(&bench, 80, &[], &[("NO_COLOR", "1")]);
    terminal.say("Go.").wait_for("Done.");
    terminal.say("/show 1").say("/show 2");
    let raw = terminal.raw();
    assert_eq!(terminal.titles(), 0);
    assert!(terminal.screen().contains("Go.") && terminal.screen().contains("kept"), "{}", terminal.screen());
    for command in ["\u{1b}]", "\u{1b}[2J", "\u{1b}[31m", "\u{1b}[2m", "\u{9b}", "\u{7}"] {
        assert!(!raw.contains(command), "{command:?} in {raw:?}");
    }
}

#[test]
fn lines_are_cut_to_the_width_there_is_now() {
    let call = r#"{ "calls": [ { "name": "calculate", "arguments": { "expression": "10^60 + 10^50" } } ] }"#;
    let bench = scripted(&[call, r#"{ "text": "Large." }"#, call, r#"{ "text": "Still large." }"#]);
    let mut terminal = Terminal::chat(&bench, 20, &[], &[]);
    terminal.say("Go.").wait_for("Large.");
    let screen = terminal.screen();
    let calls: Vec<&str> = screen.lines().filter(|line| line.starts_with("1 ")).collect();
    assert_eq!(calls, [r#"1 → calculate {… +29"#, "1 ← ok 10000000… +53"], "{screen}");
    terminal
        .resize(100)
        .say("Go on.")
        .wait_for("Still large.")
        .wait_for(r#"2 → calculate {"expression":"10^60 + 10^50"}"#);
}

#[test]
fn a_terminal_without_a_cursor_is_read_plainly() {
    let bench = scripted(&[&hears("one\ntwo")]);
    let mut terminal = Terminal::plain(&bench, &[("TERM", "dumb")]);
    terminal.press("one\\\n").press("two\n").wait_for("Heard.");
    assert_eq!(terminal.press(CTRL_D).end(), 0);
    assert!(!terminal.raw().contains('\u{1b}'), "{:?}", terminal.raw());
}

// M8: `--record`: what is recorded plays back.
#[test]
fn a_talk_is_recorded_as_a_script_that_plays() {
    let slow = r#"{ "parts": [ { "text": "One " }, { "delay_ms": 600000 } ] }"#;
    let bench = scripted(&[slow, r#"{ "text": "Again." }"#]);
    let mut terminal = Terminal::chat(&bench, 80, &["--record", "r.json"], &[]);
    terminal.press("Count.\r").wait_for("One ");
    terminal.press(CTRL_C).wait_for("the turn ended: cancelled");
    terminal.wait_for_answered().say("Go on.").wait_for("Again.");
    assert_eq!(terminal.press(CTRL_D).end(), 0);
    assert!(!bench.read("r.json").contains("Count."));
    let done = bench.run_with_input(&["chat", "--model", "scripted:r.json"], "Count.\nGo on.\n");
    assert_eq!((done.stdout.as_str(), done.code), ("One \nAgain.\n", Some(0)));
}

//! `outrigger run`, by the formats it has promised.

use std::process::Stdio;

use serde_json::json;

use crate::bench::{Bench, Done};

const RUN: [&str; 4] = ["run", "What is 12.5% of 640?", "--model", "scripted:s.json"];

fn run(bench: &Bench, options: &[&str]) -> Done {
    bench.run(&[&RUN[..], options].concat())
}

fn script(step: &str) -> Bench {
    Bench::new().with("s.json", format!("{{ \"steps\": [ {step} ] }}"))
}

// Standard output is the answer alone; calls are told beside it.
#[test]
fn the_answer_stands_alone_on_standard_output() {
    insta::assert_snapshot!(run(&Bench::scripted(), &[]).shown());
}

// Results of a batch come as they are ready; each says whose it is, on one line, cut where it is long.
#[test]
fn calls_of_one_batch_are_told_apart() {
    let calls = [
        r#"{ "name": "calculate", "arguments": { "expression": "10^250 + 1" } }"#,
        r#"{ "name": "calculat", "arguments": {} }"#,
        r#"{ "name": "read", "arguments": "{\"path\": 3" }"#,
    ];
    let done = run(&script(&format!(r#"{{ "calls": [ {} ] }}, {{ "text": "Done." }}"#, calls.join(", "))), &[]);
    let mut lines: Vec<&str> = done.stderr.lines().collect();
    lines.sort_unstable();
    insta::assert_snapshot!(lines.join("\n"));
}

// formats.md, `outrigger run --json`.
#[test]
fn json_is_one_object_with_the_promised_keys() {
    let done = run(&Bench::scripted(), &["--json"]);
    let mut result = done.json();
    let keys: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["text", "output", "stop", "usage", "session", "thread", "run", "iterations", "model"]);
    for name in ["session", "run"] {
        assert!(result[name].as_str().is_some_and(|id| !id.is_empty()));
        result[name] = json!("an id");
    }
    assert_eq!(
        result,
        json!({
            "text": "It is 80.", "output": null, "stop": "answered",
            "usage": { "input": 120, "output": 5, "cached": 0, "reasoning": 0 },
            "session": "an id", "thread": "main", "run": "an id", "iterations": 2, "model": "scripted:s.json",
        })
    );
    assert_eq!(done.code, Some(0));
}

// formats.md, `outrigger run --json`: `error` on failure, exit code 1.
#[test]
fn a_failed_run_says_what_failed() {
    let done = run(&script(r#"{ "error": { "status": 401, "message": "no such key" } }"#), &["--json"]);
    let result = done.json();
    assert_eq!(result["stop"], "failed");
    assert_eq!(result["error"], json!({ "kind": "model.unauthorized", "message": "401: no such key", "detail": null }));
    assert_eq!((done.code, done.complaints().as_str()), (Some(1), "error: 401: no such key\n"));
}

// formats.md, script: a miss fails the turn with a readable diff.
#[test]
fn a_script_whose_expectation_is_missed_fails_with_a_diff() {
    let done = run(&script(r#"{ "expect": { "tools": ["nothing"], "messages": 3 }, "text": "x" }"#), &[]);
    insta::assert_snapshot!(done.shown());
}

#[test]
fn a_limit_that_is_met_is_named_and_no_answer() {
    let bench = Bench::scripted().with("agent.toml", "harnesses = [\"Calculator\"]\n[limits]\nmax_iterations = 1\n");
    let done = run(&bench, &["--json"]);
    assert_eq!((done.json()["stop"].as_str(), done.code), (Some("max_iterations"), Some(1)));
    assert!(done.json().get("error").is_none());
    assert!(run(&bench, &[]).stderr.ends_with("error: the run stopped without an answer: max_iterations\n"));
}

// formats.md, `outrigger run --events`: every line an object that opens with its type, in order.
#[test]
fn events_are_json_lines_with_the_common_fields() {
    let done = run(&Bench::scripted(), &["--events"]);
    let events = done.json_lines();
    let types: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    insta::assert_snapshot!(types.join("\n"));
    for (index, event) in events.iter().enumerate() {
        assert_eq!(event["seq"], index + 1);
        for key in ["id", "time", "session", "thread", "run", "turn", "iteration", "agent", "span"] {
            assert!(event.get(key).is_some(), "{key} is missing in {event}");
        }
    }
    let result = events.iter().find(|event| event["type"] == "tool_call_result").unwrap();
    assert_eq!(
        (&result["name"], &result["call"], &result["status"]),
        (&json!("calculate"), &json!("c1"), &json!("ok"))
    );
    assert_eq!((done.code, done.complaints().as_str()), (Some(0), ""));
}

// formats.md: `--events` and `--json` together: the result is the last line.
#[test]
fn after_events_the_result_is_the_last_line() {
    let lines = run(&Bench::scripted(), &["--events", "--json"]).json_lines();
    let results: Vec<_> = lines.iter().filter(|line| line["type"] == "result").collect();
    assert_eq!(results, [lines.last().unwrap()]);
    assert_eq!(results[0]["text"], "It is 80.");
    let failed = Bench::new().run(&["run", "x", "--model", "scripted:none.json", "--events", "--json"]);
    assert_eq!((failed.json()["type"].as_str(), failed.code), (Some("result"), Some(2)));
}

// formats.md, `outrigger run --requests FILE`.
#[test]
fn requests_are_a_line_for_each_provider_call_as_sealed() {
    let bench = Bench::scripted().with("agent.toml", "instructions = \"Be brief.\"\nharnesses = [\"Calculator\"]\n");
    assert_eq!(run(&bench, &["--requests", "r.jsonl"]).code, Some(0));
    let lines: Vec<serde_json::Value> =
        bench.read("r.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let keys: Vec<&str> = lines[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["seq", "system", "tools", "messages", "size", "limit"]);
    assert_eq!((lines.len(), &lines[0]["seq"], &lines[1]["seq"]), (2, &json!(1), &json!(2)));
    assert_eq!((&lines[0]["system"], &lines[0]["limit"]), (&json!("Be brief."), &json!(null)));
    assert_eq!(lines[0]["tools"][0]["name"], "calculate");
    assert_eq!(lines[0]["tools"][0]["schema"]["additionalProperties"], false);
    assert_eq!(lines[0]["size"]["unit"], "bytes");
    assert_eq!(
        lines[1]["messages"],
        json!([
            { "role": "user", "parts": [{ "text": "What is 12.5% of 640?" }] },
            { "role": "assistant", "parts": [
                { "text": "Let me see." },
                { "call": { "id": "c1", "name": "calculate", "arguments": "{ \"expression\": \"12.5% * 640\" }" } },
            ] },
            { "role": "tool", "parts": [{ "result": { "id": "c1", "status": "ok", "content": "80" } }] },
        ])
    );
}

#[test]
fn a_dash_reads_the_prompt_from_standard_input() {
    let bench = Bench::new()
        .with("s.json", r#"{ "steps": [ { "expect": { "contains": ["from a pipe"] }, "text": "read" } ] }"#);
    let done = bench.run_with_input(&["run", "-", "--model", "scripted:s.json"], "from a pipe\n");
    assert_eq!((done.stdout.as_str(), done.code), ("read\n", Some(0)));
}

// M10: the option goes before the environment, and that before the file.
#[test]
fn the_model_is_chosen_by_option_then_environment_then_file() {
    let says = |text: &str| format!("{{ \"steps\": [ {{ \"text\": {text:?} }} ] }}");
    let bench = Bench::new()
        .with("option.json", says("option"))
        .with("environment.json", says("environment"))
        .with("file.json", says("file"))
        .with("agent.toml", "model = \"scripted:file.json\"\n");
    let answer = |option: Option<&str>, environment: Option<&str>| {
        let mut command = bench.command(&["run", "x"]);
        command.args(option.into_iter().flat_map(|model| ["--model", model]));
        command.envs(environment.map(|model| ("OUTRIGGER_MODEL", model)));
        Done::from(command.output().unwrap()).stdout
    };
    assert_eq!(answer(Some("scripted:option.json"), Some("scripted:environment.json")), "option\n");
    assert_eq!(answer(None, Some("scripted:environment.json")), "environment\n");
    assert_eq!(answer(None, Some("")), "file\n");
    assert_eq!(answer(None, None), "file\n");
}

// M10: with nothing configured the local model, and it is said.
#[test]
fn with_nothing_configured_it_is_the_local_model() {
    let done = Bench::new().run(&["check"]);
    let note = "note: no model is configured: using \"local\"; choose with --model, OUTRIGGER_MODEL or `model` in an agent file";
    assert!(done.stderr.lines().any(|line| line == note), "{done:?}");
}

// What others wrote cannot command the terminal, and colours are for terminals.
#[test]
fn escape_sequences_of_results_and_colours_do_not_reach_a_pipe() {
    let call =
        r#"{ "calls": [ { "name": "calculate", "arguments": { "expression": "\u001b[2J1" } } ] }, { "text": "x" }"#;
    let done = run(&script(call), &[]);
    assert!(!done.stderr.contains('\u{1b}'), "{done:?}");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_left_quietly() {
    let bench = Bench::scripted();
    for args in [&["tools"][..], &["schema"], &["completions", "zsh"], &["models"], &[&RUN[..], &["--events"]].concat()]
    {
        let mut child = bench.command(args).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let done = Done::from(child.wait_with_output().unwrap());
        assert_eq!(done.complaints(), "", "{args:?}");
    }
}

// M8: `--record`: a run as a script, which plays back the same and can be edited.
#[test]
fn a_run_is_recorded_as_a_script_that_plays() {
    let bench = Bench::scripted();
    let first = run(&bench, &["--record", "r.json"]);
    let script = bench.read("r.json");
    assert!(
        script.contains(r#""arguments": { "expression": "12.5% * 640" }"#) && !script.contains("What is"),
        "{script}"
    );
    let again = bench.run(&["run", "What is 12.5% of 640?", "--model", "scripted:r.json"]);
    assert_eq!((&again.stdout, again.complaints()), (&first.stdout, first.complaints()));
}

#[test]
fn a_recording_that_cannot_be_written_fails_before_the_run() {
    let done = run(&Bench::scripted().with("there/x", ""), &["--record", "there"]);
    assert_eq!(
        (done.complaints().as_str(), done.code),
        ("error: there: cannot be written: it is a directory: name a file in it\n", Some(2))
    );
    assert!(
        run(&Bench::scripted(), &["--record", "no/r.json"])
            .complaints()
            .starts_with("error: no/r.json: cannot be written: ")
    );
}

//! Bad input: a clear message and the right exit code, never a panic.

use crate::bench::{Bench, Done};

fn bench() -> Bench {
    Bench::scripted()
        .with("typo.json", "{\n  \"steps\": [ { \"txt\": \"x\" } ]\n}")
        .with("cut.json", "{ \"steps\": [")
        .with("none.json", "{ \"steps\": [] }")
        .with("bytes.json", b"{ \"steps\": [ { \"text\": \"\xff\" } ] }")
        .with("bytes.toml", b"name = \"a\xff\"")
        .with("syntax.toml", "name = \n[limits\n")
        .with("other.yaml", "name: a\n")
        .with("text.gguf", "not a model")
        .with("cut.gguf", b"GGUF\x03\0\0")
        .with("folder/x", "")
}

fn told(args: &[&str]) -> String {
    let done: Done = bench().run(args);
    assert_eq!(done.stdout, "");
    // Which models there are differs between builds.
    let lines = done.complaints();
    let lines = lines.lines().map(|line| line.split("; this build has").next().unwrap_or_default());
    let told: String = lines.map(|line| format!("{line}\n")).collect();
    format!("$ outrigger {}\n{told}exit {}\n\n", args.join(" "), done.code.unwrap_or(-1))
}

// M9: any GGUF file works, and what is none is told in words.
#[cfg(feature = "local")]
#[test]
fn a_file_that_is_no_model_is_told_in_words() {
    let texts = ["local:text.gguf", "local:gone.gguf", "local:folder", "local:cut.gguf"];
    let texts: String = texts.iter().map(|model| told(&["run", "x", "--model", model])).collect();
    insta::assert_snapshot!(texts);
}

#[test]
fn every_mistake_has_its_message_and_its_exit_code() {
    let run = |model: &str| told(&["run", "x", "--model", model]);
    let agent = |file: &str| told(&["run", "x", "--model", "scripted:s.json", "--agent", file]);
    let texts = [
        run("scripted:typo.json"),
        run("scripted:cut.json"),
        run("scripted:none.json"),
        run("scripted:bytes.json"),
        run("scripted:gone.json"),
        run("scripted:folder"),
        run("scripted:"),
        run("scriptde:x"),
        run("nothing:like-it"),
        agent("gone.toml"),
        agent("folder"),
        agent("bytes.toml"),
        agent("syntax.toml"),
        agent("other.yaml"),
        told(&["run", ""]),
        told(&["run", " \n "]),
        told(&["run", "x", "--model", "scripted:s.json", "--requests", "folder"]),
        told(&["run", "x", "--model", "scripted:s.json", "--requests", "gone/r.jsonl"]),
        told(&["tools", "--profile", "canonicl"]),
        told(&["call", "calculat", "{}"]),
        told(&["call", "qwertyuiop", "{}"]),
        told(&["call", "calculate", r#"{"expresion":"1","x":2}"#]),
        told(&["call", "calculate", "{\"expression\":"]),
        told(&["call", "calculate", r#"{"expression":"1 +"}"#]),
        told(&["run"]),
        told(&["rnu", "x"]),
        told(&["run", "x", "--jsno"]),
        told(&["completions", "smell"]),
    ];
    insta::assert_snapshot!(texts.concat());
}

// With `--json` a program finds the same on standard output.
#[test]
fn mistakes_before_a_run_are_results_too() {
    for (args, kind) in [
        (&["run", "", "--json"][..], "usage"),
        (&["run", "x", "--json", "--agent", "gone.toml"], "config"),
        (&["run", "x", "--json", "--model", "nothing:x"], "model.rejected"),
        (&["run", "x", "--json", "--model", "scripted:typo.json"], "model.script"),
    ] {
        let done = bench().run(args);
        let result = done.json();
        assert_eq!(
            (result["stop"].as_str(), result["error"]["kind"].as_str()),
            (Some("failed"), Some(kind)),
            "{args:?}"
        );
        assert!(result["error"]["message"].as_str().is_some_and(|message| !message.is_empty()));
        assert_eq!(done.code, Some(2));
    }
}

#[test]
fn standard_input_that_is_not_text_is_refused() {
    let done = bench().run_with_input(&["run", "-", "--model", "scripted:s.json"], b"\xff\xfe");
    assert_eq!(
        done.complaints(),
        "error: standard input cannot be read: it is not UTF-8 text: byte 1 begins no character\n"
    );
    assert_eq!(done.code, Some(2));
}

//! Sessions that are kept: listed, shown, forked, carried and deleted.

use serde_json::Value;

use crate::bench::Bench;

const FILE: &str = include_str!("../../../outrigger-store/tests/files/thread-1.jsonl");

fn with_a_thread() -> Bench {
    let bench = Bench::new().with("t.jsonl", FILE);
    assert_eq!(bench.run(&["sessions", "--data", "d", "import", "t.jsonl"]).stdout, "s/main: 9 records\n");
    bench
}

// T5: a thread goes in as it came out, is listed, shown and forked, and deleted without its fork noticing.
#[test]
fn a_thread_is_kept_and_carried() {
    let bench = with_a_thread();
    let sessions = |args: &[&str]| bench.run(&[&["sessions", "--data", "d"], args].concat());
    assert_eq!(
        sessions(&["export", "s"]).stdout.lines().skip(1).collect::<Vec<_>>(),
        FILE.lines().skip(1).collect::<Vec<_>>()
    );
    insta::assert_snapshot!(sessions(&["show", "s"]).stdout);
    assert_eq!(sessions(&["fork", "s", "--messages", "3", "--name", "other"]).stdout, "other\n");
    let threads: Value = sessions(&["list", "s", "--json"]).json();
    assert_eq!(threads["threads"][1]["lineage"]["parent"]["thread"], "main");
    let listed: Value = sessions(&["list", "--json"]).json();
    assert_eq!((&listed["sessions"][0]["session"], &listed["sessions"][0]["threads"]), (&"s".into(), &2.into()));
    assert_eq!(sessions(&["delete", "s"]).code, Some(0));
    let shown: Value = sessions(&["show", "s", "other", "--json"]).json();
    assert_eq!(shown["messages"].as_array().unwrap().len(), 3);
    assert!(sessions(&["list", "s"]).stdout.contains("other: 5 records"), "{:?}", sessions(&["list", "s"]));
    assert_eq!(sessions(&["export", "s", "other", "--to", "o.jsonl"]).code, Some(0));
    assert_eq!(sessions(&["import", "o.jsonl", "--session", "x"]).stdout, "x/other: 5 records\n");
}

// What is not there, or is not what it should be, is said with its place.
#[test]
fn what_is_wrong_is_said() {
    let bench = with_a_thread().with("bad.jsonl", FILE.replace("Right away", "Never"));
    let told = |args: &[&str]| {
        let done = bench.run(&[&["sessions"], args].concat());
        assert!(done.code == Some(1) || done.code == Some(2), "{done:?}");
        done.stderr
    };
    let told = [
        told(&["--data", "none", "list"]),
        told(&["--data", "d", "show", "s", "other"]),
        told(&["--data", "d", "delete", "x"]),
        told(&["--data", "d", "fork", "s", "--messages", "40"]),
        told(&["--data", "d", "import", "t.jsonl"]),
        told(&["--data", "d", "import", "bad.jsonl", "--thread", "b"]),
        told(&["--data", "d", "import", "no.jsonl"]),
        told(&["--data", "d", "export", "s", "--to", "t.jsonl"]),
    ];
    insta::assert_snapshot!(told.concat());
}

// A conversation under a name goes on in another process; the last one is resumed; without a name nothing is kept.
#[test]
fn a_named_session_goes_on() {
    let script = r#"{ "steps": [ { "text": "Hello." } ] }"#;
    let again = r#"{ "steps": [ { "expect": { "messages": 3, "contains": ["first"] }, "text": "Hello again." } ] }"#;
    let third = r#"{ "steps": [ { "expect": { "messages": 5, "contains": ["second"] }, "text": "And again." } ] }"#;
    let bench = Bench::new().with("a.json", script).with("b.json", again).with("c.json", third);
    let run = |model: &str, prompt: &str, more: &[&str]| {
        bench.run(&[&["run", "--model", model, "--data", "d", prompt], more].concat())
    };
    assert_eq!(run("scripted:a.json", "first", &["--session", "trip"]).stdout, "Hello.\n");
    assert_eq!(run("scripted:a.json", "elsewhere", &[]).stdout, "Hello.\n");
    assert_eq!(run("scripted:b.json", "second", &["--session", "trip"]).stdout, "Hello again.\n");
    let chat = ["chat", "--model", "scripted:c.json", "--data", "d", "--resume"];
    let resumed = bench.run_with_input(&chat, "third\n");
    assert!(resumed.stdout.contains("And again.") && resumed.stderr.contains("the session \"trip\""), "{resumed:?}");
    let listed: Value = bench.run(&["sessions", "--data", "d", "list", "--json"]).json();
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
    let none = bench.run_with_input(&["chat", "--data", "none", "--resume"], "x\n");
    assert!(none.code == Some(1) && none.stderr.contains("there are no sessions in none"), "{none:?}");
}

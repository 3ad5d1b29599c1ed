//! Agent files (formats.md; F1, H4).

use crate::bench::{Bench, Done};

fn check(file: &str) -> Done {
    Bench::new().with("agent.toml", file).run(&["check", "--json", "--model", "scripted:s.json"])
}

// F1: every error at once, each with file, line and column.
#[test]
fn every_error_is_told_at_once_with_its_place() {
    let file = "nmae = \"assistant\"\nharnesses = [\"Calclator\", { name = \"Files\", config = { rot = \".\" }, tools = [\"raed\"] }]\n\
                [limits]\nmax_iterations = 0\ntool_timeout = \"soon\"\n";
    let bench = Bench::new().with("agent.toml", file);
    insta::assert_snapshot!(bench.run(&["run", "x"]).shown());
    let errors = check(file).json()["errors"].as_array().unwrap().clone();
    let places: Vec<(i64, i64)> =
        errors.iter().map(|error| (error["line"].as_i64().unwrap(), error["column"].as_i64().unwrap())).collect();
    assert_eq!(places, [(1, 1), (2, 14), (2, 56), (2, 78), (4, 18), (5, 16)]);
    assert!(errors.iter().all(|error| error["file"] == "agent.toml"));
    assert_eq!(errors[0]["path"], "/nmae");
    assert_eq!(errors[0]["suggestion"], "did you mean \"name\"?");
}

#[test]
fn a_tool_filter_with_a_typo_names_the_nearest_tool() {
    let errors = check("harnesses = [{ name = \"Files\", tools = [\"raed\", \"list\"] }]\n").json()["errors"].clone();
    assert_eq!(errors[0]["suggestion"], "did you mean \"read\"?");
    assert_eq!((errors[0]["line"].as_u64(), errors[0]["column"].as_u64()), (Some(1), Some(41)));
}

#[test]
fn tools_that_are_chosen_are_all_there_is() {
    let bench = Bench::new()
        .with("agent.toml", "harnesses = [\"Clock\", { name = \"Files\", tools = [\"read\", \"Files.list\"] }]\n");
    let tools = bench.run(&["tools", "--json"]).json()["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["identity"].as_str().unwrap()).collect();
    assert_eq!(names, ["Clock.now", "Files.list", "Files.read"]);
}

// The root of Files and a script are found from the directory of the agent file.
#[test]
fn paths_in_a_file_start_from_its_directory() {
    let bench = Bench::new()
        .with(
            "sub/agent.toml",
            "model = \"scripted:s.json\"\nharnesses = [{ name = \"Files\", config = { root = \"docs\" } }]\n",
        )
        .with("sub/s.json", r#"{ "steps": [ { "text": "found" } ] }"#)
        .with("sub/docs/a.txt", "hello\n");
    let call = bench.run(&["call", "read", r#"{"path":"a.txt"}"#, "--agent", "sub/agent.toml"]);
    assert!(call.stdout.starts_with("hello"), "{call:?}");
    assert_eq!(bench.run(&["run", "x", "--agent", "sub/agent.toml"]).stdout, "found\n");
}

#[test]
fn a_root_that_is_no_directory_is_told_where_it_stands() {
    let errors =
        check("harnesses = [\n  { name = \"Files\", config = { root = \"nowhere\" } },\n]\n").json()["errors"].clone();
    assert_eq!((errors[0]["line"].as_u64(), errors[0]["column"].as_u64()), (Some(2), Some(39)));
    assert_eq!(errors[0]["path"], "/harnesses/0/config/root");
}

#[test]
fn a_model_that_does_not_exist_is_an_error_of_the_file() {
    let bench = Bench::new().with("agent.toml", "name = \"a\"\nmodel = \"scriptd:x.json\"\n");
    let done = bench.run(&["run", "x", "--json"]);
    let message = done.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(
        message.starts_with("agent.toml:2:9: there is no model \"scriptd:x.json\" (did you mean \"scripted\"?)"),
        "{message}"
    );
    assert_eq!(done.code, Some(2));
}

#[test]
fn without_a_file_there_are_the_ready_harnesses_and_it_is_said() {
    let done = Bench::new().run(&["tools", "--json"]);
    let sources: Vec<String> = done.json()["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["source"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(sources, ["Calculator", "Clock", "Files", "Files", "Files", "Files"]);
    assert_eq!(
        done.stderr,
        "note: no agent file: there are Calculator, Clock and Files, which reads the working directory and changes nothing\n"
    );
}

#[test]
fn a_file_in_another_format_is_not_passed_over_in_silence() {
    let done = Bench::new().with("agent.json", "{}").run(&["tools"]);
    assert!(done.stderr.starts_with("note: agent.json is not read: agent files are TOML\n"), "{done:?}");
}

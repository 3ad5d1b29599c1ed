//! `outrigger call` (formats.md; F3).

use serde_json::json;

use crate::bench::Bench;

#[test]
fn a_call_prints_what_the_tool_says() {
    let done = Bench::new().run(&["call", "calculate", r#"{"expression":"12.5% * 640"}"#]);
    assert_eq!((done.stdout.as_str(), done.code), ("80\n", Some(0)));
}

#[test]
fn json_has_status_content_and_issues() {
    let bench = Bench::new();
    let done = bench.run(&["call", "Calculator.calculate", r#"{"expression":"2^10"}"#, "--json"]);
    assert_eq!(done.json(), json!({ "status": "ok", "content": "1024", "issues": [] }));
    let failed = bench.run(&["call", "calculate", r#"{"expression":"1/0"}"#, "--json"]);
    assert_eq!((failed.json()["status"].as_str(), failed.code), (Some("error"), Some(1)));
}

// formats.md: all issues, by their codes; exit code 1.
#[test]
fn arguments_that_do_not_bind_are_answered_with_every_issue() {
    let done = Bench::new().run(&["call", "Files/read", r#"{"pth":"x","from_line":0}"#, "--json"]);
    let result = done.json();
    assert_eq!((result["status"].as_str(), done.code), (Some("invalid_arguments"), Some(1)));
    let mut codes: Vec<(&str, &str)> = result["issues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| (issue["path"].as_str().unwrap(), issue["code"].as_str().unwrap()))
        .collect();
    codes.sort_unstable();
    assert_eq!(codes, [("/from_line", "range"), ("/path", "missing"), ("/pth", "unknown_property")]);
    for key in ["expected", "found", "hint"] {
        assert!(result["issues"][0].get(key).is_some());
    }
}

// formats.md: exit code 2 for a tool that does not exist.
#[test]
fn a_tool_that_does_not_exist_is_answered_with_the_nearest() {
    let done = Bench::new().run(&["call", "calculat", "{}", "--json"]);
    let expected = json!({
        "status": "unknown_tool", "content": "There is no tool \"calculat\". Nearest: calculate.", "issues": [],
    });
    assert_eq!((done.json(), done.code), (expected, Some(2)));
}

#[test]
fn arguments_come_from_standard_input_or_not_at_all() {
    let bench = Bench::new();
    assert_eq!(bench.run_with_input(&["call", "calculate", "-"], r#"{"expression":"6*7"}"#).stdout, "42\n");
    assert_eq!(bench.run(&["call", "now"]).code, Some(0));
}

// No model is needed, whatever the file says.
#[test]
fn a_call_needs_no_model() {
    let bench = Bench::new().with("agent.toml", "model = \"nothing:x\"\nharnesses = [\"Calculator\"]\n");
    assert_eq!(bench.run(&["call", "calculate", r#"{"expression":"1+1"}"#]).stdout, "2\n");
}

//! `outrigger check` (formats.md; F4).

use crate::bench::Bench;

#[test]
fn json_has_the_promised_keys() {
    let done = Bench::scripted().run(&["check", "--json", "--model", "scripted:s.json"]);
    let report = done.json();
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["features", "capabilities", "servers", "notes", "errors"]);
    for key in ["feature", "requested", "effective", "backing", "limitation"] {
        assert!(report["features"][0].get(key).is_some(), "{key}");
    }
    assert_eq!(report["capabilities"].as_array().unwrap().len(), 6);
    assert_eq!(done.code, Some(0));
}

// formats.md: exit code 2 when there are errors.
#[test]
fn errors_have_file_place_path_message_and_suggestion() {
    let done = Bench::new().with("agent.toml", "nmae = 1\n").run(&["check", "--json"]);
    assert_eq!(
        done.json()["errors"],
        serde_json::json!([{
            "file": "agent.toml", "line": 1, "column": 1, "path": "/nmae",
            "message": "unknown key \"nmae\"", "suggestion": "did you mean \"name\"?",
        }])
    );
    assert_eq!(done.code, Some(2));
}

#[test]
fn people_read_how_things_stand() {
    let bench = Bench::scripted().with("agent.toml", "harnesses = [\"Calculator\"]\n[limits]\nmax_iterations = 3\n");
    insta::assert_snapshot!(bench.run(&["check", "--model", "scripted:s.json"]).shown());
}

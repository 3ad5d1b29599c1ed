//! What the program says about itself.

use serde_json::Value;

use crate::bench::Bench;

#[test]
fn help_names_every_command() {
    insta::assert_snapshot!(Bench::new().run(&["--help"]).shown());
    insta::assert_snapshot!(Bench::new().run(&["run", "--help"]).shown());
}

// M10: the models of this build, and the one that is used without a choice.
#[test]
fn models_lists_what_this_build_can_use() {
    let bench = Bench::new();
    let list = bench.run(&["models", "--json"]).json();
    assert!(
        list["models"].as_array().unwrap().iter().any(|one| one["name"] == "scripted" && one["takes"] == ":FILE.json")
    );
    assert_eq!(list["default"], "local");
    assert!(bench.run(&["models"]).stdout.contains("scripted:FILE"));
}

// F1: the JSON Schema of agent files, for editors.
#[test]
fn schema_is_a_closed_json_schema() {
    let schema: Value = Bench::new().run(&["schema"]).json();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["additionalProperties"], false);
    assert!(schema["properties"]["harnesses"].is_object());
}

#[test]
fn completions_exist_for_the_common_shells() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = Bench::new().run(&["completions", shell]);
        assert!(done.stdout.contains("outrigger") && done.stderr.is_empty() && done.code == Some(0), "{shell}");
    }
}

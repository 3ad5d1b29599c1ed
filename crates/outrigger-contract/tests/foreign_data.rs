//! C6 with real data: the JSON Schema test suite, the tool lists of MCP servers. The data stands in the folder that
//! `OUTRIGGER_TEST_DATA` names; without it these tests say so and pass.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use outrigger_contract::{DegradedKind, ForeignSchema, ImportLimits, Limits, SchemaProfile, WirePlan, project};
use serde_json::Value;

fn data(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("OUTRIGGER_TEST_DATA") else {
        println!("skipped: OUTRIGGER_TEST_DATA is not set, so there is no {name}");
        return None;
    };
    Some(Path::new(&folder).join(name))
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Tests of the suite that come out otherwise here, one a line: file, group, test, and why.
const EXPECTED: &str = include_str!("data/json-schema-test-suite.txt");

#[test]
fn the_json_schema_test_suite_passes_but_for_the_listed_tests() {
    let Some(folder) = data("json-schema-test-suite/draft2020-12") else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut passed, mut failed) = (0, BTreeSet::new());
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        for group in json(&file).as_array().unwrap() {
            let schema = ForeignSchema::import_value(&group["schema"].to_string(), &ImportLimits::default());
            for test in group["tests"].as_array().unwrap() {
                let text = test["data"].to_string();
                // A bare null would stand for an empty object.
                let accepted = schema.as_ref().is_ok_and(|schema| schema.accepts_value(&text));
                if accepted == test["valid"].as_bool().unwrap() {
                    passed += 1;
                } else {
                    let title = |value: &Value| value["description"].as_str().unwrap().to_owned();
                    failed.insert(format!("{name} | {} | {}", title(group), title(test)));
                }
            }
        }
    }
    let expected: BTreeMap<&str, &str> = EXPECTED
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.rsplit_once(" | ").unwrap())
        .collect();
    println!("{passed} of {} tests pass", passed + failed.len());
    let surprising: Vec<_> = failed.iter().filter(|test| !expected.contains_key(test.as_str())).collect();
    let passing: Vec<_> = expected.keys().filter(|test| !failed.contains(**test)).collect();
    assert!(surprising.is_empty(), "not listed as failing:\n{surprising:#?}");
    assert!(passing.is_empty(), "listed as failing, and they pass:\n{passing:#?}");
}

#[test]
fn the_tools_of_mcp_servers_are_all_carried() {
    let Some(folder) = data("mcp-catalogs") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = json(&entry.unwrap().path());
        let tools =
            file["tools"].as_array().or_else(|| file["result"]["tools"].as_array()).or(file.as_array()).unwrap();
        for tool in tools {
            let text = tool["inputSchema"].to_string();
            let schema = ForeignSchema::import(&text, &ImportLimits::default()).unwrap();
            assert!(schema.is_validated(), "{}", tool["name"]);
            let unchecked = schema.degraded().iter().filter(|note| note.kind == DegradedKind::Unchecked);
            assert_eq!(unchecked.collect::<Vec<_>>(), Vec::<&outrigger_contract::Degraded>::new(), "{}", tool["name"]);
            count += 1;
        }
    }
    println!("{count} tools are carried");
    assert!(count > 0);
}

#[test]
fn every_bfcl_call_binds_under_its_schema_and_canonical_projection() {
    let Some(file) = data("bfcl-sample.jsonl") else { return };
    let (mut calls, mut tools) = (0, 0);
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let mut schemas = BTreeMap::new();
        for tool in row["tools"].as_array().unwrap() {
            let schema = ForeignSchema::import(&tool["parameters"].to_string(), &ImportLimits::default()).unwrap();
            assert!(schema.is_validated(), "{}", tool["name"]);
            schemas.insert(tool["name"].as_str().unwrap(), schema);
            tools += 1;
        }
        for call in row["calls"].as_array().unwrap() {
            let schema = &schemas[call["name"].as_str().unwrap()];
            let text = call["arguments"].to_string();
            let direct = schema.bind(&text, &WirePlan::default(), &Limits::default()).unwrap();
            let projection = project(schema.shape(), &SchemaProfile::canonical(), &[], &[]);
            let projected = schema.bind(&text, &projection.plan, &Limits::default()).unwrap();
            assert_eq!(direct, projected);
            calls += 1;
        }
    }
    println!("{calls} calls of {tools} tools bind");
    assert!(calls > 0);
}

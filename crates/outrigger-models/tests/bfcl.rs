//! C5.2, C5.4 and C6 with real data: every call of the BFCL sample goes through every profile and back. The data
//! stands in the folder that `OUTRIGGER_TEST_DATA` names; without it the test says so and passes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use common::profiles;
use outrigger_contract::{ForeignSchema, ImportLimits, Limits, WirePlan, project, wire_name};
use serde_json::Value;

#[test]
fn every_bfcl_call_binds_as_every_provider_would_send_it() {
    let Some(folder) = std::env::var_os("OUTRIGGER_TEST_DATA") else {
        println!("skipped: OUTRIGGER_TEST_DATA is not set, so there is no bfcl-sample.jsonl");
        return;
    };
    let text = std::fs::read_to_string(Path::new(&folder).join("bfcl-sample.jsonl")).unwrap();
    let limits = Limits::default();
    let mut strict = BTreeMap::<String, u32>::new();
    let (mut tools, mut calls) = (0, 0);
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let named = |tool: &Value| {
            let schema = ForeignSchema::import(&tool["parameters"].to_string(), &ImportLimits::default()).unwrap();
            (tool["name"].as_str().unwrap().to_owned(), schema)
        };
        let schemas: BTreeMap<String, ForeignSchema> = row["tools"].as_array().unwrap().iter().map(named).collect();
        for profile in profiles() {
            let names: BTreeSet<_> = schemas.keys().map(|name| wire_name(name, &profile.tool_names)).collect();
            assert_eq!(names.len(), schemas.len(), "{}", profile.name);
            let sent: BTreeMap<_, _> =
                schemas.iter().map(|(name, schema)| (name, project(schema.shape(), &profile, &[], &[]))).collect();
            *strict.entry(profile.name.to_string()).or_default() +=
                u32::try_from(sent.values().filter(|sent| sent.strict).count()).unwrap();
            for call in row["calls"].as_array().unwrap() {
                let name = call["name"].as_str().unwrap().to_owned();
                let (schema, sent) = (&schemas[&name], &sent[&name]);
                let direct = schema.bind(&call["arguments"].to_string(), &WirePlan::default(), &limits).unwrap();
                let wire = sent.plan.encode(schema.shape(), &direct.json).unwrap();
                let back = schema.bind(&wire, &sent.plan, &limits);
                assert_eq!(back.as_ref().map(|back| &back.json), Ok(&direct.json), "{} {name}", profile.name);
                calls += 1;
            }
        }
        tools += schemas.len();
    }
    println!("{calls} calls of {tools} tools under all profiles; strict: {strict:?}");
    assert!(calls > 0);
}

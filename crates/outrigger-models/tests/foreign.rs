//! C6 over schemas that nobody would write: mended or not, they refuse nothing that the original takes, their shape
//! takes all that they take, and what goes out under any profile comes back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use common::{Dice, cases, profiles};
use outrigger_contract::{ForeignSchema, ImportLimits, Limits, WirePlan, check, project};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const NAMES: [&str; 6] = ["a", "b", "c.d", "$e", "invocation_mode", "kind"];

fn schema(dice: &mut Dice, depth: usize) -> Value {
    if depth == 0 || dice.one_in(12) {
        return [json!({}), json!(true), json!({"type": "string"}), json!({"type": "integer"}), json!({"const": 1})]
            [dice.below(5)]
        .clone();
    }
    let mut map = Map::new();
    for _ in 0..=dice.below(3) {
        keyword(dice, depth - 1, &mut map);
    }
    Value::Object(map)
}

fn keyword(dice: &mut Dice, depth: usize, map: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
    match dice.below(24) {
        0 => put("type", json!(["string", "integer", "number", "object", "array", "boolean", "null"][dice.below(7)])),
        1 => put("type", [json!(["string", "null"]), json!(["object", "array", "integer"])][dice.below(2)].clone()),
        2 => put("type", json!(["dict", "STRING", "float", "nonsense"][dice.below(4)])),
        3 | 4 => {
            let names = NAMES.iter().filter(|_| dice.one_in(2)).copied().collect::<Vec<_>>();
            let inner = names.iter().map(|name| ((*name).to_owned(), schema(dice, depth))).collect();
            put("properties", Value::Object(inner))
        }
        5 => put("required", json!([NAMES[dice.below(6)], NAMES[dice.below(6)]])),
        6 => put("additionalProperties", [json!(false), json!(true), schema(dice, depth)][dice.below(3)].clone()),
        7 => put("items", schema(dice, depth)),
        8 => put("prefixItems", json!([schema(dice, depth), schema(dice, depth)])),
        9 => put("anyOf", json!([schema(dice, depth), schema(dice, depth)])),
        10 => put("oneOf", json!([schema(dice, depth), schema(dice, depth)])),
        11 => put("allOf", json!([schema(dice, depth), schema(dice, depth)])),
        12 => put("not", schema(dice, depth)),
        13 => {
            let mut values = json!(["x", 1, null, {"a": 1}, 2.5, true]);
            values.as_array_mut().unwrap().truncate(1 + dice.below(6));
            put("enum", values)
        }
        14 => put("const", [json!("x"), json!(null), json!({"a": 1})][dice.below(3)].clone()),
        15 => put("minimum", json!(dice.below(3))),
        16 => put("maxLength", json!(dice.below(3))),
        17 => put("$ref", json!(["#", "#/$defs/one", "#/$defs/two", "#/$defs/none", "http://x.y/z"][dice.below(5)])),
        18 => put("nullable", json!(true)),
        19 => put("pattern", json!(["^x", "(?=x)x", "["][dice.below(3)])),
        20 => put("patternProperties", json!({["^a", "(?!a)b"][dice.below(2)]: schema(dice, depth)})),
        21 => put("unevaluatedProperties", json!(false)),
        22 => put("default", [json!(null), json!("x")][dice.below(2)].clone()),
        _ => put("if", schema(dice, depth)),
    };
}

fn root(dice: &mut Dice) -> Value {
    let mut root = schema(dice, 4);
    if let Value::Object(map) = &mut root {
        if dice.one_in(3) {
            map.insert("type".into(), "object".into());
        }
        map.insert(
            "$defs".into(),
            json!({"one": schema(dice, 2), "two": {"properties": {"a": {"$ref": "#/$defs/two"}}}}),
        );
    }
    root
}

fn document(dice: &mut Dice, depth: usize) -> Value {
    match dice.below(if depth == 0 { 6 } else { 9 }) {
        0 => json!(null),
        1 => json!(true),
        2 => json!(dice.below(4)),
        3 => json!(2.5),
        4 => json!("x"),
        5 => json!("longer"),
        6 => (0..dice.below(3)).map(|_| document(dice, depth - 1)).collect(),
        _ => object(dice, depth),
    }
}

fn object(dice: &mut Dice, depth: usize) -> Value {
    let names: Vec<_> = NAMES.iter().filter(|_| dice.one_in(2)).collect();
    names.into_iter().map(|name| ((*name).to_owned(), document(dice, depth - 1))).collect::<Map<_, _>>().into()
}

/// The schema as it came, but for the type of the root, which is an object's.
fn original(schema: &Value) -> Option<jsonschema::Validator> {
    let mut schema = schema.clone();
    if let Value::Object(map) = &mut schema {
        map.entry("type").or_insert("object".into());
    }
    let options = jsonschema::options().with_pattern_options(jsonschema::PatternOptions::regex());
    options.should_validate_formats(false).build(&schema).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn foreign_schemas_refuse_no_more_than_they_say_and_their_calls_come_back(seed: u64) {
        let dice = &mut Dice::new(seed);
        let text = root(dice);
        let Ok(schema) = ForeignSchema::import(&text.to_string(), &ImportLimits::default()) else { return Ok(()) };
        prop_assert!(schema.is_validated(), "{text} of {:?}", schema.degraded());
        // A validator without our care would follow a circle until its stack is full.
        let circular = schema.degraded().iter().any(|note| note.what.contains("back to itself"));
        let original = if circular { None } else { original(&text) };
        let (free, limits) = (WirePlan::default(), Limits::default());
        let projections: Vec<_> =
            profiles().iter().map(|profile| project(schema.shape(), profile, &[], &[])).collect();
        for _ in 0..8 {
            let arguments = object(dice, 3);
            let sent = arguments.to_string();
            let bound = schema.bind(&sent, &free, &limits);
            if original.as_ref().is_some_and(|original| original.is_valid(&arguments)) {
                prop_assert!(bound.is_ok(), "{sent} under {text}: {bound:?}\n{:?}", schema.degraded());
            }
            let Ok(bound) = bound else {
                prop_assert!(!bound.unwrap_err().issues.is_empty());
                continue;
            };
            let shaped = check(schema.shape(), &bound.json, &free, &limits);
            let untyped = schema.degraded().iter().any(|note| note.what.starts_with("no `type`, and"));
            // Where a type goes without saying, values of other types pass the schema by, and nobody means that.
            if untyped {
                continue;
            }
            prop_assert!(shaped.is_ok(), "{sent} under {text}: {shaped:?}\n{:#?}", schema.shape());
            for (projection, profile) in projections.iter().zip(profiles()) {
                let wire = projection.plan.encode(schema.shape(), &bound.json).unwrap();
                let back = schema.bind(&wire, &projection.plan, &limits);
                prop_assert!(back.is_ok(), "{}: {sent} as {wire} under {text}: {back:?}", profile.name);
                prop_assert_eq!(back.unwrap().json, bound.json.clone(), "{}: {} under {}", profile.name, wire, text);
            }
        }
    }
}

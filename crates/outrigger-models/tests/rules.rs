//! Section 5: whatever the shape, what is sent keeps to the provider's rules. The rules are written down here a second
//! time, as checks of the finished schema that know nothing of how it was made.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use common::{Dice, cases, profiles, shape};
use outrigger_contract::project;
use proptest::prelude::*;
use serde_json::{Map, Value};

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sent_keeps_to_the_rules(seed: u64) {
        let shape = shape(&mut Dice::new(seed));
        for profile in profiles() {
            let sent = project(&shape, &profile, &[], &[]);
            let schema: Value = serde_json::from_slice(&sent.schema).unwrap();
            let mut broken = Vec::new();
            match (&*profile.name, sent.strict) {
                ("canonical", _) => {}
                ("gemini", _) => gemini(&schema, true, &mut broken),
                (name, true) if name.starts_with("openai") => {
                    let limit = if name == "openai strict" { 10 } else { 5 };
                    openai_strict(&schema, true, &mut broken);
                    if depth(&schema) > limit {
                        broken.push("too deep".to_owned());
                    }
                }
                (name, false) if name.starts_with("openai") => openai_plain(&schema, true, &mut broken),
                (_, true) => anthropic_strict(&schema, true, &mut broken),
                (_, false) => anthropic_plain(&schema, true, &mut broken),
            }
            prop_assert!(broken.is_empty(), "{}: {broken:?} in {schema}", profile.name);
        }
    }
}

#[test]
fn a_fair_share_of_shapes_is_strict() {
    let mut strict = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..2000 {
        let shape = shape(&mut Dice::new(seed * 7919));
        for profile in profiles().iter().filter(|profile| profile.strict) {
            let sent = project(&shape, profile, &[], &[]);
            *strict.entry(profile.name.to_string()).or_default() += u32::from(sent.strict);
        }
    }
    println!("{strict:?}");
    assert!(strict.len() == 3 && strict.values().all(|count| *count > 100), "{strict:?}");
}

/// The schemas right below one, and what leads to them.
fn below(map: &Map<String, Value>) -> Vec<&Value> {
    let mut found = Vec::new();
    for (key, value) in map {
        match key.as_str() {
            "properties" | "$defs" => found.extend(value.as_object().unwrap().values()),
            "anyOf" | "prefixItems" => found.extend(value.as_array().unwrap()),
            "items" | "additionalProperties" | "not" if value.is_object() => found.push(value),
            _ => {}
        }
    }
    found
}

fn depth(schema: &Value) -> usize {
    let below = below(schema.as_object().unwrap());
    below.into_iter().map(|inner| 1 + depth(inner)).max().unwrap_or(0)
}

fn unless(fits: bool, rule: &str, broken: &mut Vec<String>) {
    if !fits {
        broken.push(rule.to_owned());
    }
}

fn is_object(map: &Map<String, Value>) -> bool {
    match &map.get("type") {
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => names.contains(&"object".into()),
        _ => false,
    }
}

fn openai_strict(schema: &Value, root: bool, broken: &mut Vec<String>) {
    const ALLOWED: [&str; 18] = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "description",
        "anyOf",
        "$ref",
        "$defs",
        "enum",
        "items",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "pattern",
    ];
    let map = schema.as_object().unwrap();
    for key in map.keys() {
        unless(ALLOWED.contains(&key.as_str()) || key == "format", &format!("{key} is not supported"), broken);
    }
    let forms = ["type", "anyOf", "$ref"].iter().filter(|key| map.contains_key(**key)).count();
    unless(forms == 1, "exactly one of type, anyOf and $ref", broken);
    unless(!map.contains_key("$ref") || map.len() == 1, "nothing beside $ref", broken);
    unless(!root || map["type"] == "object", "the root is an object", broken);
    if let Some(format) = map.get("format") {
        unless(
            outrigger_models::profiles::openai::FORMATS.contains(&format.as_str().unwrap()),
            "a known format",
            broken,
        );
    }
    if is_object(map) {
        unless(map["additionalProperties"] == false, "objects are closed", broken);
        let names: Vec<_> = map["properties"].as_object().unwrap().keys().collect();
        let required: Vec<_> = map["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        unless(
            names.len() == required.len() && names.iter().all(|name| required.contains(&name.as_str())),
            "all required",
            broken,
        );
    }
    unless(map.get("type") != Some(&"array".into()) || map.contains_key("items"), "arrays have items", broken);
    below(map).into_iter().for_each(|inner| openai_strict(inner, false, broken));
}

fn openai_plain(schema: &Value, root: bool, broken: &mut Vec<String>) {
    let map = schema.as_object().unwrap();
    if root {
        unless(map.get("type") == Some(&"object".into()), "the root is an object", broken);
        for key in ["anyOf", "oneOf", "allOf", "enum", "const", "not", "$ref"] {
            unless(!map.contains_key(key), &format!("no {key} at the root"), broken);
        }
    }
    unless(map.get("type") != Some(&"array".into()) || map.contains_key("items"), "arrays have items", broken);
    below(map).into_iter().for_each(|inner| openai_plain(inner, false, broken));
}

fn anthropic_plain(schema: &Value, root: bool, broken: &mut Vec<String>) {
    let map = schema.as_object().unwrap();
    if root {
        unless(map.get("type") == Some(&"object".into()), "the root is an object", broken);
        for key in ["anyOf", "oneOf", "allOf"] {
            unless(!map.contains_key(key), &format!("no {key} at the root"), broken);
        }
    }
    if let Some(properties) = map.get("properties") {
        for name in properties.as_object().unwrap().keys() {
            let legal = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            unless((1..=64).contains(&name.len()) && name.chars().all(legal), &format!("the name {name:?}"), broken);
        }
    }
    below(map).into_iter().for_each(|inner| anthropic_plain(inner, false, broken));
}

fn anthropic_strict(schema: &Value, root: bool, broken: &mut Vec<String>) {
    const ALLOWED: [&str; 13] = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "description",
        "anyOf",
        "$ref",
        "$defs",
        "enum",
        "const",
        "items",
        "minItems",
        "format",
    ];
    let map = schema.as_object().unwrap();
    for key in map.keys() {
        unless(ALLOWED.contains(&key.as_str()), &format!("{key} is not supported"), broken);
    }
    if let Some(least) = map.get("minItems") {
        unless(least.as_u64().unwrap() <= 1, "minItems is 0 or 1", broken);
    }
    if is_object(map) {
        unless(map.get("additionalProperties") == Some(&false.into()), "objects are closed", broken);
    }
    if let Some(Value::Array(values)) = map.get("enum") {
        unless(values.iter().all(|value| !value.is_object() && !value.is_array()), "values are scalars", broken);
        let mut folded: Vec<_> = values.iter().map(|value| value.to_string().to_lowercase()).collect();
        folded.sort();
        folded.dedup();
        unless(folded.len() == values.len(), "values differ in more than case", broken);
    }
    // Definitions come from recursive types only.
    unless(!map.contains_key("$ref"), "no recursion", broken);
    if root {
        anthropic_plain(schema, true, broken);
    }
    below(map).into_iter().for_each(|inner| anthropic_strict(inner, false, broken));
}

fn gemini(schema: &Value, root: bool, broken: &mut Vec<String>) {
    const ALLOWED: [&str; 17] = [
        "type",
        "properties",
        "required",
        "description",
        "anyOf",
        "enum",
        "items",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "nullable",
        "minProperties",
    ];
    let map = schema.as_object().unwrap();
    for key in map.keys() {
        unless(ALLOWED.contains(&key.as_str()), &format!("{key} is no field"), broken);
    }
    unless(!root || map.get("type") == Some(&"object".into()), "the root is an object", broken);
    unless(!map.contains_key("anyOf") || map.len() == 1, "nothing beside anyOf", broken);
    unless(
        map.contains_key("anyOf") || map.get("type").is_some_and(Value::is_string),
        "every schema has one type",
        broken,
    );
    if let Some(Value::Array(values)) = map.get("enum") {
        unless(map["type"] == "string", "enumerations are strings", broken);
        unless(
            values.iter().all(|value| value.as_str().is_some_and(|text| !text.is_empty())),
            "values are full",
            broken,
        );
    }
    unless(map.get("format").is_none_or(|format| format == "date-time"), "a known format", broken);
    unless(map.get("type") != Some(&"array".into()) || map.contains_key("items"), "arrays have items", broken);
    if let Some(properties) = map.get("properties") {
        for name in properties.as_object().unwrap().keys() {
            let legal = name.len() <= 64
                && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            unless(legal, &format!("the name {name:?}"), broken);
        }
    }
    below(map).into_iter().for_each(|inner| gemini(inner, false, broken));
}

//! C5.4: for every value and every profile, what goes out comes back; and what goes out is valid under the schema that
//! was sent, as an independent validator sees it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use common::{Dice, cases, profiles, shape, value_text};
use outrigger_contract::{Kind, Limits, LossKind, Node, Property, WirePlan, check, project};
use proptest::prelude::*;
use serde_json::{Value, json};

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_out_comes_back(seed: u64) {
        let dice = &mut Dice::new(seed);
        let shape = shape(dice);
        let value = value_text(dice, &shape);
        let (free, limits) = (WirePlan::default(), Limits::default());
        prop_assert!(check(&shape, &value, &free, &limits).is_ok(), "{value} of {shape:#?}");
        let mode = Property { name: "invocation_mode".into(), required: false, node: Node::new(Kind::Bool) };
        for profile in profiles() {
            let take = [mode.clone()];
            let sent = project(&shape, &profile, &[], &take);
            let again = project(&shape, &profile, &[], &take);
            prop_assert_eq!(&sent.schema, &again.schema);
            let schema = String::from_utf8(sent.schema.to_vec()).unwrap();
            let case = || format!("{}: {value} under {schema}\nplan {:?}", profile.name, sent.plan);
            if profile.strict && !sent.strict {
                prop_assert!(sent.losses.iter().any(|loss| loss.kind == LossKind::NotStrict), "{}", case());
            }
            let wire = sent.plan.encode(&shape, &value).unwrap();
            let valid = jsonschema::validator_for(&as_json_schema(serde_json::from_str(&schema).unwrap())).unwrap();
            let mut document: Value = serde_json::from_str(&wire).unwrap();
            if sent.strict && profile.name.starts_with("openai") {
                document[&*sent.plan.take[0]] = Value::Null;
            }
            prop_assert!(valid.is_valid(&document), "{wire} is invalid\n{}", case());
            prop_assert!(check(&shape, &wire, &sent.plan, &limits).is_ok(), "{wire} is refused\n{}", case());
            let back = sent.plan.decode(&shape, &wire, &limits).unwrap();
            prop_assert_eq!(&back.json, &value, "{}", case());
            // What belongs to the caller comes apart from the rest.
            document[&*sent.plan.take[0]] = json!(true);
            let back = sent.plan.decode(&shape, &document.to_string(), &limits).unwrap();
            prop_assert_eq!(back.taken.get(&sent.plan.take[0]), Some("true"), "{}", case());
        }
    }
}

/// `nullable` as JSON Schema says it.
fn as_json_schema(mut schema: Value) -> Value {
    let nullable = schema.as_object_mut().and_then(|map| map.remove("nullable")).is_some();
    match &mut schema {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                if key == "properties" {
                    value.as_object_mut().unwrap().values_mut().for_each(|inner| *inner = as_json_schema(inner.take()));
                } else if key != "default" && key != "enum" && key != "examples" {
                    *value = as_json_schema(value.take());
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = as_json_schema(item.take())),
        _ => {}
    }
    if nullable { json!({"anyOf": [schema, {"type": "null"}]}) } else { schema }
}

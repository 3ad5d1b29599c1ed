//! How much work it is to hold a document against a schema. Where a schema branches at every level of a document, the
//! validator's work doubles with each level; such documents are found before they are looked at.

use std::collections::HashMap;

use serde_json::Value;

use super::json::Json;
use super::references::{each, target};

/// Schemas that one document may be held against.
const MOST: u64 = 4_000_000;
/// A schema that cannot cost more than this for one value and what is below it needs no counting.
const HARMLESS: u64 = 10_000;
/// Steps of the count itself.
const STEPS: u32 = 1_000_000;

/// What the validator goes through, schema by schema. Nothing at all if no document could make it much.
#[derive(Debug, Default)]
pub(super) struct Work {
    schemas: Vec<Schema>,
}

/// The schemas that hang on one.
#[derive(Debug, Default)]
struct Schema {
    /// Those that look at the same value.
    here: Vec<usize>,
    /// Those that look at one property.
    properties: HashMap<String, usize>,
    /// Those that look at every property.
    every_property: Vec<usize>,
    /// Those that look at every item.
    every_item: Vec<usize>,
}

impl Work {
    pub(super) fn of(root: &Json) -> Self {
        let mut places = Vec::new();
        each(root, &mut |path, _| places.push(path.to_vec()));
        let index: HashMap<&[String], usize> = places.iter().zip(0..).map(|(path, at)| (path.as_slice(), at)).collect();
        let schemas: Vec<_> = places.iter().map(|path| schema_of(root, path, &index)).collect();
        let work = Self { schemas };
        let mut states = vec![None; work.schemas.len()];
        if work.most(0, &mut states) <= HARMLESS { Self::default() } else { work }
    }

    /// Whether a document asks for more than anyone should spend on it.
    pub(super) fn is_too_much(&self, document: &Value) -> bool {
        if self.schemas.is_empty() {
            return false;
        }
        let mut count = Count { schemas: &self.schemas, known: HashMap::new(), steps: STEPS };
        count.cost(0, document) > MOST
    }

    /// The most one value and what is below it can cost, whatever it is; without bound for recursive schemas.
    fn most(&self, at: usize, states: &mut Vec<Option<u64>>) -> u64 {
        match states.get(at) {
            Some(Some(cost)) => return *cost,
            Some(None) => {}
            None => return 0,
        }
        // Met again before it is known, it contains itself.
        set(states, at, u64::MAX);
        let Some(schema) = self.schemas.get(at) else { return 0 };
        let all = schema.here.iter().chain(schema.properties.values()).chain(&schema.every_property);
        let all: Vec<usize> = all.chain(&schema.every_item).copied().collect();
        let cost = all.into_iter().fold(1_u64, |sum, next| sum.saturating_add(self.most(next, states)));
        set(states, at, cost);
        cost
    }
}

fn set(states: &mut [Option<u64>], at: usize, cost: u64) {
    if let Some(slot) = states.get_mut(at) {
        *slot = Some(cost);
    }
}

fn schema_of(root: &Json, path: &[String], index: &HashMap<&[String], usize>) -> Schema {
    let mut schema = Schema::default();
    let Some(map) = root.at(path).and_then(Json::object) else {
        return schema;
    };
    let below = |steps: &[&str]| {
        let place: Vec<String> = path.iter().cloned().chain(steps.iter().map(|step| (*step).to_owned())).collect();
        index.get(place.as_slice()).copied()
    };
    for (key, value) in &map.0 {
        let key = key.as_str();
        match (key, value) {
            ("$ref" | "$dynamicRef", Json::String(reference)) => {
                let to = target(root, reference).and_then(|place| index.get(place.as_slice()).copied());
                schema.here.extend(to);
            }
            ("properties", Json::Object(named)) => {
                let named = named.0.iter().filter_map(|(name, _)| Some((name.clone(), below(&[key, name])?)));
                schema.properties.extend(named);
            }
            ("patternProperties", Json::Object(named)) => {
                schema.every_property.extend(named.0.iter().filter_map(|(name, _)| below(&[key, name])));
            }
            ("dependentSchemas" | "dependencies", Json::Object(named)) => {
                schema.here.extend(named.0.iter().filter_map(|(name, _)| below(&[key, name])));
            }
            ("allOf" | "anyOf" | "oneOf", Json::Array(all)) => {
                schema.here.extend((0..all.len()).filter_map(|at| below(&[key, &at.to_string()])));
            }
            ("prefixItems" | "items", Json::Array(all)) => {
                schema.every_item.extend((0..all.len()).filter_map(|at| below(&[key, &at.to_string()])));
            }
            ("not" | "if" | "then" | "else", _) => schema.here.extend(below(&[key])),
            ("additionalProperties" | "unevaluatedProperties" | "propertyNames", _) => {
                schema.every_property.extend(below(&[key]));
            }
            ("items" | "additionalItems" | "unevaluatedItems" | "contains", _) => {
                schema.every_item.extend(below(&[key]));
            }
            _ => {}
        }
    }
    schema
}

/// One count, which looks at every pair of a schema and a value once.
struct Count<'w> {
    schemas: &'w [Schema],
    known: HashMap<(usize, *const Value), u64>,
    steps: u32,
}

impl Count<'_> {
    fn cost(&mut self, at: usize, value: &Value) -> u64 {
        let key = (at, std::ptr::from_ref(value));
        if let Some(cost) = self.known.get(&key) {
            return *cost;
        }
        let Some(steps) = self.steps.checked_sub(1) else {
            return u64::MAX;
        };
        self.steps = steps;
        let schemas = self.schemas;
        let Some(schema) = schemas.get(at) else { return 0 };
        let mut cost = 1_u64;
        for next in &schema.here {
            cost = cost.saturating_add(self.cost(*next, value));
        }
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    for next in schema.properties.get(name).into_iter().chain(&schema.every_property) {
                        cost = cost.saturating_add(self.cost(*next, value));
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    for next in &schema.every_item {
                        cost = cost.saturating_add(self.cost(*next, item));
                    }
                }
            }
            _ => {}
        }
        self.known.insert(key, cost);
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        let plan = crate::WirePlan::default();
        let mut reader = crate::Reader::new(text, &plan, &crate::Limits::default());
        Json::of(&crate::diagnose::parse(&mut reader).unwrap())
    }

    #[test]
    fn a_schema_that_cannot_cost_much_is_not_counted() {
        assert!(Work::of(&json(r#"{"properties":{"a":{"anyOf":[{},{}]}}}"#)).schemas.is_empty());
        assert!(!Work::of(&json(r##"{"properties":{"a":{"$ref":"#"}}}"##)).schemas.is_empty());
    }

    #[test]
    fn work_doubles_where_every_level_has_two_branches() {
        let work =
            Work::of(&json(r##"{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}"##));
        let nested =
            |levels: usize| serde_json::from_str(&(r#"{"a":"#.repeat(levels) + "1" + &"}".repeat(levels))).unwrap();
        assert!(!work.is_too_much(&nested(10)));
        assert!(work.is_too_much(&nested(60)));
    }
}

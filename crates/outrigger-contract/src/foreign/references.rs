//! References inside a schema: which lead somewhere, which lead in circles, and how much one value costs.

use std::collections::HashMap;

use super::json::{Json, Map, steps_of};
use super::repair::Repairer;
use super::{DegradedKind, ForeignError};

/// Schemas that may hang on each other for the same value.
const CHAIN: u32 = 32;
/// Schemas that may hang on each other altogether.
const DEPTH: u32 = 200;

/// Keywords with a schema, an array of schemas, or an object of schemas.
const ONE: [&str; 12] = [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
    "contentSchema",
];
const MANY: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const NAMED: [&str; 6] =
    ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies"];
/// Those of them that look at the same value.
const IN_PLACE: [&str; 9] =
    ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"];
/// Keywords whose values are data and not schemas.
const DATA: [&str; 4] = ["enum", "const", "default", "examples"];

/// Calls `look` on every schema with its place. What stands under a keyword nobody knows is taken for schemas too,
/// since references may lead there.
pub(super) fn each(root: &Json, look: &mut dyn FnMut(&[String], &Map)) {
    // One walk serves both: nothing is changed here, and schemas are small.
    each_mut(&mut root.clone(), &mut |path, map| look(path, map));
}

/// The same with schemas that may change, in themselves but not in what is below.
pub(super) fn each_mut(root: &mut Json, look: &mut dyn FnMut(&[String], &mut Map)) {
    visit(root, &mut Vec::new(), look);
}

fn visit(json: &mut Json, path: &mut Vec<String>, look: &mut dyn FnMut(&[String], &mut Map)) {
    let Json::Object(map) = json else {
        return;
    };
    look(path, map);
    for (key, value) in &mut map.0 {
        if DATA.contains(&key.as_str()) {
            continue;
        }
        path.push(key.clone());
        match value {
            Json::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    path.push(index.to_string());
                    visit(item, path, look);
                    path.pop();
                }
            }
            Json::Object(named) if NAMED.contains(&key.as_str()) => {
                for (name, schema) in &mut named.0 {
                    path.push(name.clone());
                    visit(schema, path, look);
                    path.pop();
                }
            }
            other => visit(other, path, look),
        }
        path.pop();
    }
}

/// Takes out references that lead nowhere, outside or in circles, and refuses a schema whose references multiply.
pub(super) fn settle(root: &mut Json, repairer: &mut Repairer<'_>) -> Result<(), ForeignError> {
    let mut lost: Vec<(Vec<String>, &'static str, String)> = Vec::new();
    each(root, &mut |path, map| {
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(reference) = map.get(keyword).and_then(Json::text) else { continue };
            if target(root, reference).is_none() {
                lost.push((path.to_vec(), keyword, reference.to_owned()));
            }
        }
    });
    for (path, keyword, reference) in lost {
        take_out(root, &path, keyword);
        let what = match reference.starts_with('#') {
            true => format!("the reference `{reference}`, which leads nowhere"),
            false => format!("the reference `{reference}`, which leads outside"),
        };
        repairer.note_at(&path, DegradedKind::Unchecked, what);
    }
    let mut search = Search { edges: Edges { root }, repairer, states: HashMap::new(), circles: Vec::new() };
    let mut places = Vec::new();
    each(root, &mut |path, _| places.push(path.to_vec()));
    for place in places {
        search.walk(&place, 0)?;
        search.cost(&place, 0)?;
    }
    let circles = search.circles;
    for (path, keyword) in circles {
        take_out(root, &path, keyword);
        repairer.note_at(&path, DegradedKind::Unchecked, "a reference that leads back to itself");
    }
    Ok(())
}

/// Where a reference leads inside the schema.
pub(super) fn target(root: &Json, reference: &str) -> Option<Vec<String>> {
    let steps = steps_of(reference.strip_prefix('#')?)?;
    matches!(root.at(&steps)?, Json::Object(_) | Json::Bool(_)).then_some(steps)
}

fn take_out(root: &mut Json, path: &[String], keyword: &str) {
    if let Some(Json::Object(map)) = root.at_mut(path) {
        map.remove(keyword);
    }
}

/// A search through everything that hangs on a schema.
struct Search<'s, 'l> {
    edges: Edges<'s>,
    repairer: &'s Repairer<'l>,
    states: HashMap<(Vec<String>, bool), State>,
    circles: Vec<(Vec<String>, &'static str)>,
}

#[derive(Clone, Copy)]
enum State {
    Open,
    Done(u32),
}

impl Search<'_, '_> {
    /// Goes down all edges, to see how deep they lead.
    fn walk(&mut self, place: &[String], depth: u32) -> Result<(), ForeignError> {
        let key = (place.to_vec(), false);
        if self.states.contains_key(&key) {
            return Ok(());
        }
        if depth > DEPTH {
            return Err(self.entangled());
        }
        self.states.insert(key, State::Open);
        for next in
            self.edges.below(place, false).into_iter().chain(self.edges.referred(place).into_iter().map(|(_, to)| to))
        {
            self.walk(&next, depth + 1)?;
        }
        Ok(())
    }

    /// How many schemas look at one value that this schema looks at.
    fn cost(&mut self, place: &[String], depth: u32) -> Result<u32, ForeignError> {
        let key = (place.to_vec(), true);
        match self.states.get(&key) {
            Some(State::Done(cost)) => return Ok(*cost),
            Some(State::Open) => return Ok(0),
            None => {}
        }
        if depth > CHAIN {
            return Err(self.entangled());
        }
        self.states.insert(key.clone(), State::Open);
        let mut cost = 1_u32;
        for next in self.edges.below(place, true) {
            cost = cost.saturating_add(self.cost(&next, depth + 1)?);
        }
        for (keyword, next) in self.edges.referred(place) {
            if let Some(State::Open) = self.states.get(&(next.clone(), true)) {
                self.circles.push((place.to_vec(), keyword));
            } else {
                cost = cost.saturating_add(self.cost(&next, depth + 1)?);
            }
        }
        if cost > self.repairer.limits.work {
            return Err(self.entangled());
        }
        self.states.insert(key, State::Done(cost));
        Ok(cost)
    }

    fn entangled(&self) -> ForeignError {
        ForeignError::TooEntangled { limit: self.repairer.limits.work }
    }
}

/// What hangs on a schema.
pub(super) struct Edges<'s> {
    pub(super) root: &'s Json,
}

impl Edges<'_> {
    fn map(&self, place: &[String]) -> Option<&Map> {
        self.root.at(place).and_then(Json::object)
    }

    /// Schemas inside this one; only those that look at the same value if asked for.
    pub(super) fn below(&self, place: &[String], in_place: bool) -> Vec<Vec<String>> {
        let Some(map) = self.map(place) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (key, value) in &map.0 {
            let key = key.as_str();
            if in_place && !IN_PLACE.contains(&key) {
                continue;
            }
            let mut add = |steps: &[&str]| {
                found.push(place.iter().cloned().chain(steps.iter().map(|step| (*step).to_owned())).collect());
            };
            match value {
                Json::Object(named) if NAMED.contains(&key) => named.0.iter().for_each(|(name, _)| add(&[key, name])),
                Json::Object(_) if ONE.contains(&key) => add(&[key]),
                Json::Array(items) if MANY.contains(&key) => {
                    (0..items.len()).for_each(|index| add(&[key, &index.to_string()]));
                }
                _ => {}
            }
        }
        found
    }

    /// Where the references of a schema lead.
    pub(super) fn referred(&self, place: &[String]) -> Vec<(&'static str, Vec<String>)> {
        let Some(map) = self.map(place) else {
            return Vec::new();
        };
        let referred = ["$ref", "$dynamicRef"].into_iter().filter_map(|keyword| {
            let reference = map.get(keyword)?.text()?;
            Some((keyword, target(self.root, reference)?))
        });
        referred.collect()
    }
}

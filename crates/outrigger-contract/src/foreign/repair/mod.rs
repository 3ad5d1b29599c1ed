//! Mending a schema one node at a time, so that one bad keyword costs that keyword and nothing else.

mod keywords;
mod types;
mod weaken;

use std::collections::{BTreeSet, HashMap};

use super::json::{Json, Map, pointer_of, steps_of};
use super::{Degraded, DegradedKind, Draft, ForeignError, ImportLimits};
use super::{addresses, references};

/// Mends a schema. What it returns is what arguments are held against.
pub(super) fn repair(
    mut root: Json,
    draft: Draft,
    limits: &ImportLimits,
    arguments: bool,
) -> Result<(Json, Vec<Degraded>), ForeignError> {
    addresses::settle(&mut root, draft);
    let mut repairer = Repairer::new(draft, limits);
    repairer.schema(&mut root);
    repairer.targets(&mut root);
    if arguments {
        repairer.root(&mut root)?;
    }
    if repairer.nodes > limits.nodes {
        return Err(ForeignError::TooMany { limit: limits.nodes });
    }
    references::settle(&mut root, &mut repairer)?;
    weaken::weaken(&mut root, &mut repairer);
    Ok((root, repairer.notes))
}

/// Places that are no schemas by themselves, one leading to the next.
const HIDDEN: usize = 8;
/// Different patterns of one schema. Each of them costs time and space to make.
const PATTERNS: usize = 200;

/// Goes through a schema and mends it.
pub(super) struct Repairer<'l> {
    pub(super) draft: Draft,
    pub(super) limits: &'l ImportLimits,
    pub(super) notes: Vec<Degraded>,
    path: Vec<String>,
    visited: BTreeSet<Vec<String>>,
    /// Patterns met so far, and whether they can be used.
    patterns: HashMap<String, bool>,
    nodes: u32,
}

impl<'l> Repairer<'l> {
    fn new(draft: Draft, limits: &'l ImportLimits) -> Self {
        let (visited, patterns) = (BTreeSet::new(), HashMap::new());
        Self { draft, limits, notes: Vec::new(), path: Vec::new(), visited, patterns, nodes: 0 }
    }

    pub(super) fn note(&mut self, kind: DegradedKind, what: impl Into<String>) {
        self.notes.push(Degraded { pointer: pointer_of(&self.path), kind, what: what.into() });
    }

    pub(super) fn note_at(&mut self, path: &[String], kind: DegradedKind, what: impl Into<String>) {
        self.notes.push(Degraded { pointer: pointer_of(path), kind, what: what.into() });
    }

    /// Something that cannot be used, whose meaning nobody can tell, and what hangs on it.
    fn drop_keyword(&mut self, keyword: &str, map: &mut Map) {
        let annotation = matches!(
            keyword,
            "title" | "description" | "$comment" | "examples" | "deprecated" | "readOnly" | "writeOnly" | "format"
        );
        let kind = if annotation { DegradedKind::Unsaid } else { DegradedKind::Unchecked };
        self.note(kind, format!("`{keyword}` with a value it cannot have"));
        let dependent: &[&str] = match keyword {
            "properties" | "patternProperties" => &["additionalProperties"],
            "prefixItems" => &["items"],
            "items" => &["additionalItems"],
            "minContains" => &["contains"],
            _ => &[],
        };
        for other in dependent {
            if map.remove(other).is_some() {
                self.note(DegradedKind::Unchecked, format!("`{other}`, which says nothing without `{keyword}`"));
            }
        }
    }

    /// A place where a schema belongs.
    fn schema(&mut self, json: &mut Json) {
        self.nodes = self.nodes.saturating_add(1);
        if self.nodes > self.limits.nodes {
            return;
        }
        self.visited.insert(self.path.clone());
        match json {
            Json::Bool(_) => {}
            Json::Object(map) => self.object(map),
            _ => {
                self.note(DegradedKind::Unchecked, "a schema that is neither an object nor a boolean");
                *json = Json::Object(Map::default());
            }
        }
    }

    fn object(&mut self, map: &mut Map) {
        let keys = map.0.iter().map(|(key, _)| key).filter(|key| keywords::ALL.contains(&key.as_str()));
        let keys: Vec<String> = keys.cloned().collect();
        for key in keys {
            let Some(mut value) = map.remove_keeping(&key) else { continue };
            if self.keyword(&key, &mut value, map) {
                map.put_back(&key, value);
            } else {
                map.remove(&key);
            }
        }
        self.nullable(map);
        self.lift_required(map);
    }

    /// One step down, for the duration of a call.
    fn below<T>(&mut self, step: &str, look: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step.to_owned());
        let result = look(self);
        self.path.pop();
        result
    }

    /// References may lead to places that no keyword makes a schema, and from there to others.
    fn targets(&mut self, root: &mut Json) {
        for _ in 0..HIDDEN {
            let mut found = BTreeSet::new();
            references::each(root, &mut |_, map| {
                let target = map.get("$ref").and_then(Json::text).and_then(|text| text.strip_prefix('#'));
                found.extend(target.and_then(steps_of));
            });
            found.retain(|steps| !self.visited.contains(steps) && root.at(steps).is_some());
            if found.is_empty() {
                return;
            }
            for steps in found {
                if let Some(target) = root.at_mut(&steps) {
                    self.path.clone_from(&steps);
                    self.schema(target);
                    self.path.clear();
                }
            }
        }
    }

    /// The root of arguments is an object.
    fn root(&mut self, root: &mut Json) -> Result<(), ForeignError> {
        match root {
            Json::Bool(true) => *root = Json::Object(Map::default()),
            Json::Bool(false) => return Err(ForeignError::NotObject { found: "nothing".to_owned() }),
            _ => {}
        }
        let Json::Object(map) = root else {
            return Ok(());
        };
        let object = || Json::String("object".to_owned());
        match map.get("type") {
            None => {
                if !map.has_any(&["$ref", "anyOf", "oneOf", "allOf"]) {
                    self.note(DegradedKind::Repaired, "no `type` at the root");
                }
                if !(self.draft == Draft::Seven && map.has("$ref")) {
                    map.0.insert(0, ("type".to_owned(), object()));
                }
            }
            Some(Json::String(name)) if name == "object" => {}
            Some(Json::Array(names)) if names.contains(&object()) => map.set("type", object()),
            Some(other) => return Err(ForeignError::NotObject { found: other.to_text() }),
        }
        Ok(())
    }
}

impl Map {
    /// Takes a value out and leaves its place.
    fn remove_keeping(&mut self, key: &str) -> Option<Json> {
        self.get_mut(key).map(|slot| std::mem::replace(slot, Json::Null))
    }

    fn put_back(&mut self, key: &str, value: Json) {
        if let Some(slot) = self.get_mut(key) {
            *slot = value;
        }
    }
}

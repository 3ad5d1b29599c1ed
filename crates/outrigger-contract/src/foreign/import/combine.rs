//! `anyOf`, `oneOf` and `allOf`.

use super::Importer;
use crate::foreign::json::{Json, Map};
use crate::foreign::references;
use crate::shape::{Branch, EnumValue, Kind, Node, Tagging, Union};

impl Importer<'_> {
    /// Branches as a union; `null` among others is what a value may be instead.
    pub(super) fn alternatives(&mut self, keyword: &str, branches: &[Json], around: &Map) -> Node {
        let outer_type = around.get("type");
        let mut nodes: Vec<(String, Node)> = Vec::new();
        let mut nullable = false;
        self.path.push(keyword.to_owned());
        for (index, schema) in branches.iter().enumerate() {
            let typed = with_type(schema, outer_type);
            let node = self.below(&index.to_string(), |importer| importer.node(&typed));
            if node.kind == Kind::Null {
                nullable = true;
            } else if nodes.iter().all(|(_, known)| *known != node) {
                nodes.push((name_of(schema, index), node));
            }
        }
        self.path.pop();
        let mut node = match nodes.len() {
            0 => Node::new(Kind::Null),
            _ if nodes.iter().all(|(_, node)| is_plain_enum(node)) => one_enum(nodes),
            1 => nodes.pop().map_or(Node::new(Kind::Any), |(_, node)| node),
            _ => {
                let branch = |(name, node): (String, Node)| Branch { name: name.into(), description: None, node };
                let branches = nodes.into_iter().map(branch).collect();
                Node::new(Kind::Union(Union { tagging: Tagging::Untagged, branches }))
            }
        };
        if nullable && node.kind != Kind::Null {
            node.nullable = true;
        }
        node
    }

    /// One schema for this one and all that `allOf` adds, as far as they can be laid on each other.
    pub(super) fn merged(&mut self, map: &Map) -> Map {
        let mut merged = map.clone();
        let mut parts = take_parts(&mut merged);
        let lone = parts.len() == 1 && !merged.has_any(&["properties", "additionalProperties"]);
        while let Some(part) = parts.pop() {
            let Json::Object(mut part) = part else {
                if part == Json::Bool(false) {
                    self.unsaid("`false`, which takes nothing");
                }
                continue;
            };
            if let Some(reference) = part.remove("$ref").as_ref().and_then(Json::text) {
                parts.extend(self.referred(reference));
            }
            parts.extend(take_parts(&mut part));
            for (key, value) in part.0 {
                // Each part is closed over its own properties only, which together are not.
                if key != "additionalProperties" || lone {
                    self.lay(&mut merged, &key, value);
                } else {
                    self.unsaid("`additionalProperties` in `allOf`");
                }
            }
        }
        merged
    }

    /// The target of a reference, unless it is being laid on others already.
    fn referred(&mut self, reference: &str) -> Option<Json> {
        if self.merging.iter().any(|known| known == reference) {
            self.unsaid(format!("the reference `{reference}` in `allOf`"));
            return None;
        }
        self.merging.push(reference.to_owned());
        let target = references::target(self.root, reference)?;
        self.root.at(&target).cloned()
    }

    /// Lays one keyword on those there are.
    fn lay(&mut self, merged: &mut Map, key: &str, value: Json) {
        match (key, merged.get_mut(key), value) {
            ("properties", Some(Json::Object(known)), Json::Object(more)) => {
                for (name, schema) in more.0 {
                    match known.get(&name) {
                        Some(own) if *own != schema => self.unsaid(format!("the property `{name}` of `allOf` again")),
                        Some(_) => {}
                        None => known.set(&name, schema),
                    }
                }
            }
            ("required", Some(Json::Array(known)), Json::Array(more)) => {
                let more: Vec<_> = more.into_iter().filter(|name| !known.contains(name)).collect();
                known.extend(more);
            }
            (_, None, value) => merged.set(key, value),
            (_, Some(known), value) => {
                if *known != value && super::constrains(key) {
                    self.unsaid(format!("`{key}` of `allOf` again"));
                }
            }
        }
    }
}

/// Whether a branch is a list of values and nothing else.
fn is_plain_enum(node: &Node) -> bool {
    matches!(node.kind, Kind::Enum(_)) && !node.nullable && node.default.is_none() && node.examples.is_empty()
}

/// Branches that are values each, as one list of values, each with what its branch says.
fn one_enum(nodes: Vec<(String, Node)>) -> Node {
    let mut values: Vec<EnumValue> = Vec::new();
    for (_, node) in nodes {
        let Kind::Enum(own) = node.kind else { continue };
        for EnumValue { value, .. } in own {
            if values.iter().all(|known| known.value != value) {
                values.push(EnumValue { value, description: node.description.clone() });
            }
        }
    }
    Node::new(Kind::Enum(values))
}

/// The parts of `allOf`, the last first.
fn take_parts(map: &mut Map) -> Vec<Json> {
    match map.remove("allOf") {
        Some(Json::Array(mut parts)) => {
            parts.reverse();
            parts
        }
        _ => Vec::new(),
    }
}

/// A branch that leaves its type to the schema around it.
fn with_type(schema: &Json, outer: Option<&Json>) -> Json {
    let (Json::Object(map), Some(outer)) = (schema, outer) else {
        return schema.clone();
    };
    let mut map = map.clone();
    if !map.has_any(&["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf"]) {
        map.set("type", outer.clone());
    }
    Json::Object(map)
}

/// What a branch is called when arguments fit none.
fn name_of(schema: &Json, index: usize) -> String {
    let map = schema.object();
    let title = map.and_then(|map| map.get("title")).and_then(Json::text).map(str::to_owned);
    let reference = || {
        let reference = map?.get("$ref")?.text()?;
        reference.rsplit('/').next().map(str::to_owned)
    };
    title.or_else(reference).unwrap_or_else(|| format!("option {}", index.saturating_add(1)))
}

//! Objects and arrays.

use super::Importer;
use crate::foreign::Draft;
use crate::foreign::json::{Json, Map};
use crate::shape::{Additional, Array, Branch, Kind, Node, Object, Property, Tagging, Tuple, Union};

impl Importer<'_> {
    pub(super) fn object(&mut self, map: &Map) -> Object {
        let required: Vec<&str> =
            map.get("required").and_then(Json::array).unwrap_or_default().iter().filter_map(Json::text).collect();
        let mut properties = Vec::new();
        if let Some(Json::Object(named)) = map.get("properties") {
            for (name, schema) in &named.0 {
                let property = self.below("properties", |importer| {
                    importer.below(name, |importer| importer.property(name, required.contains(&name.as_str()), schema))
                });
                properties.extend(property);
            }
        }
        for name in required {
            if properties.iter().all(|property: &Property| property.name != name) {
                let name = name.to_owned().into();
                properties.push(Property { name, required: true, node: Node::new(Kind::Any) });
            }
        }
        let additional = self.additional(map);
        let count = |key: &str| map.get(key).and_then(Json::count);
        let (min_properties, max_properties) = (count("minProperties"), count("maxProperties"));
        Object { properties, additional, min_properties, max_properties }
    }

    fn property(&mut self, name: &str, required: bool, schema: &Json) -> Option<Property> {
        if *schema == Json::Bool(false) {
            self.unsaid("`false`, which takes nothing");
            return None;
        }
        let mut node = self.node(schema);
        if !required && node.nullable && node.default.is_none() {
            node = apart(node);
        }
        Some(Property { name: name.to_owned().into(), required, node })
    }

    fn additional(&mut self, map: &Map) -> Additional {
        let by_pattern = map.has("patternProperties");
        match map.get("additionalProperties") {
            // Names that match a pattern are declared in their way.
            Some(Json::Bool(false)) if by_pattern => Additional::Open,
            Some(Json::Bool(false)) => Additional::Closed,
            Some(Json::Object(schema)) if !schema.0.is_empty() && !by_pattern => {
                let schema = Json::Object(schema.clone());
                Additional::Typed(Box::new(self.below("additionalProperties", |importer| importer.node(&schema))))
            }
            Some(_) => Additional::Open,
            None if by_pattern => Additional::Open,
            None => Additional::Unstated,
        }
    }

    pub(super) fn array(&mut self, map: &Map) -> Kind {
        let count = |key: &str| map.get(key).and_then(Json::count);
        let (min_items, max_items) = (count("minItems"), count("maxItems"));
        let unique = map.get("uniqueItems") == Some(&Json::Bool(true));
        let (prefix_keyword, rest_keyword) = match self.draft {
            Draft::Seven if matches!(map.get("items"), Some(Json::Array(_))) => ("items", "additionalItems"),
            _ => ("prefixItems", "items"),
        };
        let prefix = map.get(prefix_keyword).and_then(Json::array).unwrap_or_default();
        let rest = map.get(rest_keyword);
        if prefix.is_empty() {
            let none = rest == Some(&Json::Bool(false));
            let items = rest.filter(|_| !none).map(|schema| self.below(rest_keyword, |importer| importer.node(schema)));
            let items = Box::new(items.unwrap_or(Node::new(Kind::Any)));
            return Kind::Array(Array { items, min_items, max_items: if none { Some(0) } else { max_items }, unique });
        }
        if unique {
            self.unsaid("`uniqueItems`");
        }
        let mut items = Vec::with_capacity(prefix.len());
        self.path.push(prefix_keyword.to_owned());
        for (index, schema) in prefix.iter().enumerate() {
            items.push(self.below(&index.to_string(), |importer| importer.node(schema)));
        }
        self.path.pop();
        let most = items.len() as u64;
        let closed = rest == Some(&Json::Bool(false)) || max_items == Some(most);
        if !closed && max_items.is_some() {
            self.unsaid("`maxItems`");
        }
        let rest = match rest {
            _ if closed => None,
            Some(schema) => Some(self.below(rest_keyword, |importer| importer.node(schema))),
            None => Some(Node::new(Kind::Any)),
        };
        Kind::Tuple(Tuple { items, rest: rest.map(Box::new), min_items: min_items.unwrap_or(0) })
    }
}

/// An optional value that may be `null`, where nothing says that `null` and absence are the same.
fn apart(mut node: Node) -> Node {
    node.nullable = false;
    let (description, examples) = (node.description.take(), std::mem::take(&mut node.examples));
    let branch = |name: &'static str, node| Branch { name: name.into(), description: None, node };
    let branches = vec![branch("value", node), branch("null", Node::new(Kind::Null))];
    let mut outer = Node::new(Kind::Union(Union { tagging: Tagging::Untagged, branches }));
    (outer.description, outer.examples) = (description, examples);
    outer
}

//! Types, numbers, strings and enumerations.

use std::collections::HashSet;

use super::Importer;
use crate::foreign::DegradedKind;
use crate::foreign::json::{Json, Map};
use crate::shape::{
    Bounds, Branch, EnumValue, Int, Integer, Kind, Literal, Node, Number, Pattern, StringRules, Tagging, Union,
};

impl Importer<'_> {
    /// A schema without combining keywords.
    pub(super) fn typed(&mut self, map: &Map) -> Node {
        let names: Vec<&str> = match map.get("type") {
            Some(Json::String(name)) => vec![name],
            Some(Json::Array(names)) => names.iter().filter_map(Json::text).collect(),
            _ => self.inferred(map).into_iter().collect(),
        };
        let nullable = names.len() > 1 && names.contains(&"null");
        let others: Vec<&str> = names.into_iter().filter(|name| !nullable || *name != "null").collect();
        let node = match others.as_slice() {
            [] => Node::new(Kind::Any),
            [name] => self.of_type(name, map),
            names => {
                let branches = names.iter().map(|name| {
                    let node = self.of_type(name, map);
                    Branch { name: (*name).to_owned().into(), description: None, node }
                });
                let branches = branches.collect();
                Node::new(Kind::Union(Union { tagging: Tagging::Untagged, branches }))
            }
        };
        if nullable { node.or_null() } else { node }
    }

    /// The type that a schema without one is about. Strictly, values of other types pass it by; nobody means that.
    fn inferred(&mut self, map: &Map) -> Option<&'static str> {
        let name = inferred(map)?;
        self.note(DegradedKind::Repaired, format!("no `type`, and keywords of `{name}`"));
        Some(name)
    }

    fn of_type(&mut self, name: &str, map: &Map) -> Node {
        let kind = match name {
            "null" => Kind::Null,
            "boolean" => Kind::Bool,
            "integer" => Kind::Integer(self.integer(map)),
            "number" => Kind::Number(Number { single: false, bounds: number_bounds(map) }),
            "string" => Kind::String(self.string(map)),
            "array" => self.array(map),
            "object" => Kind::Object(self.object(map)),
            _ => Kind::Any,
        };
        Node::new(kind)
    }

    fn integer(&mut self, map: &Map) -> Integer {
        let mut whole = |key: &str| {
            let bound = map.get(key)?;
            let int = bound.integer();
            if int.is_none() {
                self.unsaid(format!("`{key}`"));
            }
            int
        };
        let bounds: Bounds<Int> = Bounds {
            min: whole("minimum"),
            max: whole("maximum"),
            exclusive_min: whole("exclusiveMinimum"),
            exclusive_max: whole("exclusiveMaximum"),
            multiple_of: whole("multipleOf"),
        };
        Integer { range: None, non_zero: false, bounds }
    }

    fn string(&mut self, map: &Map) -> StringRules {
        let count = |key: &str| map.get(key).and_then(Json::count);
        let mut pattern = None;
        if let Some(source) = map.get("pattern").and_then(Json::text) {
            pattern = Pattern::new(source).ok();
            if pattern.is_none() {
                self.unsaid(format!("the pattern /{source}/"));
            }
        }
        let format = map.get("format").and_then(Json::text).map(|name| name.to_owned().into());
        StringRules { min_len: count("minLength"), max_len: count("maxLength"), pattern, format, check: None }
    }

    /// Listed values. `null` among others is what a value may be instead.
    pub(super) fn enumeration(&mut self, values: &[Json]) -> Node {
        let nullable = values.len() > 1 && values.contains(&Json::Null);
        let mut literals: Vec<EnumValue> = Vec::with_capacity(values.len());
        let mut seen = HashSet::with_capacity(values.len());
        for value in values.iter().filter(|value| !nullable || **value != Json::Null) {
            let value = literal(value);
            if seen.insert(value.to_json()) {
                literals.push(EnumValue { value, description: None });
            }
        }
        let node = match literals.as_slice() {
            [EnumValue { value: Literal::Null, .. }] => Node::new(Kind::Null),
            _ => Node::new(Kind::Enum(literals)),
        };
        if nullable { node.or_null() } else { node }
    }
}

fn literal(value: &Json) -> Literal {
    match value {
        Json::Null => Literal::Null,
        Json::Bool(value) => Literal::Bool(*value),
        Json::String(text) => Literal::String(text.clone().into()),
        Json::Number(_) => match value.integer() {
            Some(int) => Literal::Integer(int),
            None => Literal::Json(value.to_text().into()),
        },
        _ => Literal::Json(value.to_text().into()),
    }
}

fn number_bounds(map: &Map) -> Bounds<f64> {
    let bound = |key: &str| map.get(key).and_then(Json::float);
    Bounds {
        min: bound("minimum"),
        max: bound("maximum"),
        exclusive_min: bound("exclusiveMinimum"),
        exclusive_max: bound("exclusiveMaximum"),
        multiple_of: bound("multipleOf"),
    }
}

/// The type that a schema without one is about.
fn inferred(map: &Map) -> Option<&'static str> {
    let about: [(&str, &[&str]); 4] = [
        ("object", &["properties", "additionalProperties", "patternProperties", "required", "minProperties"]),
        ("array", &["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]),
        ("string", &["pattern", "minLength", "maxLength", "format"]),
        ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ];
    about.iter().find(|(_, keywords)| map.has_any(keywords)).map(|(name, _)| *name)
}

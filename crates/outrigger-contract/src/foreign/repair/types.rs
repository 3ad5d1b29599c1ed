//! `type` and `nullable`.

use super::Repairer;
use crate::foreign::DegradedKind;
use crate::foreign::json::{Json, Map};

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

impl Repairer<'_> {
    pub(super) fn types(&mut self, value: &mut Json, map: &mut Map) -> bool {
        match value {
            Json::String(name) => match self.type_name(name) {
                Some(known) => {
                    *value = Json::String(known.to_owned());
                    true
                }
                None => false,
            },
            Json::Array(names) => {
                let mut known: Vec<Json> = Vec::new();
                let mut all = true;
                for name in names.iter() {
                    let name = name.text().and_then(|name| self.type_name(name));
                    all &= name.is_some();
                    let name = name.map(|name| Json::String(name.to_owned()));
                    known.extend(name.filter(|name| !known.contains(name)));
                }
                if known.len() < names.len() && all {
                    self.note(DegradedKind::Repaired, "`type` with a name twice");
                }
                *names = known;
                // Without one of them the others would refuse what it takes.
                all && !names.is_empty()
            }
            _ => {
                self.drop_keyword("type", map);
                false
            }
        }
    }

    /// The type that a name means, in whatever language it comes from.
    fn type_name(&mut self, name: &str) -> Option<&'static str> {
        if let Some(known) = TYPES.iter().find(|known| **known == name) {
            return Some(known);
        }
        let meant = match name.to_ascii_lowercase().as_str() {
            "dict" | "dictionary" | "map" | "mapping" | "struct" | "hashmap" | "record" => Some("object"),
            "str" | "text" | "char" => Some("string"),
            "int" | "int32" | "int64" | "long" => Some("integer"),
            "float" | "double" | "decimal" => Some("number"),
            "bool" => Some("boolean"),
            "list" | "tuple" | "set" | "arraylist" => Some("array"),
            "none" | "nonetype" | "nil" => Some("null"),
            lower => TYPES.iter().find(|known| **known == lower).copied(),
        };
        match meant {
            Some(meant) => self.note(DegradedKind::Repaired, format!("the type `{name}`, which is `{meant}` here")),
            None => self.note(DegradedKind::Unchecked, format!("the type `{name}`")),
        }
        meant
    }

    /// `nullable: true`, as OpenAPI 3.0 has it, says nothing in JSON Schema.
    pub(super) fn nullable(&mut self, map: &mut Map) {
        let Some(nullable) = map.remove("nullable") else {
            return;
        };
        if nullable != Json::Bool(true) {
            return;
        }
        self.note(DegradedKind::Repaired, "`nullable`");
        let null = || Json::String("null".to_owned());
        match map.get_mut("type") {
            Some(Json::Array(names)) if !names.contains(&null()) => names.push(null()),
            Some(Json::Array(_)) => {}
            Some(single) if *single == null() => {}
            Some(single) => {
                let name = single.clone();
                *single = Json::Array(vec![name, null()]);
            }
            None => add_null_branch(map),
        }
        if let Some(Json::Array(values)) = map.get_mut("enum")
            && !values.contains(&Json::Null)
        {
            values.push(Json::Null);
        }
        if let Some(value) = map.remove("const") {
            map.set("enum", Json::Array(vec![value, Json::Null]));
        }
    }
}

fn add_null_branch(map: &mut Map) {
    let mut null = Map::default();
    null.set("type", Json::String("null".to_owned()));
    let null = Json::Object(null);
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Json::Array(branches)) = map.get_mut(keyword) {
            if !branches.contains(&null) {
                branches.push(null);
            }
            return;
        }
    }
    for keyword in ["$ref", "allOf"] {
        if let Some(value) = map.remove(keyword) {
            let mut inner = Map::default();
            inner.set(keyword, value);
            map.set("anyOf", Json::Array(vec![Json::Object(inner), null]));
            return;
        }
    }
}

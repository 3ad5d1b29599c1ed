//! One keyword and its value.

use std::collections::HashSet;

use super::{PATTERNS, Repairer};
use crate::foreign::json::{Json, Map};
use crate::foreign::validator::is_linear;
use crate::foreign::{DegradedKind, Draft};

/// The keywords that are looked at; there may be any number of others.
pub(super) const ALL: [&str; 59] = [
    "$schema",
    "$vocabulary",
    "discriminator",
    "type",
    "properties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
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
    "allOf",
    "anyOf",
    "oneOf",
    "prefixItems",
    "required",
    "dependentRequired",
    "dependencies",
    "enum",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
    "uniqueItems",
    "deprecated",
    "readOnly",
    "writeOnly",
    "pattern",
    "examples",
    "$ref",
    "$dynamicRef",
    "$id",
    "$anchor",
    "$dynamicAnchor",
    "format",
    "title",
    "description",
    "$comment",
    "contentEncoding",
    "contentMediaType",
];

impl Repairer<'_> {
    /// Mends the value of a keyword; false if the keyword has to go. `map` is the schema around it.
    pub(super) fn keyword(&mut self, key: &str, value: &mut Json, map: &mut Map) -> bool {
        match key {
            // The draft is settled for the whole schema, and these say nothing about values.
            "$schema" | "$vocabulary" | "discriminator" => false,
            "type" => self.types(value, map),
            "properties" | "$defs" | "definitions" | "dependentSchemas" => self.named(key, value, map),
            "patternProperties" => self.patterns(value, map),
            "items" => self.items(value, map),
            "additionalProperties"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "additionalItems"
            | "contentSchema" => {
                self.below(key, |repairer| repairer.schema(value));
                true
            }
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => self.list(key, value, map),
            "required" => self.required(value, map),
            "dependentRequired" => self.dependent_required(value, map),
            "dependencies" => self.dependencies(value, map),
            "enum" => self.check(key, matches!(value, Json::Array(items) if !items.is_empty()), map),
            "minimum" | "maximum" => self.check(key, value.float().is_some(), map),
            "exclusiveMinimum" | "exclusiveMaximum" => self.exclusive(key, value, map),
            "multipleOf" => self.check(key, value.float().is_some_and(|factor| factor > 0.0), map),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
            | "maxContains" => self.check(key, value.count().is_some(), map),
            "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => {
                self.check(key, matches!(value, Json::Bool(_)), map)
            }
            "pattern" => self.pattern(value, map),
            "examples" => self.check(key, matches!(value, Json::Array(_)), map),
            "$ref" | "$dynamicRef" | "$id" | "$anchor" | "$dynamicAnchor" | "format" | "title" | "description"
            | "$comment" | "contentEncoding" | "contentMediaType" => self.check(key, value.text().is_some(), map),
            _ => true,
        }
    }

    fn check(&mut self, key: &str, fits: bool, map: &mut Map) -> bool {
        if !fits {
            self.drop_keyword(key, map);
        }
        fits
    }

    /// An object of schemas.
    fn named(&mut self, key: &str, value: &mut Json, map: &mut Map) -> bool {
        let Json::Object(named) = value else {
            return self.check(key, false, map);
        };
        self.below(key, |repairer| {
            for (name, schema) in &mut named.0 {
                repairer.below(name, |repairer| repairer.schema(schema));
            }
        });
        true
    }

    fn patterns(&mut self, value: &mut Json, map: &mut Map) -> bool {
        if !self.named("patternProperties", value, map) {
            return false;
        }
        let Json::Object(named) = value else {
            return false;
        };
        let before = named.0.len();
        named.0.retain(|(pattern, _)| self.is_usable(pattern));
        if named.0.len() < before && map.remove("additionalProperties").is_some() {
            self.note(DegradedKind::Unchecked, "`additionalProperties`, which counts on every pattern");
        }
        true
    }

    /// Whether a pattern runs in linear time, and is not one of too many.
    fn is_usable(&mut self, pattern: &str) -> bool {
        let known = self.patterns.get(pattern).copied();
        if known.is_none() && self.patterns.len() >= PATTERNS {
            self.note(DegradedKind::Unchecked, format!("the pattern /{pattern}/, one of more than {PATTERNS}"));
            return false;
        }
        let linear = known.unwrap_or_else(|| is_linear(pattern));
        self.patterns.insert(pattern.to_owned(), linear);
        if !linear {
            self.note(DegradedKind::Unchecked, format!("the pattern /{pattern}/, which needs more than linear time"));
        }
        linear
    }

    fn pattern(&mut self, value: &Json, map: &mut Map) -> bool {
        match value.text() {
            Some(pattern) => self.is_usable(pattern),
            None => self.check("pattern", false, map),
        }
    }

    /// An array of schemas.
    fn list(&mut self, key: &str, value: &mut Json, map: &mut Map) -> bool {
        let Json::Array(schemas) = value else {
            return self.check(key, false, map);
        };
        if schemas.is_empty() {
            return self.check(key, false, map);
        }
        self.below(key, |repairer| {
            for (index, schema) in schemas.iter_mut().enumerate() {
                repairer.below(&index.to_string(), |repairer| repairer.schema(schema));
            }
        });
        true
    }

    /// Old drafts have an array here, which the latest calls `prefixItems`.
    fn items(&mut self, value: &mut Json, map: &mut Map) -> bool {
        let Json::Array(_) = value else {
            self.below("items", |repairer| repairer.schema(value));
            return true;
        };
        if matches!(value, Json::Array(schemas) if schemas.is_empty()) {
            return self.check("items", false, map);
        }
        if self.draft == Draft::Seven {
            return self.list("items", value, map);
        }
        self.note(DegradedKind::Repaired, "`items` as an array, which is `prefixItems` now");
        let mut prefix = std::mem::replace(value, Json::Bool(true));
        if self.list("prefixItems", &mut prefix, map) {
            map.set("prefixItems", prefix);
        }
        match map.remove("additionalItems") {
            Some(mut rest) => {
                self.below("items", |repairer| repairer.schema(&mut rest));
                *value = rest;
                true
            }
            None => false,
        }
    }

    fn required(&mut self, value: &mut Json, map: &mut Map) -> bool {
        match value {
            Json::Array(names) => {
                let before = names.len();
                // Each name may become a property.
                self.nodes = self.nodes.saturating_add(u32::try_from(before).unwrap_or(u32::MAX));
                let mut seen = HashSet::with_capacity(before);
                names.retain(|name| name.text().is_some_and(|text| seen.insert(text.to_owned())));
                if names.len() < before {
                    self.note(DegradedKind::Repaired, "`required` with names that are repeated or none");
                }
                true
            }
            // The form of an older draft, seen to by the schema around this one.
            Json::Bool(_) => true,
            _ => self.check("required", false, map),
        }
    }

    /// Takes `required: true` out of properties and says it as drafts since the fourth do.
    pub(super) fn lift_required(&mut self, map: &mut Map) {
        let mut lifted = Vec::new();
        let mut found = false;
        if let Some(Json::Object(properties)) = map.get_mut("properties") {
            for (name, schema) in &mut properties.0 {
                let Json::Object(inner) = schema else { continue };
                if let Some(Json::Bool(required)) = inner.get("required").cloned() {
                    inner.remove("required");
                    found = true;
                    lifted.extend(required.then(|| Json::String(name.clone())));
                }
            }
        }
        if found {
            self.note(DegradedKind::Repaired, "`required` as a boolean of a property");
        }
        if lifted.is_empty() {
            return;
        }
        let mut names = match map.remove("required") {
            Some(Json::Array(names)) => names,
            _ => Vec::new(),
        };
        lifted.into_iter().for_each(|name| {
            if !names.contains(&name) {
                names.push(name);
            }
        });
        map.set("required", Json::Array(names));
    }

    fn dependent_required(&mut self, value: &Json, map: &mut Map) -> bool {
        let strings = |json: &Json| json.array().is_some_and(|names| names.iter().all(|name| name.text().is_some()));
        let fits = value.object().is_some_and(|named| named.0.iter().all(|(_, json)| strings(json)));
        self.check("dependentRequired", fits, map)
    }

    fn dependencies(&mut self, value: &mut Json, map: &mut Map) -> bool {
        let Json::Object(named) = value else {
            return self.check("dependencies", false, map);
        };
        self.below("dependencies", |repairer| {
            for (name, schema) in &mut named.0 {
                if !matches!(schema, Json::Array(_)) {
                    repairer.below(name, |repairer| repairer.schema(schema));
                }
            }
        });
        true
    }

    /// In the fourth draft a boolean made `minimum` or `maximum` exclusive.
    fn exclusive(&mut self, key: &str, value: &mut Json, map: &mut Map) -> bool {
        if value.float().is_some() {
            return true;
        }
        let Json::Bool(exclusive) = *value else {
            return self.check(key, false, map);
        };
        self.note(DegradedKind::Repaired, format!("`{key}` as a boolean"));
        let inclusive = if key == "exclusiveMinimum" { "minimum" } else { "maximum" };
        match map.get(inclusive).filter(|bound| exclusive && bound.float().is_some()).cloned() {
            Some(bound) => {
                map.remove(inclusive);
                *value = bound;
                true
            }
            None => false,
        }
    }
}

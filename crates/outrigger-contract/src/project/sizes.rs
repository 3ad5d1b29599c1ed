//! How large a schema is, counted as those who limit it count.

use serde::{Deserialize, Serialize};

use super::schema::{Json, Schema};
use crate::profile::SchemaLimits;

/// The sizes that profiles limit. References are counted where they stand and not followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaSizes {
    /// Schemas inside each other below the root.
    pub depth: u32,
    /// Properties of all objects.
    pub properties: u32,
    /// Properties that are not required.
    pub optional: u32,
    /// Schemas with several types.
    pub unions: u32,
    /// Values of all enumerations.
    pub enum_values: u32,
    /// Characters of names and enumeration values.
    pub text: u32,
    /// Characters of the values of the longest enumeration that has many.
    pub long_enum: u32,
}

impl SchemaSizes {
    pub(super) fn of(schema: &Schema, limits: &SchemaLimits) -> Self {
        let mut sizes = Self::default();
        sizes.add(schema, 0, limits);
        sizes
    }

    /// The first limit that is passed, if one is.
    pub(super) fn beyond(&self, limits: &SchemaLimits) -> Option<&'static str> {
        let passed = |size: u32, limit: Option<u32>| limit.is_some_and(|limit| size > limit);
        if passed(self.depth, limits.depth) {
            Some("nesting depth")
        } else if passed(self.properties, limits.properties) {
            Some("number of properties")
        } else if passed(self.enum_values, limits.enum_values) {
            Some("number of enumeration values")
        } else if passed(self.text, limits.text) || passed(self.long_enum, limits.long_enum.map(|limit| limit.text)) {
            Some("length of names and values")
        } else {
            None
        }
    }

    fn add(&mut self, schema: &Schema, depth: u32, limits: &SchemaLimits) {
        self.depth = self.depth.max(depth);
        self.unions = self.unions.saturating_add(u32::from(is_union(schema)));
        self.add_properties(schema);
        let below = depth.saturating_add(1);
        for (key, value) in &schema.0 {
            match (key.as_str(), value) {
                ("properties", Json::Object(named)) => self.add_all(named, below, limits),
                ("$defs", Json::Object(named)) => {
                    named.0.iter().for_each(|(name, _)| self.add_text(name));
                    self.add_all(named, below, limits);
                }
                ("enum", Json::Array(values)) => self.add_enum(values, limits),
                ("const", value) => self.add_text(text_of(value)),
                ("anyOf" | "prefixItems", Json::Array(schemas)) => {
                    schemas.iter().for_each(|inner| self.add_json(inner, below, limits));
                }
                ("items" | "additionalProperties" | "not", inner) => self.add_json(inner, below, limits),
                _ => {}
            }
        }
    }

    fn add_json(&mut self, json: &Json, depth: u32, limits: &SchemaLimits) {
        if let Json::Object(schema) = json {
            self.add(schema, depth, limits);
        }
    }

    fn add_all(&mut self, named: &Schema, depth: u32, limits: &SchemaLimits) {
        named.0.iter().for_each(|(_, inner)| self.add_json(inner, depth, limits));
    }

    fn add_properties(&mut self, schema: &Schema) {
        let Some(Json::Object(properties)) = schema.get("properties") else {
            return;
        };
        let required = match schema.get("required") {
            Some(Json::Array(names)) => names.as_slice(),
            _ => &[],
        };
        for (name, _) in &properties.0 {
            self.properties = self.properties.saturating_add(1);
            self.add_text(name);
            let optional = !required.iter().any(|required| text_of(required) == name);
            self.optional = self.optional.saturating_add(u32::from(optional));
        }
    }

    fn add_enum(&mut self, values: &[Json], limits: &SchemaLimits) {
        let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
        let text = values.iter().map(|value| chars(text_of(value))).fold(0, u32::saturating_add);
        self.enum_values = self.enum_values.saturating_add(count);
        self.text = self.text.saturating_add(text);
        if limits.long_enum.is_some_and(|limit| count > limit.above) {
            self.long_enum = self.long_enum.max(text);
        }
    }

    fn add_text(&mut self, text: &str) {
        self.text = self.text.saturating_add(chars(text));
    }
}

fn is_union(schema: &Schema) -> bool {
    schema.has("anyOf") || matches!(schema.get("type"), Some(Json::Array(_)))
}

fn text_of(json: &Json) -> &str {
    match json {
        Json::String(text) | Json::Raw(text) => text,
        _ => "",
    }
}

fn chars(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

//! Foreign schemas in words.

use super::{cut, words};

pub(crate) const ONE_BRANCH: &str = "a value that fits only one of the alternatives";
pub(crate) const NOTHING_HERE: &str = "nothing here";

/// Sets of properties of which one must be there.
pub(crate) fn needs_one_of(sets: &[String]) -> String {
    format!("Needs {}.", sets.join(", or "))
}

/// A JSON type.
pub(crate) fn type_name(name: &str) -> String {
    let text = match name {
        "null" => "null",
        "boolean" => "true or false",
        "integer" => "an integer",
        "number" => "a number",
        "string" => "a string",
        "array" => "an array",
        _ => "an object",
    };
    text.to_owned()
}

pub(crate) fn one_of_values(values: &[serde_json::Value]) -> String {
    let prefix = if values.len() == 1 { "" } else { "one of " };
    words::values(prefix, values.iter().map(|value| cut(&value.to_string())))
}

pub(crate) fn property_name(expected: &str) -> String {
    format!("a property name that is {expected}")
}

/// Keywords of which the schema itself says more than words can.
pub(crate) fn keyword(name: &str) -> String {
    match name {
        "contains" => "an array with an item that the tool asks for".to_owned(),
        "minProperties" => "an object with more properties".to_owned(),
        "maxProperties" => "an object with fewer properties".to_owned(),
        "not" => "a value that the tool does not exclude".to_owned(),
        other => format!("a value that fits the schema's `{other}`"),
    }
}

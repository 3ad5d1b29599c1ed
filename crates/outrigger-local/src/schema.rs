//! Reading a tool's schema: its short signature, sample arguments, and JSON in the model's spelling.

use serde_json::{Map, Value};

/// A schema that refers to itself is followed this deep.
const DEPTH: usize = 6;

/// The properties of an object schema, in order.
fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(n, s)| (n.as_str(), s))
}

pub(crate) fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|n| n.as_str() == Some(name)))
}

/// Follows a reference into the definitions of the root.
fn resolve<'v>(schema: &'v Value, root: &'v Value) -> &'v Value {
    let pointer = schema.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix('#'));
    pointer.and_then(|p| root.pointer(p)).unwrap_or(schema)
}

/// `path?: string, lines?: integer`: what a small model needs to know of a schema.
pub(crate) fn signature(schema: &Value) -> String {
    let parameters = properties(schema).map(|(name, property)| {
        let optional = if is_required(schema, name) { "" } else { "?" };
        format!("{name}{optional}: {}", type_name(property, schema, DEPTH))
    });
    parameters.collect::<Vec<_>>().join(", ")
}

fn type_name(schema: &Value, root: &Value, depth: usize) -> String {
    let schema = resolve(schema, root);
    if depth == 0 {
        return "value".to_owned();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
            let names = branches.iter().map(|b| type_name(b, root, depth - 1)).filter(|n| n != "null");
            return names.collect::<Vec<_>>().join(" | ");
        }
    }
    let named = match schema.get("type") {
        Some(Value::String(name)) => name.as_str(),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).find(|&n| n != "null").unwrap_or("value"),
        _ => "value",
    };
    match named {
        "array" => format!("{}[]", schema.get("items").map_or("value".to_owned(), |i| type_name(i, root, depth - 1))),
        "object" if schema.get("properties").is_some() => {
            let inner = properties(schema).map(|(name, property)| {
                let optional = if is_required(schema, name) { "" } else { "?" };
                format!("{name}{optional}: {}", type_name(property, root, depth - 1))
            });
            format!("{{{}}}", inner.collect::<Vec<_>>().join(", "))
        }
        other => other.to_owned(),
    }
}

/// Arguments that fit the schema, of its required properties only.
pub(crate) fn sample(schema: &Value) -> Value {
    sample_of(schema, schema, "value", DEPTH)
}

fn sample_of(schema: &Value, root: &Value, name: &str, depth: usize) -> Value {
    let schema = resolve(schema, root);
    let listed = |keyword: &str| schema.get(keyword).and_then(Value::as_array).and_then(|v| v.first()).cloned();
    if let Some(value) = schema.get("const").or_else(|| schema.get("default")).cloned() {
        return value;
    }
    if let Some(value) = listed("examples").or_else(|| listed("enum")) {
        return value;
    }
    if depth == 0 {
        return Value::Null;
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if let Some(branch) = schema.get(keyword).and_then(Value::as_array).and_then(|b| b.first()) {
            return sample_of(branch, root, name, depth - 1);
        }
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        Some(kind) => kind.as_str(),
        None => schema.get("properties").map(|_| "object"),
    };
    match kind {
        Some("string") => Value::from(name.replace(['_', '-'], " ")),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| Value::from(1)),
        Some("boolean") => Value::from(true),
        Some("array") => {
            let item = schema.get("items").map(|items| sample_of(items, root, name, depth - 1));
            Value::Array(item.into_iter().collect())
        }
        Some("object") => {
            let required = properties(schema).filter(|(name, _)| is_required(schema, name));
            let members = required.map(|(name, s)| (name.to_owned(), sample_of(s, root, name, depth - 1)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        _ => Value::Null,
    }
}

/// Writes arguments the way the grammar spells JSON, with the members of the object in the schema's order: an example
/// in another spelling would teach the model what it may not write.
pub(crate) fn spell(arguments: &Value, schema: &Value) -> String {
    let Value::Object(members) = arguments else { return spell_value(arguments) };
    let known = properties(schema).filter_map(|(name, _)| members.get_key_value(name));
    let unknown =
        members.iter().filter(|(name, _)| schema.get("properties").and_then(|p| p.get(name.as_str())).is_none());
    let parts =
        known.chain(unknown).map(|(name, value)| format!("{}: {}", Value::from(name.as_str()), spell_value(value)));
    format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
}

fn spell_value(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let parts = members.iter().map(|(n, v)| format!("{}: {}", Value::from(n.as_str()), spell_value(v)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(spell_value).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "city": { "type": "string" },
                "unit": { "enum": ["celsius", "kelvin"] },
                "days": { "type": ["integer", "null"], "minimum": 2 },
                "place": { "$ref": "#/$defs/Place" }
            },
            "required": ["city", "place"],
            "$defs": { "Place": { "type": "object", "properties": { "tags": { "type": "array", "items": { "type": "string" } } }, "required": ["tags"] } }
        })
    }

    #[test]
    fn a_signature_names_types_and_what_is_optional() {
        assert_eq!(
            signature(&schema()),
            r#"city: string, unit?: "celsius" | "kelvin", days?: integer, place: {tags: string[]}"#
        );
    }

    #[test]
    fn a_sample_has_the_required_members() {
        assert_eq!(sample(&schema()), json!({ "city": "city", "place": { "tags": ["tags"] } }));
    }

    #[test]
    fn spelling_follows_the_order_of_the_schema() {
        let arguments: Value = serde_json::from_str(r#"{"days":3,"city":"a \"b\""}"#).unwrap();
        assert_eq!(spell(&arguments, &schema()), r#"{"city": "a \"b\"", "days": 3}"#);
    }
}

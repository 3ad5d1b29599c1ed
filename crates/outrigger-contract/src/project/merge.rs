//! The branches of a union as one object, for a root where no union may stand.

use super::schema::{Json, Schema};

/// One object that takes what any of these take: all their properties, of which those are required that every branch
/// requires. It takes more than that; the binder does not.
pub(super) fn merged(branches: Vec<Schema>) -> Schema {
    let mut objects = Vec::new();
    let mut all_objects = true;
    for branch in branches {
        all_objects &= flatten(branch, &mut objects);
    }
    let mut properties: Vec<(String, Vec<Json>)> = Vec::new();
    let mut required: Option<Vec<Json>> = None;
    let mut closed = all_objects && !objects.is_empty();
    for mut object in objects {
        let needs = match object.remove("required") {
            Some(Json::Array(names)) => names,
            _ => Vec::new(),
        };
        required = Some(match required {
            None => needs,
            Some(before) => before.into_iter().filter(|name| needs.contains(name)).collect(),
        });
        closed &= object.get("additionalProperties") == Some(&Json::Bool(false));
        if let Some(Json::Object(own)) = object.remove("properties") {
            own.0.into_iter().for_each(|(name, schema)| add(&mut properties, name, schema));
        }
    }
    let mut schema = Schema::typed("object");
    let mut united = Schema::default();
    properties.into_iter().for_each(|(name, forms)| united.set(&name, unite(forms)));
    schema.set("properties", united.into());
    if let Some(required) = required.filter(|names| all_objects && !names.is_empty()) {
        schema.set("required", Json::Array(required));
    }
    if closed {
        schema.set("additionalProperties", Json::Bool(false));
    }
    schema
}

/// Takes the objects out of a branch; false if it is something else as well.
fn flatten(mut branch: Schema, objects: &mut Vec<Schema>) -> bool {
    if let Some(Json::Array(inner)) = branch.remove("anyOf") {
        let mut all = true;
        for schema in inner.into_iter().filter_map(as_schema) {
            all &= flatten(schema, objects);
        }
        return all;
    }
    if branch.has("properties") {
        objects.push(branch);
        return true;
    }
    false
}

fn as_schema(json: Json) -> Option<Schema> {
    match json {
        Json::Object(schema) => Some(schema),
        _ => None,
    }
}

fn add(properties: &mut Vec<(String, Vec<Json>)>, name: String, schema: Json) {
    match properties.iter_mut().find(|(known, _)| *known == name) {
        Some((_, forms)) if forms.contains(&schema) => {}
        Some((_, forms)) => forms.push(schema),
        None => properties.push((name, vec![schema])),
    }
}

/// One schema for several: the values of tags together, other schemas as a union.
fn unite(mut forms: Vec<Json>) -> Json {
    if forms.len() == 1 {
        return forms.pop().unwrap_or(Json::Bool(true));
    }
    let constants: Option<Vec<Json>> = forms.iter().map(constant).collect();
    let mut schema = Schema::default();
    match constants {
        Some(values) => {
            schema.set("type", Json::string("string"));
            schema.set("enum", Json::Array(values));
        }
        None => schema.set("anyOf", Json::Array(forms)),
    }
    schema.into()
}

fn constant(form: &Json) -> Option<Json> {
    let Json::Object(schema) = form else {
        return None;
    };
    let value = schema.get("const").or_else(|| match schema.get("enum") {
        Some(Json::Array(values)) if values.len() == 1 => values.first(),
        _ => None,
    });
    value.filter(|value| matches!(value, Json::String(_))).cloned()
}

//! What a node says about itself: that it may be `null`, its description, its default, its examples.

use super::emit::{Draft, Emitter};
use super::schema::{Json, Schema};
use crate::profile::{NullForm, ReferenceForm};
use crate::shape::Node;

impl Emitter<'_> {
    /// The same, where `null` may stand as well.
    pub(super) fn or_null(&mut self, draft: Draft) -> Draft {
        let Draft { mut schema, words } = draft;
        if schema.0.is_empty() || takes_null(&schema) {
            return Draft { schema, words };
        }
        if self.profile.null == NullForm::NullableKeyword {
            self.set_nullable(&mut schema);
            return Draft { schema, words };
        }
        let single = matches!(schema.get("type"), Some(Json::String(_))) && !schema.has("const");
        if self.profile.null == NullForm::TypeArray && single {
            add_null_type(&mut schema);
            return Draft { schema, words };
        }
        if let Some(Json::Array(branches)) = schema.get_mut("anyOf") {
            branches.push(Schema::typed("null").into());
            return Draft { schema, words };
        }
        let mut outer = Schema::default();
        outer.set("anyOf", Json::Array(vec![schema.into(), Schema::typed("null").into()]));
        Draft { schema: outer, words }
    }

    fn set_nullable(&self, schema: &mut Schema) {
        if let (false, Some(Json::Array(branches))) = (self.profile.union_siblings, schema.get_mut("anyOf")) {
            if let Some(Json::Object(first)) = branches.first_mut() {
                first.set("nullable", Json::Bool(true));
            }
            return;
        }
        schema.set("nullable", Json::Bool(true));
    }

    /// Adds what the node says about itself.
    pub(super) fn annotate(&mut self, node: &Node, draft: Draft) -> Schema {
        let Draft { mut schema, mut words } = draft;
        let keywords = self.profile.keywords;
        if let Some(default) = &node.default
            && !keywords.default
            && default != "null"
        {
            words.push(format!("Default: {default}."));
        }
        if !node.examples.is_empty() && !keywords.examples {
            words.push(format!("Examples: {}.", node.examples.join(", ")));
        }
        let described = described(node.description.as_deref(), &words);
        let defaulted = node.default.as_ref().filter(|_| keywords.default);
        let bare_ref = self.profile.references == ReferenceForm::BareDefs && schema.has("$ref");
        let shown = !node.examples.is_empty() && keywords.examples;
        if bare_ref && (described.is_some() || defaulted.is_some() || shown) {
            let mut outer = Schema::default();
            outer.set("anyOf", Json::Array(vec![schema.into()]));
            schema = outer;
        }
        if let Some(description) = described {
            self.describe(&mut schema, description);
        }
        if let Some(default) = defaulted {
            schema.set("default", Json::raw(default));
        }
        if shown {
            let examples = node.examples.iter().map(Json::raw).collect();
            schema.set("examples", Json::Array(examples));
        }
        schema
    }

    /// Puts a description where it may stand, before the one that is there.
    fn describe(&self, schema: &mut Schema, description: String) {
        let target = match schema.get_mut("anyOf") {
            Some(Json::Array(branches)) if !self.profile.union_siblings => branches.first_mut(),
            _ => None,
        };
        if let Some(Json::Object(first)) = target {
            return prepend(first, description);
        }
        prepend(schema, description);
    }
}

fn prepend(schema: &mut Schema, description: String) {
    let text = match schema.get("description") {
        Some(Json::String(own)) => format!("{description} {own}"),
        _ => description,
    };
    schema.set("description", Json::String(text));
}

/// Whether `null` may stand here already.
fn takes_null(schema: &Schema) -> bool {
    let is_null = |json: &Json| match json {
        Json::String(name) => name == "null",
        Json::Object(schema) => takes_null(schema),
        _ => false,
    };
    match (schema.get("type"), schema.get("anyOf")) {
        _ if schema.has("nullable") => true,
        (Some(Json::Array(types)), _) => types.iter().any(is_null),
        (Some(single), _) => is_null(single),
        (None, Some(Json::Array(branches))) => branches.iter().any(is_null),
        _ => false,
    }
}

fn add_null_type(schema: &mut Schema) {
    if let Some(kind) = schema.get_mut("type") {
        let name = kind.clone();
        *kind = Json::Array(vec![name, Json::string("null")]);
    }
    if let Some(Json::Array(values)) = schema.get_mut("enum") {
        values.push(Json::raw("null"));
    }
}

fn described(description: Option<&str>, words: &[String]) -> Option<String> {
    let mut parts: Vec<&str> = description.into_iter().filter(|text| !text.is_empty()).collect();
    parts.extend(words.iter().map(String::as_str));
    (!parts.is_empty()).then(|| parts.join(" "))
}

//! Unions.

use super::emit::{Draft, Emitter};
use super::merge::merged;
use super::names::wire_name;
use super::schema::{Json, Schema};
use crate::plan::{PlanChild, PlanNode};
use crate::profile::{ConstantForm, EnumForm, OptionalForm};
use crate::prompts;
use crate::shape::{Branch, Kind, Node, Tagging, Union};

impl<'a> Emitter<'a> {
    pub(super) fn union(&mut self, union: &'a Union, beside_text: bool, plan: &mut PlanNode) -> Draft {
        if self.cannot_tag(union) {
            return self.untold(union);
        }
        self.check_names(union);
        let texts = union.branches.iter().filter(|branch| self.may_be_text(&branch.node)).count();
        let beside_text = beside_text || (self.profile.enums == EnumForm::Strings && texts > 1);
        let mut branches = Vec::with_capacity(union.branches.len());
        let mut or_null = false;
        for (index, branch) in union.branches.iter().enumerate() {
            if matches!((&union.tagging, &branch.node.kind), (Tagging::Untagged, Kind::Null)) {
                or_null = true;
                continue;
            }
            let mut below = PlanNode::default();
            branches.push(self.branch(union, branch, beside_text, &mut below));
            if !below.is_empty() {
                plan.children.push(PlanChild {
                    index: u32::try_from(index).unwrap_or(u32::MAX),
                    node: below,
                    ..PlanChild::default()
                });
            }
        }
        self.check_first_properties(&branches);
        let draft = self.alternatives(union, branches);
        if or_null { self.or_null(draft) } else { draft }
    }

    /// The branches together.
    fn alternatives(&mut self, union: &Union, mut branches: Vec<Schema>) -> Draft {
        if branches.is_empty() {
            return Schema::typed("null").into();
        }
        if branches.len() == 1 && matches!(union.tagging, Tagging::Untagged) {
            return branches.pop().unwrap_or_default().into();
        }
        if self.at_root() && !self.profile.root_union {
            self.not_strict("a union at the root");
            let words = branches.iter().zip(&union.branches).map(|(schema, branch)| form_of(schema, &branch.name));
            let words = words.collect();
            return Draft { schema: merged(branches), words };
        }
        let mut schema = Schema::default();
        if self.at_root() && !matches!(union.tagging, Tagging::Untagged) {
            schema.set("type", Json::string("object"));
        }
        schema.set("anyOf", Json::Array(branches.into_iter().map(Json::from).collect()));
        schema.into()
    }

    fn branch(&mut self, union: &'a Union, branch: &'a Branch, beside_text: bool, plan: &mut PlanNode) -> Schema {
        let shape = self.shape;
        let draft = match &union.tagging {
            Tagging::Untagged => {
                // At the root every branch is written out: the caller's properties belong to each.
                let resolved = shape.resolve(&branch.node);
                let is_enum = resolved.is_some_and(|node| matches!(node.kind, Kind::Enum(_)));
                let node = resolved.filter(|_| self.at_root() || (beside_text && is_enum));
                self.beside_text = beside_text;
                let mut schema = self.node(node.unwrap_or(&branch.node), plan);
                self.beside_text = false;
                describe(&mut schema, branch);
                return schema;
            }
            Tagging::Internal { tag } => match shape.resolve(&branch.node).map(|node| &node.kind) {
                Some(Kind::Object(rules)) => self.tagged_object(rules, Some((tag, &branch.name)), plan),
                _ => Draft::default(),
            },
            Tagging::Adjacent { tag, content } => self.adjacent(branch, tag, content, plan),
        };
        let mut schema = draft.schema;
        describe(&mut schema, branch);
        let own = branch.node.description.as_deref().filter(|_| branch.description.is_none());
        let told: Vec<&str> = own.into_iter().chain(draft.words.iter().map(String::as_str)).collect();
        if !told.is_empty() {
            let before = match schema.remove("description") {
                Some(Json::String(text)) => Some(text),
                _ => None,
            };
            let parts: Vec<&str> = before.as_deref().into_iter().chain(told).collect();
            schema.set("description", Json::String(parts.join(" ")));
        }
        schema
    }

    /// An object of the tag and the content.
    fn adjacent(&mut self, branch: &'a Branch, tag: &str, content: &str, plan: &mut PlanNode) -> Draft {
        let mut properties = Schema::default();
        properties.set(tag, self.constant(&branch.name).into());
        let mut required = vec![tag.to_owned()];
        if !matches!(branch.node.kind, Kind::Null) {
            let schema = self.below(content, |emitter| emitter.node(&branch.node, plan));
            properties.set(content, schema.into());
            required.push(content.to_owned());
        }
        self.write_extras(&mut properties, &mut required);
        let mut schema = Schema::typed("object");
        schema.set("properties", properties.into());
        schema.set("required", Json::strings(required.iter().map(String::as_str)));
        if self.profile.closed_keyword {
            schema.set("additionalProperties", Json::Bool(false));
        }
        schema.into()
    }

    /// The caller's properties. An optional one may be `null` where all are required, which means the same.
    pub(super) fn write_extras(&mut self, properties: &mut Schema, required: &mut Vec<String>) {
        let all_required = self.profile.optional == OptionalForm::RequiredOrNull;
        for (name, property) in self.extras() {
            let mut ignored = PlanNode::default();
            let nullable = property.node.nullable || (all_required && !property.required);
            let schema = self.below(&name, |emitter| emitter.node_or_null(&property.node, nullable, &mut ignored));
            properties.set(&name, schema.into());
            if property.required || all_required {
                required.push(name.into_owned());
            }
        }
    }

    /// A string that can only be this one.
    pub(super) fn constant(&self, value: &str) -> Schema {
        let mut schema = Schema::typed("string");
        match self.profile.constant {
            ConstantForm::Const => schema.set("const", Json::string(value)),
            ConstantForm::OneValueEnum => schema.set("enum", Json::strings([value])),
        }
        schema
    }

    /// Whether text may stand here on the wire, where values of enumerations are written as text.
    fn may_be_text(&self, node: &Node) -> bool {
        match self.shape.resolve(node).map(|node| &node.kind) {
            Some(Kind::String(_) | Kind::Enum(_) | Kind::Any) | None => true,
            Some(Kind::Union(union)) => matches!(union.tagging, Tagging::Untagged),
            _ => false,
        }
    }

    /// Whether the property with the tag, or the one with the content, has a name that the profile refuses. A tag is
    /// found by its own name, so it cannot get another.
    fn cannot_tag(&self, union: &Union) -> bool {
        let names = match &union.tagging {
            Tagging::Internal { tag } => [Some(tag), None],
            Tagging::Adjacent { tag, content } => [Some(tag), Some(content)],
            Tagging::Untagged => [None, None],
        };
        names.into_iter().flatten().any(|name| wire_name(name, &self.profile.names) != *name)
    }

    /// A union that only words can say.
    fn untold(&mut self, union: &Union) -> Draft {
        self.not_strict("a union with a tag that is no legal name");
        let words = prompts::sentence(&prompts::Words::new(self.shape).union(union));
        Draft { schema: Schema::typed("object"), words: vec![words] }
    }

    fn check_names(&mut self, union: &Union) {
        if !matches!(union.tagging, Tagging::Untagged) {
            self.check_case(union.branches.iter().map(|branch| &*branch.name));
        }
    }

    /// Notes objects that a reader of the first property could not tell apart.
    fn check_first_properties(&mut self, branches: &[Schema]) {
        if !self.profile.distinct_branches {
            return;
        }
        let firsts: Vec<_> = branches.iter().filter_map(first_property).collect();
        let alike = firsts.iter().enumerate().any(|(at, (name, tag))| {
            let mut others = firsts.iter().skip(at + 1);
            others.any(|(other, other_tag)| name == other && (tag.is_none() || other_tag.is_none() || tag == other_tag))
        });
        if alike {
            self.not_strict("branches that begin alike");
        }
    }
}

/// What one form of an object is made of, since its schema will not be seen by itself.
fn form_of(schema: &Schema, name: &str) -> String {
    let required = match schema.get("required") {
        Some(Json::Array(names)) => names.as_slice(),
        _ => &[],
    };
    let (mut needs, mut may) = (Vec::new(), Vec::new());
    if let Some(Json::Object(properties)) = schema.get("properties") {
        for (property, _) in &properties.0 {
            let is_required = required.contains(&Json::string(property));
            (if is_required { &mut needs } else { &mut may }).push(property.as_str());
        }
    }
    prompts::form(name, &needs, &may)
}

/// The first property of an object, and its value if it can have only one.
fn first_property(schema: &Schema) -> Option<(&str, Option<&Json>)> {
    let Some(Json::Object(properties)) = schema.get("properties") else {
        return None;
    };
    let (name, value) = properties.first()?;
    let only = match value {
        Json::Object(schema) => schema.get("const").or_else(|| match schema.get("enum") {
            Some(Json::Array(values)) if values.len() == 1 => values.first(),
            _ => None,
        }),
        _ => None,
    };
    Some((name, only))
}

fn describe(schema: &mut Schema, branch: &Branch) {
    let Some(description) = &branch.description else {
        return;
    };
    match schema.get_mut("description") {
        Some(own) => *own = Json::string(description),
        None => schema.set("description", Json::string(description)),
    }
}

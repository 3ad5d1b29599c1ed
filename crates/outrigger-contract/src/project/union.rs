//! Unions.

use super::emit::{Draft, Emitter};
use super::schema::{Json, Schema};
use crate::plan::{PlanChild, PlanNode};
use crate::profile::ConstantForm;
use crate::shape::{Branch, Kind, Tagging, Union};

impl<'a> Emitter<'a> {
    pub(super) fn union(&mut self, union: &'a Union, plan: &mut PlanNode) -> Draft {
        if self.at_root() && !self.profile.root_union {
            self.not_strict("a union at the root");
        }
        let mut branches = Vec::with_capacity(union.branches.len());
        for (index, branch) in union.branches.iter().enumerate() {
            let mut below = PlanNode::default();
            branches.push(Json::from(self.branch(union, branch, &mut below)));
            if !below.is_empty() {
                plan.children.push(PlanChild {
                    index: u32::try_from(index).unwrap_or(u32::MAX),
                    node: below,
                    ..PlanChild::default()
                });
            }
        }
        let mut schema = Schema::default();
        if self.at_root() && !matches!(union.tagging, Tagging::Untagged) {
            schema.set("type", Json::string("object"));
        }
        schema.set("anyOf", Json::Array(branches));
        schema.into()
    }

    fn branch(&mut self, union: &'a Union, branch: &'a Branch, plan: &mut PlanNode) -> Schema {
        let draft = match &union.tagging {
            Tagging::Untagged => {
                let mut schema = self.node(&branch.node, plan);
                describe(&mut schema, branch);
                return schema;
            }
            Tagging::Internal { tag } => {
                let shape = self.shape;
                match shape.resolve(&branch.node).map(|node| &node.kind) {
                    Some(Kind::Object(rules)) => self.tagged_object(rules, Some((tag, &branch.name)), plan),
                    _ => Draft::default(),
                }
            }
            Tagging::Adjacent { tag, content } => self.adjacent(branch, tag, content, plan),
        };
        let mut schema = draft.schema;
        describe(&mut schema, branch);
        if !schema.has("description")
            && let Some(description) = &branch.node.description
        {
            schema.set("description", Json::string(description));
        }
        schema
    }

    /// An object of the tag and the content.
    fn adjacent(&mut self, branch: &'a Branch, tag: &str, content: &str, plan: &mut PlanNode) -> Draft {
        let mut properties = Schema::default();
        self.sizes.property(tag);
        properties.set(tag, self.constant(&branch.name).into());
        let mut required = vec![tag.to_owned()];
        if !matches!(branch.node.kind, Kind::Null) {
            self.sizes.property(content);
            let schema = self.below(content, |emitter| emitter.node(&branch.node, plan));
            properties.set(content, schema.into());
            required.push(content.to_owned());
        }
        self.add_extras(&mut properties, &mut required);
        let mut schema = Schema::typed("object");
        schema.set("properties", properties.into());
        schema.set("required", Json::strings(required.iter().map(String::as_str)));
        if self.profile.closed_keyword {
            schema.set("additionalProperties", Json::Bool(false));
        }
        schema.into()
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

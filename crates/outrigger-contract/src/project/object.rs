//! Objects, maps, arrays and tuples.

use super::LossKind;
use super::emit::{Draft, Emitter};
use super::names::wire_name;
use super::schema::{Json, Schema};
use crate::plan::{PlanChild, PlanNode};
use crate::profile::{OptionalForm, TupleForm};
use crate::prompts;
use crate::shape::{Additional, Array, Object, Property, Tuple};

/// An object being written.
#[derive(Default)]
struct Members {
    properties: Schema,
    required: Vec<String>,
}

impl<'a> Emitter<'a> {
    pub(super) fn object(&mut self, rules: &'a Object, plan: &mut PlanNode) -> Draft {
        self.tagged_object(rules, None, plan)
    }

    /// An object with a tag before its own properties, if it is a branch.
    pub(super) fn tagged_object(&mut self, rules: &'a Object, tag: Option<(&str, &str)>, plan: &mut PlanNode) -> Draft {
        let mut members = Members::default();
        if let Some((tag, name)) = tag {
            self.sizes.property(tag);
            self.sizes.value(name);
            let constant = self.constant(name);
            members.properties.set(tag, constant.into());
            members.required.push(tag.to_owned());
        }
        for (index, property) in rules.properties.iter().enumerate() {
            self.property(index, property, plan, &mut members);
        }
        self.add_extras(&mut members.properties, &mut members.required);
        let mut draft = Draft::from(Schema::typed("object"));
        draft.schema.set("properties", members.properties.into());
        if !members.required.is_empty() {
            let required = Json::strings(members.required.iter().map(String::as_str));
            draft.schema.set("required", required);
        }
        self.additional(rules, plan, &mut draft);
        self.property_counts(rules, &mut draft);
        draft
    }

    /// The caller's own properties, if this is the root.
    pub(super) fn add_extras(&mut self, properties: &mut Schema, required: &mut Vec<String>) {
        for (name, property) in self.extras() {
            let must = self.profile.optional == OptionalForm::RequiredOrNull;
            let nullable = property.node.nullable || (must && !property.required);
            let mut ignored = PlanNode::default();
            let schema = self.below(&name, |emitter| emitter.node_or_null(&property.node, nullable, &mut ignored));
            self.sizes.property(&name);
            properties.set(&name, schema.into());
            if must || property.required {
                required.push(name.into_owned());
            }
        }
    }

    fn property(&mut self, index: usize, property: &'a Property, plan: &mut PlanNode, members: &mut Members) {
        let mut child = PlanChild { index: u32::try_from(index).unwrap_or(u32::MAX), ..PlanChild::default() };
        if self.hides(property) {
            child.hidden = true;
            plan.children.push(child);
            return;
        }
        let name = wire_name(&property.name, &self.profile.names);
        if name != property.name {
            child.name = Some(name.clone().into());
        }
        self.sizes.property(&name);
        let node = &property.node;
        let bare = !property.required && node.default.is_none();
        let mut nullable = node.nullable && (self.profile.optional_also_null || !bare);
        let must = property.required || self.profile.optional == OptionalForm::RequiredOrNull;
        let schema = self.below(&property.name, |emitter| {
            if must && !property.required {
                if node.nullable && node.default.is_some() {
                    emitter.not_strict("null apart from absence");
                }
                child.null_is_absent = !node.nullable;
                nullable = true;
            }
            emitter.node_or_null(node, nullable, &mut child.node)
        });
        members.properties.set(&name, schema.into());
        if must {
            members.required.push(name);
        }
        if child.name.is_some() || child.null_is_absent || !child.node.is_empty() {
            plan.children.push(child);
        }
    }

    fn additional(&mut self, rules: &'a Object, plan: &mut PlanNode, draft: &mut Draft) {
        match &rules.additional {
            Additional::Closed => {
                if self.profile.closed_keyword {
                    draft.schema.set("additionalProperties", Json::Bool(false));
                }
            }
            Additional::Open if self.profile.maps => {}
            Additional::Typed(node) if self.profile.maps => {
                let schema = self.child(rules.properties.len(), "*", node, plan);
                draft.schema.set("additionalProperties", schema);
            }
            Additional::Open | Additional::Typed(_) => self.not_strict("an object with any keys"),
        }
    }

    fn property_counts(&mut self, rules: &Object, draft: &mut Draft) {
        let counts = [("minProperties", rules.min_properties), ("maxProperties", rules.max_properties)];
        if self.profile.keywords.property_counts {
            for (keyword, count) in counts {
                if let Some(count) = count {
                    draft.schema.set(keyword, Json::raw(count));
                }
            }
        } else if counts.iter().any(|(_, count)| count.is_some()) {
            let words = prompts::sentence(&prompts::property_count(rules));
            self.say(draft, "property count", words);
        }
    }

    pub(super) fn array(&mut self, rules: &'a Array, plan: &mut PlanNode) -> Draft {
        let mut draft = Draft::from(Schema::typed("array"));
        let items = self.child(0, "*", &rules.items, plan);
        draft.schema.set("items", items);
        self.item_counts(rules.min_items, rules.max_items, &mut draft);
        if rules.unique {
            if self.profile.keywords.unique {
                draft.schema.set("uniqueItems", Json::Bool(true));
            } else {
                self.say(&mut draft, "uniqueItems", "No two items are equal.".to_owned());
            }
        }
        draft
    }

    fn item_counts(&mut self, min: Option<u64>, max: Option<u64>, draft: &mut Draft) {
        let keywords = self.profile.keywords;
        let mut unsaid = (None, None);
        if let Some(min) = min {
            if min <= keywords.min_items_up_to {
                draft.schema.set("minItems", Json::raw(min));
            } else {
                unsaid.0 = Some(min);
            }
        }
        if let Some(max) = max {
            if keywords.max_items {
                draft.schema.set("maxItems", Json::raw(max));
            } else {
                unsaid.1 = Some(max);
            }
        }
        if unsaid != (None, None) {
            let words = prompts::sentence(&format!("an array{}", prompts::count_words(min, max, "item")));
            self.say(draft, "item count", words);
        }
    }

    pub(super) fn tuple(&mut self, rules: &'a Tuple, plan: &mut PlanNode) -> Draft {
        let mut draft = Draft::from(Schema::typed("array"));
        let mut items = Vec::with_capacity(rules.items.len());
        for (index, node) in rules.items.iter().enumerate() {
            items.push(self.child(index, &index.to_string(), node, plan));
        }
        let rest = rules.rest.as_deref().map(|node| self.child(rules.items.len(), "*", node, plan));
        match self.profile.tuples {
            TupleForm::PrefixItems => {
                if !items.is_empty() {
                    draft.schema.set("prefixItems", Json::Array(items));
                }
                draft.schema.set("items", rest.unwrap_or(Json::Bool(false)));
            }
            TupleForm::AnyOfItems | TupleForm::Unsayable => {
                if self.profile.tuples == TupleForm::Unsayable {
                    self.not_strict("a tuple");
                }
                let mut any = Schema::default();
                let mut branches: Vec<Json> = Vec::new();
                for item in items.into_iter().chain(rest) {
                    if !branches.contains(&item) {
                        branches.push(item);
                    }
                }
                self.lose(LossKind::Dropped, "the order of a tuple");
                let only = if branches.len() == 1 { branches.pop() } else { None };
                any.set("anyOf", Json::Array(branches));
                draft.schema.set("items", only.unwrap_or(any.into()));
            }
        }
        let max = rules.rest.is_none().then_some(rules.items.len() as u64);
        let closed_by_items = self.profile.tuples == TupleForm::PrefixItems;
        self.item_counts(Some(rules.min_items), max.filter(|_| !closed_by_items), &mut draft);
        draft
    }

    /// A child's schema; its changes are kept if there are any.
    pub(super) fn child(&mut self, index: usize, step: &str, node: &'a crate::Node, plan: &mut PlanNode) -> Json {
        let mut below = PlanNode::default();
        let schema = self.below(step, |emitter| emitter.node(node, &mut below));
        if !below.is_empty() {
            plan.children.push(PlanChild {
                index: u32::try_from(index).unwrap_or(u32::MAX),
                node: below,
                ..PlanChild::default()
            });
        }
        schema.into()
    }
}

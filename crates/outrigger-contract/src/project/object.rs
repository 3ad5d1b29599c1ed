//! Objects, maps, arrays and tuples.

use super::LossKind;
use super::emit::{Draft, Emitter};
use super::names::wire_name;
use super::schema::{Json, Schema};
use crate::plan::{PlanChild, PlanNode};
use crate::profile::{NameRule, OptionalForm, TupleForm};
use crate::prompts;
use crate::shape::{Additional, Array, Kind, Literal, Node, Object, Property, Tagging, Tuple};

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
            members.properties.set(tag, self.constant(name).into());
            members.required.push(tag.to_owned());
        }
        for (index, property) in rules.properties.iter().enumerate() {
            self.property(index, property, plan, &mut members);
        }
        self.write_extras(&mut members.properties, &mut members.required);
        let mut draft = Draft::from(Schema::typed("object"));
        let any_keys = members.properties.0.is_empty() && !matches!(rules.additional, Additional::Closed);
        if !any_keys || self.profile.closed_keyword {
            draft.schema.set("properties", members.properties.into());
        }
        if !members.required.is_empty() || self.profile.optional == OptionalForm::RequiredOrNull {
            let required = Json::strings(members.required.iter().map(String::as_str));
            draft.schema.set("required", required);
        }
        self.additional(rules, plan, &mut draft);
        self.property_counts(rules, &mut draft);
        draft
    }

    fn property(&mut self, index: usize, property: &'a Property, plan: &mut PlanNode, members: &mut Members) {
        let mut child = PlanChild { index: u32::try_from(index).unwrap_or(u32::MAX), ..PlanChild::default() };
        if self.hides(property) {
            child.hidden = true;
            plan.children.push(child);
            return;
        }
        let name = free_name(&property.name, &self.profile.names, &members.properties);
        if name != property.name {
            child.name = Some(name.clone().into());
        }
        let node = &property.node;
        // Absent and `null` are the same where nothing else stands for an absent property.
        let same = !property.required && node.default.as_ref().is_none_or(|default| default == "null");
        let mut nullable = node.nullable && (self.profile.optional_also_null || !same);
        let must = property.required || self.profile.optional == OptionalForm::RequiredOrNull;
        let schema = self.below(&property.name, |emitter| {
            if must && !property.required {
                child.null_is_absent = if node.nullable { same } else { !emitter.takes_null(node) };
                if !child.null_is_absent {
                    emitter.not_strict("null apart from absence");
                }
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

    /// Whether `null` is a value of its own here.
    fn takes_null(&self, node: &Node) -> bool {
        let Some(node) = self.shape.resolve(node) else {
            return true;
        };
        node.nullable
            || match &node.kind {
                Kind::Any | Kind::Null | Kind::Ref(_) => true,
                Kind::Enum(values) => values.iter().any(|known| known.value == Literal::Null),
                Kind::Union(union) if matches!(union.tagging, Tagging::Untagged) => {
                    union.branches.iter().any(|branch| {
                        // A branch that refers back to this union adds nothing of its own.
                        branch.node.nullable
                            || (!matches!(branch.node.kind, Kind::Ref(_)) && self.takes_null(&branch.node))
                    })
                }
                _ => false,
            }
    }

    fn additional(&mut self, rules: &'a Object, plan: &mut PlanNode, draft: &mut Draft) {
        let closes = self.profile.close_unstated && !rules.properties.is_empty();
        match &rules.additional {
            Additional::Closed => self.close(draft),
            Additional::Unstated if closes => {
                self.lose(LossKind::Dropped, "undeclared properties");
                self.close(draft);
            }
            Additional::Open | Additional::Unstated if self.profile.maps => {
                if rules.properties.is_empty() && self.profile.closed_keyword {
                    draft.schema.set("additionalProperties", Json::Bool(true));
                }
            }
            Additional::Typed(node) if self.profile.maps => {
                let schema = self.child(rules.properties.len(), "*", node, plan);
                draft.schema.set("additionalProperties", schema);
            }
            Additional::Open | Additional::Unstated => self.not_strict("an object with any keys"),
            Additional::Typed(node) => {
                self.not_strict("an object with any keys");
                let expected = prompts::Words::new(self.shape).expected(node);
                draft.words.push(format!("Any other property is {expected}."));
            }
        }
    }

    fn close(&self, draft: &mut Draft) {
        if self.profile.closed_keyword {
            draft.schema.set("additionalProperties", Json::Bool(false));
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
                let words = prompts::Words::new(self.shape);
                let order: Vec<_> = rules.items.iter().map(|node| words.expected(node)).collect();
                self.say(&mut draft, "the order of a tuple", format!("In this order: {}.", order.join("; ")));
                draft.schema.set("items", one_of_items(items.into_iter().chain(rest)));
            }
        }
        let max = rules.rest.is_none().then_some(rules.items.len() as u64);
        let closed_by_items = self.profile.tuples == TupleForm::PrefixItems;
        let min = Some(rules.min_items).filter(|min| *min > 0);
        self.item_counts(min, max.filter(|_| !closed_by_items), &mut draft);
        draft
    }

    /// A child's schema; its changes are kept if there are any.
    pub(super) fn child(&mut self, index: usize, step: &str, node: &'a Node, plan: &mut PlanNode) -> Json {
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

/// Items that fit any position of a tuple.
fn one_of_items(items: impl Iterator<Item = Json>) -> Json {
    let mut branches: Vec<Json> = Vec::new();
    for item in items {
        if !branches.contains(&item) {
            branches.push(item);
        }
    }
    if branches.len() > 1 {
        let mut any = Schema::default();
        any.set("anyOf", Json::Array(branches));
        return any.into();
    }
    // Nobody can send an item of the empty tuple, but the type of its items must be said.
    branches.pop().unwrap_or_else(|| Schema::typed("string").into())
}

/// The wire name of a property that no property before it has.
fn free_name(name: &str, rule: &NameRule, taken: &Schema) -> String {
    let mut wire = wire_name(name, rule);
    let mut salted = name.to_owned();
    while taken.has(&wire) {
        salted.push('\u{0}');
        wire = wire_name(&salted, rule);
    }
    wire
}

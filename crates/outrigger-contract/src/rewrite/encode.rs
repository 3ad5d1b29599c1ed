//! From the canonical form to the projected one.

use super::Rewriter;
use crate::diagnose::{Data, Member, Value};
use crate::plan::Plan;
use crate::shape::{Additional, Kind, Node, Object, Tagging, Union};

impl<'a> Rewriter<'a> {
    pub(super) fn encode(&mut self, node: &'a Node, plan: Plan<'a>, value: &Value<'_>) {
        let kind = self.kind(node);
        match (kind, &value.data) {
            _ if plan.is_free() => self.copy(value),
            (Some(Kind::Enum(_)), _) => match plan.wire_value(value) {
                Some(text) => self.out.string(text),
                None => self.copy(value),
            },
            (Some(Kind::Array(rules)), Data::Array(items)) => {
                self.encode_items(items, |_| (&*rules.items, plan.child(0)));
            }
            (Some(Kind::Tuple(rules)), Data::Array(items)) => {
                let most = rules.items.len();
                let last = rules.rest.as_deref();
                self.encode_items(items, |index| {
                    let node = rules.items.get(index).or(last).unwrap_or(node);
                    (node, plan.child(index.min(most)))
                });
            }
            (Some(Kind::Object(rules)), Data::Object(members)) => {
                self.out.begin_object();
                self.encode_members(rules, plan, members, None);
                self.out.end_object();
            }
            (Some(Kind::Union(union)), _) => self.encode_union(union, plan, value),
            _ => self.copy(value),
        }
    }

    fn encode_items(&mut self, items: &[Value<'_>], of: impl Fn(usize) -> (&'a Node, Plan<'a>)) {
        self.out.begin_array();
        for (index, item) in items.iter().enumerate() {
            self.out.item();
            let (node, plan) = of(index);
            self.encode(node, plan, item);
        }
        self.out.end_array();
    }

    /// The members in the order of declaration; absent ones as `null` where that is how absence is written.
    fn encode_members(&mut self, rules: &'a Object, plan: Plan<'a>, members: &[Member<'_>], tag: Option<&str>) {
        for (index, property) in rules.properties.iter().enumerate() {
            let Some(name) = plan.wire_name(index, &property.name) else {
                continue;
            };
            let field = plan.field(index);
            match members.iter().find(|member| member.key == property.name) {
                Some(member) => {
                    self.out.key(name);
                    self.encode(&property.node, field.plan, &member.value);
                }
                None if field.null_is_absent => {
                    self.out.key(name);
                    self.out.null();
                }
                None => {}
            }
        }
        let declared = |key: &str| rules.properties.iter().any(|property| property.name == key);
        for member in members.iter().filter(|member| Some(&*member.key) != tag && !declared(&member.key)) {
            self.out.key(&member.key);
            match &rules.additional {
                Additional::Typed(node) => self.encode(node, plan.child(rules.properties.len()), &member.value),
                _ => self.copy(&member.value),
            }
        }
    }

    fn encode_union(&mut self, union: &'a Union, plan: Plan<'a>, value: &Value<'_>) {
        let (Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }) = &union.tagging else {
            return match self.branch_of(union, plan, value) {
                Some((index, branch)) => self.encode(&branch.node, plan.child(index), value),
                None => self.copy(value),
            };
        };
        let (Some((index, branch)), Data::Object(members)) = (self.tagged(union, tag, value), &value.data) else {
            return self.copy(value);
        };
        let plan = plan.child(index);
        self.out.begin_object();
        self.out.key(tag);
        self.out.string(&branch.name);
        match &union.tagging {
            Tagging::Adjacent { content, .. } => {
                if let Some(member) = members.iter().find(|member| member.key == *content) {
                    self.out.key(content);
                    self.encode(&branch.node, plan, &member.value);
                }
            }
            _ => {
                if let Some(Kind::Object(rules)) = self.kind(&branch.node) {
                    self.encode_members(rules, plan, members, Some(tag));
                }
            }
        }
        self.out.end_object();
    }
}

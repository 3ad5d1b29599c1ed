//! From the projected form back to the canonical one.

use super::Rewriter;
use crate::bind::Taken;
use crate::diagnose::{Data, Member, Value};
use crate::plan::Plan;
use crate::reader::integer_of;
use crate::shape::{Additional, Kind, Node, Object, Tagging, Union};

impl<'a> Rewriter<'a> {
    /// The whole document without what belongs to the caller.
    pub(super) fn decode_root(&mut self, root: &Value<'_>) -> Taken {
        let plan = Plan::root(self.wire);
        let wire = self.wire;
        let is_taken = |member: &&Member<'_>| wire.take.contains(&member.key);
        let Data::Object(members) = &root.data else {
            self.decode(&self.shape.root, plan, root);
            return Taken::default();
        };
        // `null` stands for an optional property that is absent, as everywhere.
        let given = members.iter().filter(is_taken).filter(|member| !matches!(member.value.data, Data::Null));
        let taken = given.map(|member| (&*member.key, member.value.raw)).collect();
        if members.iter().any(|member| is_taken(&member)) {
            let rest = members.iter().filter(|member| !is_taken(member)).cloned().collect();
            let rest = Value { data: Data::Object(rest), raw: root.raw };
            self.decode(&self.shape.root, plan, &rest);
        } else {
            self.decode(&self.shape.root, plan, root);
        }
        taken
    }

    fn decode(&mut self, node: &'a Node, plan: Plan<'a>, value: &Value<'_>) {
        match (self.kind(node), &value.data) {
            // `20.0` is the integer 20, and not every reader downstream knows that.
            (Some(Kind::Integer(_)), Data::Number(token)) => match integer_of(token) {
                Some(Some(int)) => self.out.integer(int),
                _ => self.copy(value),
            },
            (Some(Kind::Enum(_)), Data::String { text, .. }) => match plan.value_of(text) {
                Some(json) => self.out.raw(json),
                None => self.copy(value),
            },
            (Some(Kind::Array(rules)), Data::Array(items)) => {
                self.decode_items(items, |_| Some((&*rules.items, plan.child(0))));
            }
            (Some(Kind::Tuple(rules)), Data::Array(items)) => {
                let most = rules.items.len();
                let last = rules.rest.as_deref();
                self.decode_items(items, |index| Some((rules.items.get(index).or(last)?, plan.child(index.min(most)))));
            }
            (Some(Kind::Object(rules)), Data::Object(members)) => {
                self.out.begin_object();
                self.decode_members(rules, plan, members, None);
                self.out.end_object();
            }
            (Some(Kind::Union(union)), _) => self.decode_union(union, plan, value),
            _ => self.copy(value),
        }
    }

    fn decode_items(&mut self, items: &[Value<'_>], of: impl Fn(usize) -> Option<(&'a Node, Plan<'a>)>) {
        self.out.begin_array();
        for (index, item) in items.iter().enumerate() {
            self.out.item();
            match of(index) {
                Some((node, plan)) => self.decode(node, plan, item),
                None => self.copy(item),
            }
        }
        self.out.end_array();
    }

    fn decode_members(&mut self, rules: &'a Object, plan: Plan<'a>, members: &[Member<'_>], tag: Option<&str>) {
        let index_of = |key: &str| {
            let declared = rules.properties.iter().position(|property| property.name == key);
            plan.index(key, declared)
        };
        let by_index: Vec<_> = members.iter().map(|member| index_of(&member.key)).collect();
        for (index, property) in rules.properties.iter().enumerate() {
            let found = members.iter().zip(&by_index).find(|(_, own)| **own == Some(index));
            let Some((member, _)) = found else { continue };
            let field = plan.field(index);
            if field.null_is_absent && matches!(member.value.data, Data::Null) {
                continue;
            }
            self.out.key(&property.name);
            self.decode(&property.node, field.plan, &member.value);
        }
        for (member, _) in members.iter().zip(&by_index).filter(|(_, own)| own.is_none()) {
            if Some(&*member.key) == tag {
                continue;
            }
            self.misnamed |= rules.properties.iter().any(|property| property.name == member.key);
            self.out.key(&member.key);
            match &rules.additional {
                Additional::Typed(node) => self.decode(node, plan.child(rules.properties.len()), &member.value),
                _ => self.copy(&member.value),
            }
        }
    }

    fn decode_union(&mut self, union: &'a Union, plan: Plan<'a>, value: &Value<'_>) {
        let (Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }) = &union.tagging else {
            return match self.branch_of(union, plan, value) {
                Some((index, branch)) => self.decode(&branch.node, plan.child(index), value),
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
                for member in members.iter().filter(|member| member.key != *tag) {
                    self.out.key(&member.key);
                    if member.key == *content {
                        self.decode(&branch.node, plan, &member.value);
                    } else {
                        self.copy(&member.value);
                    }
                }
            }
            _ => {
                if let Some(Kind::Object(rules)) = self.kind(&branch.node) {
                    self.decode_members(rules, plan, members, Some(tag));
                }
            }
        }
        self.out.end_object();
    }
}

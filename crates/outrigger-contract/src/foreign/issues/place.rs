//! Places in a document: by their names on the wire, and in the order of the text.

use crate::diagnose::{self, Data, Value};
use crate::issue::Limits;
use crate::plan::{Plan, WirePlan};
use crate::reader::Reader;
use crate::shape::{Kind, Node, Object, Shape, Tagging};

/// A document that was sent, and the plan it was sent under.
pub(super) struct Places<'a> {
    shape: &'a Shape,
    plan: &'a WirePlan,
    root: Option<Value<'a>>,
}

impl<'a> Places<'a> {
    pub(super) fn new(shape: &'a Shape, plan: &'a WirePlan, text: &'a str, limits: &Limits) -> Self {
        let mut reader = Reader::new(text, plan, limits);
        Self { shape, plan, root: diagnose::parse(&mut reader).ok() }
    }

    /// A path into the canonical form as a path into what was sent.
    pub(super) fn on_the_wire(&self, path: &str) -> String {
        let mut out = String::with_capacity(path.len());
        let mut here = Some((&self.shape.root, Plan::root(self.plan)));
        for step in path.split('/').skip(1) {
            out.push('/');
            let name = step.replace("~1", "/").replace("~0", "~");
            let below = here.and_then(|(node, plan)| self.below(node, plan, &name));
            match below.as_ref().and_then(|(_, _, renamed)| *renamed) {
                Some(renamed) => out.push_str(&renamed.replace('~', "~0").replace('/', "~1")),
                None => out.push_str(step),
            }
            here = below.map(|(node, plan, _)| (node, plan));
        }
        out
    }

    fn below(&self, node: &'a Node, plan: Plan<'a>, step: &str) -> Option<(&'a Node, Plan<'a>, Option<&'a str>)> {
        match &self.shape.resolve(node)?.kind {
            Kind::Object(rules) => in_object(rules, plan, step),
            Kind::Array(rules) => Some((&rules.items, plan.child(0), None)),
            Kind::Tuple(rules) => {
                let index: usize = step.parse().ok()?;
                let node = rules.items.get(index).or(rules.rest.as_deref())?;
                Some((node, plan.child(index.min(rules.items.len())), None))
            }
            // The first branch that has such a place; names differ by their own names only.
            Kind::Union(union) if matches!(union.tagging, Tagging::Untagged) => {
                let mut branches = union.branches.iter().enumerate();
                branches.find_map(|(index, branch)| match branch.node.kind {
                    Kind::Ref(_) => None,
                    _ => self.below(&branch.node, plan.child(index), step),
                })
            }
            _ => None,
        }
    }

    /// Where a place stands in the text: the index of each step, what is missing last.
    pub(super) fn order(&self, path: &str) -> Vec<usize> {
        let mut order = Vec::new();
        let mut here = self.root.as_ref();
        for step in path.split('/').skip(1) {
            let name = step.replace("~1", "/").replace("~0", "~");
            let found = here.and_then(|value| match &value.data {
                Data::Object(members) => {
                    let at = members.iter().position(|member| member.key == name)?;
                    Some((at, members.get(at).map(|member| &member.value)))
                }
                Data::Array(items) => {
                    let at = name.parse().ok()?;
                    Some((at, items.get(at)))
                }
                _ => None,
            });
            order.push(found.map_or(usize::MAX, |(at, _)| at));
            here = found.and_then(|(_, value)| value);
        }
        order
    }
}

fn in_object<'a>(rules: &'a Object, plan: Plan<'a>, step: &str) -> Option<(&'a Node, Plan<'a>, Option<&'a str>)> {
    let index = rules.properties.iter().position(|property| property.name == step)?;
    let property = rules.properties.get(index)?;
    let name = plan.wire_name(index, &property.name);
    Some((&property.node, plan.field(index).plan, name))
}

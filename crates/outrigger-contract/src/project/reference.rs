//! References to definitions.

use super::LossKind;
use super::emit::{Draft, Emitter};
use super::schema::{Json, Schema};
use crate::plan::PlanNode;
use crate::profile::{AnyForm, ReferenceForm};
use crate::shape::{Kind, Tagging};

impl Emitter<'_> {
    /// Whether definitions are written out where they are used.
    pub(super) fn inlines(&self) -> bool {
        matches!(self.profile.references, ReferenceForm::Inline { .. })
    }

    /// A reference to a definition, or the definition itself at the place of use.
    pub(super) fn reference(&mut self, index: usize, plan: &mut PlanNode) -> Draft {
        let Some(def) = self.shape.defs.get(index) else {
            return self.any();
        };
        plan.reference = u32::try_from(index).ok();
        if let ReferenceForm::Inline { levels } = self.profile.references {
            return self.inline(index, levels);
        }
        self.define(index);
        // An unnamed definition could only be one that says nothing.
        if self.defs.get(index).and_then(Option::as_ref).is_none_or(|(schema, _)| self.is_settled(index, schema)) {
            return self.any();
        }
        let mut schema = Schema::default();
        schema.set("$ref", Json::String(format!("#/$defs/{}", pointer_escaped(&def.name))));
        schema.into()
    }

    /// Whether a definition has been written and says nothing.
    fn is_settled(&self, index: usize, schema: &Schema) -> bool {
        schema.0.is_empty() && !self.open.contains(&index)
    }

    fn inline(&mut self, index: usize, levels: u32) -> Draft {
        let open = self.open.iter().filter(|open| **open == index).count();
        let too_deep = u32::try_from(open).is_ok_and(|open| open >= levels);
        if too_deep || self.profile.limits.inlined.is_some_and(|most| self.nodes > most) {
            self.lose(LossKind::Described, if open > 0 { "recursion" } else { "a definition written out too often" });
            return self.another(index);
        }
        let shape = self.shape;
        let mut inner = PlanNode::default();
        self.open.push(index);
        let schema = shape.defs.get(index).map(|def| self.node(&def.node, &mut inner));
        self.open.pop();
        if let Some(slot @ None) = self.defs.get_mut(index) {
            *slot = Some((Schema::default(), inner));
        }
        schema.unwrap_or_default().into()
    }

    /// Where writing out ends: the name of the definition, and its type if that can be said.
    fn another(&self, index: usize) -> Draft {
        let Some(def) = self.shape.defs.get(index) else {
            return Draft::default();
        };
        let schema = match self.shape.resolve(&def.node).map(|node| &node.kind) {
            _ if self.profile.any == AnyForm::Untyped => Schema::default(),
            Some(Kind::Array(_) | Kind::Tuple(_)) => {
                let mut array = Schema::typed("array");
                array.set("items", Schema::typed("object").into());
                array
            }
            Some(Kind::Union(union)) if matches!(union.tagging, Tagging::Untagged) => Schema::typed("string"),
            Some(Kind::Bool) => Schema::typed("boolean"),
            Some(Kind::Integer(_)) => Schema::typed("integer"),
            Some(Kind::Number(_)) => Schema::typed("number"),
            Some(Kind::String(_) | Kind::Enum(_)) => Schema::typed("string"),
            _ => Schema::typed("object"),
        };
        Draft { schema, words: vec![format!("Another {}.", def.name)] }
    }

    fn define(&mut self, index: usize) {
        if !self.profile.recursion && self.open.contains(&index) {
            self.not_strict("recursion");
        }
        let Some(slot @ None) = self.defs.get_mut(index) else {
            return;
        };
        // Filled before its content, which refers back to it.
        *slot = Some((Schema::default(), PlanNode::default()));
        let shape = self.shape;
        let Some(def) = shape.defs.get(index) else {
            return;
        };
        let mut plan = PlanNode::default();
        self.open.push(index);
        let schema = self.node(&def.node, &mut plan);
        self.open.pop();
        if let Some(slot) = self.defs.get_mut(index) {
            *slot = Some((schema, plan));
        }
    }
}

fn pointer_escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

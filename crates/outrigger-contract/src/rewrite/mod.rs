//! Documents carried over from the canonical form to the form a projection asks for, and back, without a Rust type.
//!
//! Worked examples go out this way, and the arguments of tools that have a schema and no type come in. Native types are
//! read under their plan directly.

mod decode;
mod encode;

use crate::bind::{Taken, or_empty_object};
use crate::diagnose::{self, Data, Value};
use crate::issue::{BindError, Limits};
use crate::plan::{Plan, WirePlan};
use crate::prompts;
use crate::reader::Reader;
use crate::shape::{Branch, Kind, Node, Shape, Union};
use crate::writer::Writer;

/// A document in canonical form, and what the plan took out beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// Compact JSON, declared properties first and in the order of their declaration.
    pub json: String,
    /// The properties taken out.
    pub taken: Taken,
}

impl WirePlan {
    /// Writes a canonical document of this shape as the projected schema has it.
    ///
    /// # Errors
    ///
    /// If the text is no JSON.
    pub fn encode(&self, shape: &Shape, canonical: &str) -> Result<String, BindError> {
        let limits = Limits { depth: u32::MAX, text: usize::MAX };
        let free = Self::default();
        let mut reader = Reader::new(canonical, &free, &limits);
        let root = diagnose::parse(&mut reader).map_err(|refused| not_json(canonical, refused.at))?;
        let mut rewriter = Rewriter {
            shape,
            wire: self,
            out: Writer::default(),
            canonical: true,
            misnamed: false,
            fuel: diagnose::fuel_for(canonical),
        };
        rewriter.encode(&shape.root, Plan::root(self), &root);
        Ok(rewriter.out.finish())
    }

    /// Reads a document that follows the projected schema as the canonical one. What the plan does not speak of is left
    /// as it is, right or wrong.
    ///
    /// # Errors
    ///
    /// If the text is no JSON, too large or too deep, or not well formed in the ways that no schema can say.
    pub fn decode(&self, shape: &Shape, raw: &str, limits: &Limits) -> Result<Canonical, BindError> {
        diagnose::fits(raw, limits)?;
        let text = or_empty_object(raw);
        diagnose::check_form(text, self, limits)?;
        let mut reader = Reader::new(text, self, limits);
        let root = diagnose::parse(&mut reader).map_err(|refused| not_json(text, refused.at))?;
        let mut rewriter = Rewriter {
            shape,
            wire: self,
            out: Writer::default(),
            canonical: false,
            misnamed: false,
            fuel: diagnose::fuel_for(text),
        };
        let taken = rewriter.decode_root(&root);
        if rewriter.misnamed {
            diagnose::check(shape, text, self, limits)?;
        }
        Ok(Canonical { json: rewriter.out.finish(), taken })
    }
}

fn not_json(text: &str, at: usize) -> BindError {
    BindError::single(prompts::not_json(text, at))
}

/// Goes through a document beside its shape and its plan.
struct Rewriter<'a> {
    shape: &'a Shape,
    wire: &'a WirePlan,
    out: Writer,
    /// Whether the document is the canonical one.
    canonical: bool,
    /// Whether a property stands under a name that the plan has taken from it.
    misnamed: bool,
    /// How much may still be spent on finding branches.
    fuel: u32,
}

impl<'a> Rewriter<'a> {
    /// The branch of an untagged union that a value takes: the first that it fits.
    fn branch_of<'v>(&mut self, union: &'a Union, plan: Plan<'a>, value: &'v Value<'v>) -> Option<(usize, &'a Branch)>
    where
        'a: 'v,
    {
        let (shape, wire) = (self.shape, self.wire);
        let mut branches = union.branches.iter().enumerate();
        branches.find(|(index, branch)| {
            let plan = if self.canonical { Plan::FREE } else { plan.child(*index) };
            diagnose::is_valid(shape, wire, (&branch.node, plan), value, &mut self.fuel)
        })
    }

    /// The branch that a tag names, wherever it stands.
    fn tagged<'v>(&self, union: &'a Union, tag: &str, value: &'v Value<'v>) -> Option<(usize, &'a Branch)> {
        let Data::Object(members) = &value.data else {
            return None;
        };
        let name = members.iter().find(|member| member.key == tag)?;
        let Data::String { text, .. } = &name.value.data else {
            return None;
        };
        union.branches.iter().enumerate().find(|(_, branch)| branch.name == *text)
    }

    fn kind(&self, node: &'a Node) -> Option<&'a Kind> {
        self.shape.resolve(node).map(|node| &node.kind)
    }

    /// Writes a value as it is.
    fn copy(&mut self, value: &Value<'_>) {
        match &value.data {
            Data::Array(items) => {
                self.out.begin_array();
                for item in items {
                    self.out.item();
                    self.copy(item);
                }
                self.out.end_array();
            }
            Data::Object(members) => {
                self.out.begin_object();
                for member in members {
                    self.out.key(&member.key);
                    self.copy(&member.value);
                }
                self.out.end_object();
            }
            _ => self.out.raw(value.raw),
        }
    }
}

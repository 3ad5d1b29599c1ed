//! Wire plans: how a document that follows a projected schema is read back as the canonical one.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::diagnose::{self, Value};

/// What a projection changed, for the binder to undo. The default plan changes nothing and costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WirePlan {
    /// Properties of the root that belong to the caller, not to the type: they are taken out and handed back as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub take: Vec<Cow<'static, str>>,
    /// Changes at the root and below.
    #[serde(skip_serializing_if = "PlanNode::is_empty")]
    pub root: PlanNode,
    /// Changes inside the shape's definitions, by their index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defs: Vec<PlanNode>,
}

/// Changes at one node of the shape. Children are by index: an object's properties as declared, a union's branches, a
/// tuple's positions, and 0 for the items of an array or the values of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanNode {
    /// The children that differ, in order of index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<PlanChild>,
    /// Set where the shape has a reference: go on in that definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<u32>,
    /// Enumeration values that are written as strings: the string, and the value as JSON text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(Cow<'static, str>, Cow<'static, str>)>,
}

/// Changes of one child of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanChild {
    /// Which child.
    pub index: u32,
    /// A property's name on the wire.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Cow<'static, str>>,
    /// `null` means that the property is absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub null_is_absent: bool,
    /// The property is not in the schema, and unknown to the binder.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Changes below.
    #[serde(skip_serializing_if = "PlanNode::is_empty")]
    pub node: PlanNode,
}

impl PlanNode {
    /// Whether nothing changes here or below.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.children.is_empty() && self.reference.is_none() && self.values.is_empty()
    }
}

/// Where in a plan the binder stands. Without changes it is nothing, and costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'p>(Option<(&'p WirePlan, &'p PlanNode)>);

/// What a plan says about one property.
#[derive(Clone, Copy, Debug)]
pub struct PlanField<'p> {
    /// Changes below the property.
    pub plan: Plan<'p>,
    /// `null` means that the property is absent.
    pub null_is_absent: bool,
}

impl<'p> Plan<'p> {
    /// No changes.
    pub const FREE: Self = Self(None);

    /// The start of a plan.
    #[must_use]
    pub fn root(wire: &'p WirePlan) -> Self {
        Self::at(wire, &wire.root)
    }

    /// Whether nothing changes here or below.
    #[must_use]
    pub fn is_free(self) -> bool {
        self.0.is_none()
    }

    /// Changes below the child with this index.
    #[inline]
    #[must_use]
    pub fn child(self, index: usize) -> Self {
        match self.0 {
            None => Self::FREE,
            Some(_) => self.field(index).plan,
        }
    }

    /// What the plan says about the property with this index.
    #[inline]
    #[must_use]
    pub fn field(self, index: usize) -> PlanField<'p> {
        let found = self.0.and_then(|(wire, node)| Some((wire, node.child(index)?)));
        match found {
            None => PlanField { plan: Self::FREE, null_is_absent: false },
            Some((wire, child)) => {
                PlanField { plan: Self::at(wire, &child.node), null_is_absent: child.null_is_absent }
            }
        }
    }

    /// The index of the property that has this name on the wire, given the index it has in the canonical form.
    #[inline]
    #[must_use]
    pub fn index(self, name: &str, canonical: Option<usize>) -> Option<usize> {
        match self.0 {
            None => canonical,
            Some((_, node)) => node.index(name, canonical),
        }
    }

    /// The name a property has on the wire, if the plan gives it another; `None` inside if it is hidden.
    pub(crate) fn wire_name(self, index: usize, canonical: &'p str) -> Option<&'p str> {
        match self.0.and_then(|(_, node)| node.child(index)) {
            Some(child) if child.hidden => None,
            Some(child) => Some(child.name.as_deref().unwrap_or(canonical)),
            None => Some(canonical),
        }
    }

    /// The value as JSON text that a string stands for here.
    pub(crate) fn value_of(self, text: &str) -> Option<&'p str> {
        let (_, node) = self.0?;
        let (_, json) = node.values.iter().find(|(wire, _)| wire == text)?;
        Some(json)
    }

    /// The string that stands for a value here.
    pub(crate) fn wire_value(self, value: &Value<'_>) -> Option<&'p str> {
        let (_, node) = self.0?;
        let identity = value.identity();
        let (text, _) = node.values.iter().find(|(_, json)| diagnose::identity(json).as_ref() == Some(&identity))?;
        Some(text)
    }

    fn at(wire: &'p WirePlan, node: &'p PlanNode) -> Self {
        let node = match node.reference {
            Some(index) => usize::try_from(index).ok().and_then(|index| wire.defs.get(index)).unwrap_or(node),
            None => node,
        };
        if node.is_empty() { Self::FREE } else { Self(Some((wire, node))) }
    }
}

impl PlanNode {
    fn child(&self, index: usize) -> Option<&PlanChild> {
        let index = u32::try_from(index).ok()?;
        self.children.iter().find(|child| child.index == index)
    }

    fn index(&self, name: &str, canonical: Option<usize>) -> Option<usize> {
        let renamed = self.children.iter().find(|child| !child.hidden && child.name.as_deref() == Some(name));
        if let Some(child) = renamed {
            return usize::try_from(child.index).ok();
        }
        let index = canonical?;
        match self.child(index) {
            Some(child) if child.hidden || child.name.is_some() => None,
            _ => Some(index),
        }
    }
}

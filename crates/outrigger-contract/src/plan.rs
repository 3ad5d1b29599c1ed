//! Wire plans: how a document that follows a projected schema is read back as the canonical one.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

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

//! How large a schema grows, counted while it is written.

use crate::profile::SchemaLimits;

/// The sizes that profiles limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    depth: u32,
    deepest: u32,
    properties: u32,
    values: u32,
    text: u32,
}

impl Sizes {
    /// Enters a node: one level of nesting.
    pub(super) fn enter(&mut self) {
        self.depth = self.depth.saturating_add(1);
        self.deepest = self.deepest.max(self.depth);
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(super) fn property(&mut self, name: &str) {
        self.properties = self.properties.saturating_add(1);
        self.add_text(name);
    }

    pub(super) fn value(&mut self, text: &str) {
        self.values = self.values.saturating_add(1);
        self.add_text(text);
    }

    /// The first limit that is passed, if one is.
    pub(super) fn beyond(&self, limits: &SchemaLimits) -> Option<&'static str> {
        let passed = |size: u32, limit: Option<u32>| limit.is_some_and(|limit| size > limit);
        if passed(self.deepest, limits.depth) {
            Some("nesting depth")
        } else if passed(self.properties, limits.properties) {
            Some("number of properties")
        } else if passed(self.values, limits.enum_values) {
            Some("number of enumeration values")
        } else if passed(self.text, limits.text) {
            Some("length of names and values")
        } else {
            None
        }
    }

    fn add_text(&mut self, text: &str) {
        let len = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        self.text = self.text.saturating_add(len);
    }
}

//! The rules of one field.

use std::cmp::Ordering;

use proc_macro2::Span;
use syn::{LitInt, LitStr};

/// Rules as they were written.
#[derive(Default)]
pub(super) struct Rules {
    pub(super) min: Option<Bound>,
    pub(super) max: Option<Bound>,
    pub(super) exclusive_min: Option<Bound>,
    pub(super) exclusive_max: Option<Bound>,
    pub(super) multiple_of: Option<Bound>,
    pub(super) min_len: Option<LitInt>,
    pub(super) max_len: Option<LitInt>,
    pub(super) min_items: Option<LitInt>,
    pub(super) max_items: Option<LitInt>,
    pub(super) pattern: Option<LitStr>,
    pub(super) format: Option<LitStr>,
    pub(super) unique: Option<Span>,
}

/// A number that was written as a bound.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    Int { negative: bool, magnitude: u128, span: Span },
    Float { value: f64, span: Span },
}

impl Bound {
    pub(super) fn span(self) -> Span {
        match self {
            Self::Int { span, .. } | Self::Float { span, .. } => span,
        }
    }

    #[allow(clippy::cast_precision_loss)]
    pub(super) fn value(self) -> f64 {
        match self {
            Self::Int { negative: true, magnitude, .. } => -(magnitude as f64),
            Self::Int { magnitude, .. } => magnitude as f64,
            Self::Float { value, .. } => value,
        }
    }

    /// The order of two bounds; exact for integers.
    pub(super) fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int { negative: false, magnitude: a, .. }, Self::Int { negative: false, magnitude: b, .. }) => {
                Some(a.cmp(&b))
            }
            _ => self.value().partial_cmp(&other.value()),
        }
    }
}

impl Rules {
    /// The bounds, if there are any, in the order of the fields of `Bounds`.
    pub(super) fn bounds(&self) -> [(&'static str, Option<Bound>); 5] {
        [
            ("min", self.min),
            ("max", self.max),
            ("exclusive_min", self.exclusive_min),
            ("exclusive_max", self.exclusive_max),
            ("multiple_of", self.multiple_of),
        ]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bounds().iter().all(|(_, bound)| bound.is_none())
            && self.min_len.is_none()
            && self.max_len.is_none()
            && self.min_items.is_none()
            && self.max_items.is_none()
            && self.pattern.is_none()
            && self.format.is_none()
            && self.unique.is_none()
    }
}

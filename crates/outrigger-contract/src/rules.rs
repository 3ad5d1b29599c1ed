//! The rules of `#[arg(...)]`: how a value is held against them, and how they stand in a shape. The derive macro
//! generates calls of these.

use crate::Code;
mod types;

use crate::contract::{Contract, encode};
use crate::format::known_format;
use crate::shape::{Bounds, Check, Int, Kind, Node, Pattern};

/// A number that bounds can be set to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no order, so `min`, `max` and `multiple_of` mean nothing for it",
    label = "not a number",
    note = "for the length of a string use `min_len` and `max_len`, for the length of an array `min_items` and `max_items`"
)]
pub trait Numeric {
    /// Whether the value keeps to bounds that were written as integers.
    fn keeps(&self, bounds: &Bounds<Int>) -> bool;
}

/// A number that bounds with fractions can be set to.
#[diagnostic::on_unimplemented(
    message = "a bound with a fraction means nothing for `{Self}`",
    label = "not a float",
    note = "write the bound as an integer"
)]
pub trait Fractional {
    /// Whether the value keeps to bounds that were written as floats.
    fn keeps_fractions(&self, bounds: &Bounds<f64>) -> bool;
}

/// Text that has a length, a pattern or a format.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no text, so `min_len`, `max_len`, `pattern` and `format` mean nothing for it",
    label = "not text",
    note = "for the length of an array use `min_items` and `max_items`"
)]
pub trait Textual {
    /// Whether the text, if there is one, passes.
    fn text_passes(&self, test: impl FnOnce(&str) -> bool) -> bool;
}

/// An array that has a length.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array, so `min_items` and `max_items` mean nothing for it",
    label = "not an array",
    note = "for the length of a string use `min_len` and `max_len`"
)]
pub trait Counted {
    /// The number of items, if there is an array.
    fn count(&self) -> Option<usize>;
}

/// An array whose items can be held to differ.
#[diagnostic::on_unimplemented(
    message = "`unique` means nothing for `{Self}`",
    label = "not a `Vec` or `VecDeque`",
    note = "sets refuse duplicates by themselves"
)]
pub trait Repeating {
    /// Whether all items differ.
    fn all_differ(&self) -> bool;
}

/// A type that a string literal can be a default or an example of.
#[diagnostic::on_unimplemented(message = "a string is no value of `{Self}`", label = "a string stands here")]
pub trait FromLiteral {
    /// The value.
    fn from_literal(text: &'static str) -> Self;
}

/// Holds a number against integer bounds.
///
/// # Errors
///
/// If it is outside.
#[inline]
pub fn bounded<T: Numeric>(value: &T, bounds: &Bounds<Int>) -> Result<(), Code> {
    ok_if(value.keeps(bounds), Code::Range)
}

/// Holds a number against float bounds.
///
/// # Errors
///
/// If it is outside.
#[inline]
pub fn bounded_by_floats<T: Fractional>(value: &T, bounds: &Bounds<f64>) -> Result<(), Code> {
    ok_if(value.keeps_fractions(bounds), Code::Range)
}

/// Holds a text against bounds of its length.
///
/// # Errors
///
/// If it is too short or too long.
pub fn length<T: Textual>(value: &T, min: Option<u64>, max: Option<u64>) -> Result<(), Code> {
    let fits = value.text_passes(|text| between(text.chars().count(), min, max));
    ok_if(fits, Code::Length)
}

/// Holds a text against a pattern.
///
/// # Errors
///
/// If it does not match.
pub fn matching<T: Textual>(value: &T, pattern: &Pattern) -> Result<(), Code> {
    ok_if(value.text_passes(|text| pattern.is_match(text)), Code::Pattern)
}

/// Holds a text against a format.
///
/// # Errors
///
/// If it is not in it.
pub fn formatted<T: Textual>(value: &T, check: Check) -> Result<(), Code> {
    ok_if(value.text_passes(check.accepts), Code::Format)
}

/// Holds an array against bounds of its length.
///
/// # Errors
///
/// If it is too short or too long.
pub fn counted<T: Counted>(value: &T, min: Option<u64>, max: Option<u64>) -> Result<(), Code> {
    let fits = value.count().is_none_or(|count| between(count, min, max));
    ok_if(fits, Code::Items)
}

/// Holds the items of an array against each other.
///
/// # Errors
///
/// If two are equal.
pub fn unique<T: Repeating>(value: &T) -> Result<(), Code> {
    ok_if(value.all_differ(), Code::Unique)
}

fn ok_if(fits: bool, code: Code) -> Result<(), Code> {
    if fits { Ok(()) } else { Err(code) }
}

fn between(count: usize, min: Option<u64>, max: Option<u64>) -> bool {
    let count = count as u64;
    min.is_none_or(|min| count >= min) && max.is_none_or(|max| count <= max)
}

/// Puts rules into the shape of the value they are for.
pub trait Constrain: Sized {
    /// Integer bounds.
    #[must_use]
    fn with_bounds(self, bounds: &Bounds<Int>) -> Self;
    /// Float bounds.
    #[must_use]
    fn with_float_bounds(self, bounds: &Bounds<f64>) -> Self;
    /// Bounds of a text's length.
    #[must_use]
    fn with_length(self, min: Option<u64>, max: Option<u64>) -> Self;
    /// A pattern.
    #[must_use]
    fn with_pattern(self, pattern: &Pattern) -> Self;
    /// A format that can be checked.
    #[must_use]
    fn with_format(self, name: &'static str) -> Self;
    /// Bounds of an array's length.
    #[must_use]
    fn with_items(self, min: Option<u64>, max: Option<u64>) -> Self;
    /// All items differ.
    #[must_use]
    fn with_unique(self) -> Self;
    /// The value of an absent property.
    #[must_use]
    fn with_default<T: Contract>(self, value: &T) -> Self;
    /// A value worth showing.
    #[must_use]
    fn with_example<T: Contract>(self, value: &T) -> Self;
}

impl Constrain for Node {
    fn with_bounds(mut self, bounds: &Bounds<Int>) -> Self {
        match &mut self.kind {
            Kind::Integer(rules) => rules.bounds = *bounds,
            Kind::Number(rules) => rules.bounds = bounds.map(Int::to_f64),
            _ => {}
        }
        self
    }

    fn with_float_bounds(mut self, bounds: &Bounds<f64>) -> Self {
        if let Kind::Number(rules) = &mut self.kind {
            rules.bounds = *bounds;
        }
        self
    }

    fn with_length(mut self, min: Option<u64>, max: Option<u64>) -> Self {
        if let Kind::String(rules) = &mut self.kind {
            (rules.min_len, rules.max_len) = (min, max);
        }
        self
    }

    fn with_pattern(mut self, pattern: &Pattern) -> Self {
        if let Kind::String(rules) = &mut self.kind {
            rules.pattern = Some(pattern.clone());
        }
        self
    }

    fn with_format(mut self, name: &'static str) -> Self {
        if let Kind::String(rules) = &mut self.kind {
            rules.format = Some(name.into());
            rules.check = known_format(name);
        }
        self
    }

    fn with_items(mut self, min: Option<u64>, max: Option<u64>) -> Self {
        if let Kind::Array(rules) = &mut self.kind {
            (rules.min_items, rules.max_items) = (min, max);
        }
        self
    }

    fn with_unique(mut self) -> Self {
        if let Kind::Array(rules) = &mut self.kind {
            rules.unique = true;
        }
        self
    }

    fn with_default<T: Contract>(mut self, value: &T) -> Self {
        self.default = Some(encode(value).into());
        self
    }

    fn with_example<T: Contract>(mut self, value: &T) -> Self {
        self.examples.push(encode(value).into());
        self
    }
}

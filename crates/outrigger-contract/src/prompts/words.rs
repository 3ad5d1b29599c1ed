//! Shapes in words.

use std::fmt::Display;

use super::quoted;
use crate::shape::{
    Array, Bounds, EnumValue, Int, Integer, Kind, Literal, Node, Number, Object, Pattern, Shape, StringRules, Tagging,
    Tuple, Union,
};

/// Alternatives that are listed one by one; of more only the first are.
const LISTED: usize = 20;

/// Says what a node expects.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    shape: &'a Shape,
}

impl<'a> Words<'a> {
    pub(crate) fn new(shape: &'a Shape) -> Self {
        Self { shape }
    }

    pub(crate) fn expected(self, node: &Node) -> String {
        let Some(node) = self.shape.resolve(node) else {
            return "any value".to_owned();
        };
        match &node.kind {
            Kind::Any | Kind::Ref(_) => "any value".to_owned(),
            Kind::Null => "null".to_owned(),
            Kind::Bool => "true or false".to_owned(),
            Kind::Integer(rules) => integer_words(rules, false),
            Kind::Number(rules) => number_words(rules),
            Kind::String(rules) => string_words(rules),
            Kind::Enum(values) => one_of(values),
            Kind::Array(rules) => array_words(rules),
            Kind::Tuple(rules) => tuple_words(rules),
            Kind::Object(rules) => object_words(rules),
            Kind::Union(union) => self.union(union),
        }
    }

    pub(crate) fn union(self, union: &Union) -> String {
        match &union.tagging {
            Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
                let names = union.branches.iter().map(|branch| quoted(&branch.name));
                alternatives(&format!("an object whose {} is ", quoted(tag)), names)
            }
            Tagging::Untagged => {
                let mut branches: Vec<String> = Vec::new();
                for branch in union.branches.iter().take(LISTED) {
                    let words = match &branch.node.kind {
                        // A branch that refers back to this union would never end.
                        Kind::Ref(_) => quoted(&branch.name),
                        _ => self.expected(&branch.node),
                    };
                    if !branches.contains(&words) {
                        branches.push(words);
                    }
                }
                branches.join(", or ")
            }
        }
    }
}

/// `one of "a", "b"`; a single value stands alone.
pub(crate) fn one_of(values: &[EnumValue]) -> String {
    let prefix = if values.len() == 1 { "" } else { "one of " };
    alternatives(
        prefix,
        values.iter().map(|known| match &known.value {
            Literal::String(text) => quoted(text),
            other => super::cut(&other.to_json()),
        }),
    )
}

pub(super) fn alternatives(prefix: &str, names: impl Iterator<Item = String>) -> String {
    let names: Vec<_> = names.collect();
    let mut out = prefix.to_owned();
    out.push_str(&names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", "));
    if names.len() > LISTED {
        out.push_str(&format!(" and {} more", names.len() - LISTED));
    }
    out
}

/// `an integer from 1 to 10`. Bounds of wide types are named only if `wide` asks for them.
pub(crate) fn integer_words(rules: &Integer, wide: bool) -> String {
    let far = |bound: &Int| wide || bound.magnitude() <= u128::from(u32::MAX);
    let range = rules.range.filter(|_| true);
    let type_min = range.map(|(min, _)| min).filter(far);
    let type_max = range.map(|(_, max)| max).filter(far);
    let bounds = Bounds { min: rules.bounds.min.max(type_min), max: least(rules.bounds.max, type_max), ..rules.bounds };
    let mut words = format!("an integer{}", bound_words(&bounds));
    if rules.non_zero && bounds.min.is_none_or(|min| min <= Int::ZERO) {
        words.push_str(", not 0");
    }
    words
}

pub(crate) fn number_words(rules: &Number) -> String {
    format!("a finite number{}", bound_words(&rules.bounds))
}

fn least(a: Option<Int>, b: Option<Int>) -> Option<Int> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// ` from 1 to 10`, ` of at least 1`, ` above 0 and below 1`, ` that is a multiple of 5`.
pub(crate) fn bound_words<T: Display>(bounds: &Bounds<T>) -> String {
    let mut parts = Vec::new();
    match (&bounds.min, &bounds.max) {
        (Some(min), Some(max)) => parts.push(format!("from {min} to {max}")),
        (Some(min), None) => parts.push(format!("of at least {min}")),
        (None, Some(max)) => parts.push(format!("of at most {max}")),
        (None, None) => {}
    }
    if let Some(min) = &bounds.exclusive_min {
        parts.push(format!("above {min}"));
    }
    if let Some(max) = &bounds.exclusive_max {
        parts.push(format!("below {max}"));
    }
    if let Some(factor) = &bounds.multiple_of {
        parts.push(format!("that is a multiple of {factor}"));
    }
    if parts.is_empty() { String::new() } else { format!(" {}", parts.join(" and ")) }
}

fn string_words(rules: &StringRules) -> String {
    if let Some(check) = rules.check {
        return check.expected.to_owned();
    }
    let mut words =
        if rules.min_len.is_some() || rules.max_len.is_some() { string_length(rules) } else { "a string".to_owned() };
    if let Some(format) = &rules.format {
        words.push_str(&format!(" in the format {}", quoted(format)));
    }
    if let Some(pattern) = &rules.pattern {
        words.push_str(&format!(" matching /{}/", pattern.source()));
    }
    words
}

pub(crate) fn string_length(rules: &StringRules) -> String {
    format!("a string{}", count_words(rules.min_len, rules.max_len, "character"))
}

pub(crate) fn matching(pattern: &Pattern) -> String {
    format!("a string matching /{}/", pattern.source())
}

pub(crate) fn array_words(rules: &Array) -> String {
    format!("an array{}", count_words(rules.min_items, rules.max_items, "item"))
}

pub(crate) fn tuple_words(rules: &Tuple) -> String {
    let most = rules.items.len() as u64;
    let max = rules.rest.is_none().then_some(most);
    format!("an array{}", count_words(Some(rules.min_items), max, "item"))
}

pub(crate) fn property_count(rules: &Object) -> String {
    let words = count_words(rules.min_properties, rules.max_properties, "property");
    format!("an object{}", words.replace("propertys", "properties"))
}

fn object_words(rules: &Object) -> String {
    let required = rules.properties.iter().filter(|property| property.required);
    let names: Vec<_> = required.map(|property| quoted(&property.name)).collect();
    match names.as_slice() {
        [] => "an object".to_owned(),
        _ => alternatives("an object with ", names.into_iter()),
    }
}

/// ` of 1 item`, ` of 1 to 5 items`, ` of at least 2 items`.
pub(crate) fn count_words(min: Option<u64>, max: Option<u64>, noun: &str) -> String {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    match (min.filter(|min| *min > 0), max) {
        (None, None) => String::new(),
        (Some(min), Some(max)) if min == max => format!(" of {min} {noun}{}", plural(min)),
        (Some(min), Some(max)) => format!(" of {min} to {max} {noun}{}", plural(max)),
        (Some(min), None) => format!(" of at least {min} {noun}{}", plural(min)),
        (None, Some(max)) => format!(" of at most {max} {noun}{}", plural(max)),
    }
}

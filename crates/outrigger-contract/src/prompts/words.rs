//! Shapes in words.

use std::fmt::{Display, Write as _};

use super::{push_quoted, quoted};
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
                let names = union.branches.iter().map(|branch| &*branch.name);
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
    let mut out = String::from(if values.len() == 1 { "" } else { "one of " });
    list(&mut out, values.iter(), |out, known| match &known.value {
        Literal::String(text) => push_quoted(out, text),
        other => out.push_str(&super::cut(&other.to_json())),
    });
    out
}

/// Names in quotes, one after the other.
pub(super) fn alternatives<'a>(prefix: &str, names: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::from(prefix);
    list(&mut out, names, push_quoted);
    out
}

/// Values as they are written, one after the other.
#[cfg(feature = "foreign")]
pub(super) fn values(prefix: &str, texts: impl Iterator<Item = String>) -> String {
    let mut out = String::from(prefix);
    list(&mut out, texts, |out, text| out.push_str(&text));
    out
}

fn list<T>(out: &mut String, items: impl Iterator<Item = T>, push: impl Fn(&mut String, T)) {
    let mut more = 0_usize;
    for (index, item) in items.enumerate() {
        if index >= LISTED {
            more += 1;
            continue;
        }
        if index > 0 {
            out.push_str(", ");
        }
        push(out, item);
    }
    if more > 0 {
        out.push_str(&format!(" and {more} more"));
    }
}

/// `an integer from 1 to 10`. Bounds of wide types are named only if `wide` asks for them.
pub(crate) fn integer_words(rules: &Integer, wide: bool) -> String {
    let far = |bound: &Int| wide || bound.magnitude() <= u128::from(u32::MAX);
    let type_min = rules.range.map(|(min, _)| min).filter(far);
    let type_max = rules.range.map(|(_, max)| max).filter(far);
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
    let mut words = String::new();
    let mut add = |part: std::fmt::Arguments<'_>| {
        words.push_str(if words.is_empty() { " " } else { " and " });
        // Writing to a `String` cannot fail.
        let _ = words.write_fmt(part);
    };
    match (&bounds.min, &bounds.max) {
        (Some(min), Some(max)) => add(format_args!("from {min} to {max}")),
        (Some(min), None) => add(format_args!("of at least {min}")),
        (None, Some(max)) => add(format_args!("of at most {max}")),
        (None, None) => {}
    }
    if let Some(min) = &bounds.exclusive_min {
        add(format_args!("above {min}"));
    }
    if let Some(max) = &bounds.exclusive_max {
        add(format_args!("below {max}"));
    }
    if let Some(factor) = &bounds.multiple_of {
        add(format_args!("that is a multiple of {factor}"));
    }
    words
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
    let mut names = required.map(|property| &*property.name).peekable();
    match names.peek() {
        None => "an object".to_owned(),
        Some(_) => alternatives("an object with ", names),
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

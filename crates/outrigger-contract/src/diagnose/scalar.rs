//! Strings, numbers and enumerations.

use super::nearest::nearest;
use super::tree::{Data, Value};
use super::walk::Walker;
use crate::issue::Code;
use crate::plan::Plan;
use crate::prompts;
use crate::reader::{integer_of, number_of};
use crate::shape::{Bounds, EnumValue, Integer, Kind, Literal, Node, Number, StringRules};

impl<'a> Walker<'a> {
    pub(super) fn check_string(&mut self, rules: &StringRules, text: &str, lone_surrogate: bool, value: &Value<'_>) {
        if lone_surrogate {
            return self.surrogate(value);
        }
        if let Some(check) = rules.check
            && !(check.accepts)(text)
        {
            self.report(Code::Format, check.expected.to_owned(), value, None);
        }
        if rules.min_len.is_some() || rules.max_len.is_some() {
            let len = text.chars().count() as u64;
            if rules.min_len.is_some_and(|min| len < min) || rules.max_len.is_some_and(|max| len > max) {
                let hint = Some(prompts::has_characters(len));
                self.report(Code::Length, prompts::string_length(rules), value, hint);
            }
        }
        if let Some(pattern) = &rules.pattern
            && !pattern.is_match(text)
        {
            self.report(Code::Pattern, prompts::matching(pattern), value, None);
        }
    }

    pub(super) fn surrogate(&mut self, value: &Value<'_>) {
        self.report(Code::Surrogate, prompts::WELL_FORMED.to_owned(), value, None);
    }

    pub(super) fn check_integer(&mut self, rules: &Integer, token: &str, value: &Value<'_>) {
        match integer_of(token) {
            None => {
                let expected = prompts::integer_words(rules, false);
                self.report(Code::Type, expected, value, Some(prompts::NO_FRACTION.to_owned()));
            }
            Some(Some(int))
                if rules.range.is_none_or(|(min, max)| min <= int && int <= max)
                    && !(rules.non_zero && int == crate::Int::ZERO)
                    && within(&rules.bounds, int)
                    && rules.bounds.multiple_of.is_none_or(|factor| int.is_multiple_of(factor)) => {}
            Some(_) => {
                let expected = prompts::integer_words(rules, true);
                self.report(Code::Range, expected, value, None);
            }
        }
    }

    pub(super) fn check_number(&mut self, rules: &Number, token: &str, value: &Value<'_>) {
        let fits = number_of(token).is_some_and(|number| {
            (!rules.single || number.abs() <= f64::from(f32::MAX))
                && within(&rules.bounds, number)
                && rules.bounds.multiple_of.is_none_or(|factor| is_multiple(number, factor))
        });
        if !fits {
            self.report(Code::Range, prompts::number_words(rules), value, None);
        }
    }

    pub(super) fn check_enum(&mut self, values: &'a [EnumValue], plan: Plan<'a>, value: &'a Value<'a>) {
        if let Data::String { lone_surrogate: true, .. } = value.data {
            return self.surrogate(value);
        }
        if values.iter().any(|known| means(&known.value, plan, value)) {
            return self.check_free(value);
        }
        let expected = prompts::one_of(values);
        match &value.data {
            Data::Null => self.report(Code::Null, expected, value, None),
            Data::String { text, .. } => {
                let names = values.iter().filter_map(|known| match &known.value {
                    Literal::String(name) => Some(&**name),
                    _ => None,
                });
                let hint = nearest(text, names).map(prompts::did_you_mean);
                self.report(Code::Enum, expected, value, hint);
            }
            _ if values.iter().all(|known| matches!(known.value, Literal::String(_))) => {
                self.report(Code::Type, expected, value, None);
            }
            _ => self.report(Code::Enum, expected, value, None),
        }
    }
}

pub(crate) fn within<T: PartialOrd + Copy>(bounds: &Bounds<T>, value: T) -> bool {
    bounds.min.is_none_or(|min| value >= min)
        && bounds.max.is_none_or(|max| value <= max)
        && bounds.exclusive_min.is_none_or(|min| value > min)
        && bounds.exclusive_max.is_none_or(|max| value < max)
}

/// Whether a float is a multiple of a factor, as far as floats can tell.
pub(crate) fn is_multiple(value: f64, factor: f64) -> bool {
    let quotient = value / factor;
    (quotient - quotient.round()).abs() <= 1e-9 * quotient.abs().max(1.0)
}

/// Whether a value is this literal, or the string that stands for it on the wire.
fn means(literal: &Literal, plan: Plan<'_>, value: &Value<'_>) -> bool {
    match (literal, &value.data) {
        (Literal::Null, Data::Null) => true,
        (Literal::Bool(a), Data::Bool(b)) => a == b,
        (Literal::Integer(a), Data::Number(token)) => integer_of(token) == Some(Some(*a)),
        (Literal::String(a), Data::String { text, .. }) => a == text,
        (literal, Data::String { text, .. }) => {
            plan.value_of(text).is_some_and(|json| super::identity(json) == super::identity(&literal.to_json()))
        }
        (Literal::Json(json), _) => super::identity(json) == Some(value.identity()),
        _ => false,
    }
}

/// What people and models do instead, and how to mend it.
pub(super) fn type_hint(node: &Node, value: &Value<'_>) -> Option<String> {
    match (&node.kind, &value.data) {
        (Kind::Integer(_), Data::String { text, .. }) if integer_of_text(text) => Some(prompts::without_quotes(text)),
        (Kind::Number(_), Data::String { text, .. }) if number_of_text(text) => Some(prompts::without_quotes(text)),
        (Kind::Bool, Data::String { text, .. }) if text == "true" || text == "false" => {
            Some(prompts::without_quotes(text))
        }
        (Kind::String(rules), Data::Number(token)) => Some(match rules.check {
            Some(check) => prompts::write_as(check.expected),
            None => prompts::with_quotes(token),
        }),
        (Kind::Object(_), Data::String { text, .. }) if text.trim_start().starts_with('{') => {
            Some(prompts::NOT_AS_STRING.to_owned())
        }
        (Kind::Array(_) | Kind::Tuple(_), Data::String { text, .. }) if text.trim_start().starts_with('[') => {
            Some(prompts::NOT_AS_STRING.to_owned())
        }
        (Kind::Array(_), Data::String { .. } | Data::Number(_) | Data::Bool(_) | Data::Object(_)) => {
            Some(prompts::IN_BRACKETS.to_owned())
        }
        _ => None,
    }
}

fn number_of_text(text: &str) -> bool {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && number_of(text).is_some()
}

fn integer_of_text(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

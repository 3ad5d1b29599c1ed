//! Walking a document beside its shape.

use std::collections::HashSet;

use super::nearest::{nearest, same_but_case};
use super::tree::{Data, Member, Value};
use crate::issue::{BindError, Code, Issue};
use crate::plan::{Plan, WirePlan};
use crate::prompts::{self, Words};
use crate::reader::{integer_of, number_of};
use crate::shape::{
    Additional, Array, Bounds, EnumValue, Integer, Kind, Literal, Node, Number, Object, Shape, StringRules, Tagging,
    Tuple, Union,
};

/// Collects the problems of one document.
pub(super) struct Walker<'a> {
    pub(super) shape: &'a Shape,
    pub(super) wire: &'a WirePlan,
    pub(super) path: Vec<Step<'a>>,
    /// Values that may still be looked at to find out which alternative was meant: alternatives inside alternatives
    /// double the work at every level.
    pub(super) fuel: u32,
    pub(super) trials: u32,
    issues: Vec<Issue>,
    more: bool,
}

/// Values that are looked at for a document of so many bytes, to find out which alternatives were meant.
pub(crate) fn fuel_for(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX).saturating_mul(4).saturating_add(50_000)
}

/// One step of a path.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// The union an object is a branch of.
#[derive(Clone, Copy)]
pub(super) struct Within<'a> {
    pub(super) union: &'a Union,
    pub(super) tag: &'a str,
}

impl<'a> Walker<'a> {
    pub(super) fn new(shape: &'a Shape, wire: &'a WirePlan, fuel: u32) -> Self {
        Self { shape, wire, path: Vec::new(), fuel, trials: 0, issues: Vec::new(), more: false }
    }

    pub(super) fn finish(self) -> BindError {
        BindError { issues: self.issues, more: self.more }
    }

    /// The problems that `look` finds, kept apart.
    pub(super) fn trial(&mut self, look: impl FnOnce(&mut Self)) -> (Vec<Issue>, bool) {
        let kept = (std::mem::take(&mut self.issues), self.more);
        self.trials += 1;
        look(self);
        self.trials -= 1;
        let found = (std::mem::replace(&mut self.issues, kept.0), self.more);
        self.more = kept.1;
        found
    }

    pub(super) fn adopt(&mut self, issues: Vec<Issue>, more: bool) {
        for issue in issues {
            self.push(issue);
        }
        self.more |= more;
    }

    pub(super) fn report(&mut self, code: Code, expected: String, value: &Value<'_>, hint: Option<String>) {
        let found = prompts::cut(value.raw);
        self.report_found(code, expected, found, hint);
    }

    pub(super) fn report_found(&mut self, code: Code, expected: String, found: String, hint: Option<String>) {
        if self.issues.len() == BindError::MAX_ISSUES {
            self.more = true;
            return;
        }
        let path = self.pointer();
        self.push(Issue { path, code, expected, found, hint });
    }

    pub(super) fn at<T>(&mut self, step: Step<'a>, look: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = look(self);
        self.path.pop();
        result
    }

    pub(super) fn check(&mut self, node: &'a Node, plan: Plan<'a>, value: &'a Value<'a>) {
        if self.trials > 0 {
            let Some(fuel) = self.fuel.checked_sub(1) else {
                return;
            };
            self.fuel = fuel;
        }
        let nullable = node.nullable;
        let Some(node) = self.shape.resolve(node) else {
            return self.check_free(value);
        };
        if matches!(value.data, Data::Null) && (nullable || node.nullable) {
            return;
        }
        match &node.kind {
            Kind::Any => self.check_free(value),
            Kind::Enum(values) => self.check_enum(values, plan, value),
            Kind::Union(union) => self.check_union(union, plan, value),
            kind => match (kind, &value.data) {
                (Kind::Null, Data::Null) | (Kind::Bool, Data::Bool(_)) => {}
                (Kind::Integer(rules), Data::Number(token)) => self.check_integer(rules, token, value),
                (Kind::Number(rules), Data::Number(token)) => self.check_number(rules, token, value),
                (Kind::String(rules), Data::String { text, lone_surrogate }) => {
                    self.check_string(rules, text, *lone_surrogate, value)
                }
                (Kind::Array(rules), Data::Array(items)) => self.check_array(rules, plan, items, value),
                (Kind::Tuple(rules), Data::Array(items)) => self.check_tuple(rules, plan, items, value),
                (Kind::Object(rules), Data::Object(members)) => {
                    self.check_object(rules, plan, members, value, None);
                }
                _ => self.wrong_type(node, value),
            },
        }
    }

    pub(super) fn wrong_type(&mut self, node: &Node, value: &Value<'_>) {
        let expected = self.words().expected(node);
        let code = match value.data {
            Data::Null => Code::Null,
            _ => Code::Type,
        };
        let hint = type_hint(node, value);
        self.report(code, expected, value, hint);
    }

    pub(super) fn words(&self) -> Words<'a> {
        Words::new(self.shape)
    }

    /// A value that may be anything still has to be well formed.
    pub(super) fn check_free(&mut self, value: &'a Value<'a>) {
        match &value.data {
            Data::String { lone_surrogate: true, .. } => self.surrogate(value),
            Data::Number(token) if number_of(token).is_none() => {
                self.report(Code::Range, prompts::number_words(&Number::default()), value, None);
            }
            Data::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.at(Step::Index(index), |walker| walker.check_free(item));
                }
            }
            Data::Object(members) => {
                let mut seen = HashSet::new();
                for member in members {
                    self.at(Step::Key(&member.key), |walker| {
                        walker.check_key(member, &mut seen);
                        walker.check_free(&member.value);
                    });
                }
            }
            _ => {}
        }
    }

    pub(super) fn check_object(
        &mut self,
        rules: &'a Object,
        plan: Plan<'a>,
        members: &'a [Member<'a>],
        value: &'a Value<'a>,
        within: Option<Within<'a>>,
    ) {
        let mut seen = HashSet::new();
        let mut present = vec![false; rules.properties.len()];
        for member in members {
            self.at(Step::Key(&member.key), |walker| {
                if !walker.check_key(member, &mut seen) {
                    return;
                }
                let declared = rules.properties.iter().position(|p| p.name == member.key);
                match plan.index(&member.key, declared) {
                    Some(index) => walker.check_property(rules, plan, index, member, &mut present),
                    None => walker.check_other(rules, plan, member, within, &mut present),
                }
            });
        }
        self.check_missing(rules, plan, &present);
        let count = members.len() as u64;
        if rules.min_properties.is_some_and(|min| count < min) || rules.max_properties.is_some_and(|max| count > max) {
            let expected = prompts::property_count(rules);
            self.report(Code::Value, expected, value, None);
        }
    }

    fn check_property(
        &mut self,
        rules: &'a Object,
        plan: Plan<'a>,
        index: usize,
        member: &'a Member<'a>,
        present: &mut [bool],
    ) {
        let Some(property) = rules.properties.get(index) else {
            return;
        };
        let field = plan.field(index);
        if field.null_is_absent && matches!(member.value.data, Data::Null) {
            return;
        }
        if let Some(present) = present.get_mut(index) {
            *present = true;
        }
        let before = self.issues.len();
        self.check(&property.node, field.plan, &member.value);
        if !property.required
            && let Some(issue) = self.issues.get_mut(before)
            && issue.code == Code::Null
            && matches!(member.value.data, Data::Null)
        {
            issue.hint = Some(prompts::LEAVE_OUT.to_owned());
        }
    }

    /// A property that is not declared under this name.
    fn check_other(
        &mut self,
        rules: &'a Object,
        plan: Plan<'a>,
        member: &'a Member<'a>,
        within: Option<Within<'a>>,
        present: &mut [bool],
    ) {
        if within.is_some_and(|within| within.tag == member.key) {
            return;
        }
        if self.is_taken(&member.key) {
            return self.check_free(&member.value);
        }
        // A declared name comes here only if the plan has hidden the property or given it another.
        let declared = rules.properties.iter().any(|property| property.name == member.key);
        match &rules.additional {
            _ if declared => self.unknown(rules, plan, member, within, present),
            Additional::Open | Additional::Unstated => self.check_free(&member.value),
            Additional::Typed(node) => {
                self.check(node, plan.child(rules.properties.len()), &member.value);
            }
            Additional::Closed => self.unknown(rules, plan, member, within, present),
        }
    }

    fn unknown(
        &mut self,
        rules: &'a Object,
        plan: Plan<'a>,
        member: &'a Member<'a>,
        within: Option<Within<'a>>,
        present: &mut [bool],
    ) {
        let names = wire_names(rules, plan);
        let key = &*member.key;
        let expected = prompts::one_of_properties(names.iter().map(|(_, name)| *name), within.map(|w| w.tag));
        let found = prompts::quoted(key);
        let cased = names.iter().find(|(_, name)| same_but_case(name, key));
        if let Some((index, name)) = cased {
            // What stands under the wrong name is checked as well, so that one more call is enough.
            self.report_found(Code::WrongCase, expected, found, Some(prompts::did_you_mean(name)));
            return self.check_property(rules, plan, *index, member, present);
        }
        let branch = within.and_then(|within| self.branch_with(within.union, key));
        if let Some(branch) = branch {
            let hint = prompts::belongs_to(branch);
            return self.report_found(Code::Branch, expected, found, Some(hint));
        }
        let hint = nearest(key, names.iter().map(|(_, name)| *name)).map(prompts::did_you_mean);
        self.report_found(Code::UnknownProperty, expected, found, hint);
    }

    fn check_missing(&mut self, rules: &'a Object, plan: Plan<'a>, present: &[bool]) {
        for (index, (property, present)) in rules.properties.iter().zip(present).enumerate() {
            if *present || !property.required {
                continue;
            }
            let name = plan.wire_name(index, &property.name).unwrap_or(&property.name);
            self.at(Step::Key(name), |walker| {
                let expected = walker.words().expected(&property.node);
                walker.report_found(Code::Missing, expected, prompts::NOTHING.to_owned(), None);
            });
        }
    }

    /// Whether the key is well formed and new; what stands under a repeated key is not looked at again.
    pub(super) fn check_key(&mut self, member: &'a Member<'a>, seen: &mut HashSet<&'a str>) -> bool {
        if member.lone_surrogate {
            let found = prompts::quoted(&member.key);
            self.report_found(Code::Surrogate, prompts::WELL_FORMED.to_owned(), found, None);
            return false;
        }
        if seen.insert(&member.key) {
            return true;
        }
        let found = prompts::cut(member.value.raw);
        self.report_found(Code::DuplicateKey, prompts::ONCE.to_owned(), found, None);
        false
    }

    fn check_array(&mut self, rules: &'a Array, plan: Plan<'a>, items: &'a [Value<'a>], value: &'a Value<'a>) {
        let count = items.len() as u64;
        if rules.min_items.is_some_and(|min| count < min) || rules.max_items.is_some_and(|max| count > max) {
            let expected = prompts::array_words(rules);
            self.report_found(Code::Items, expected, prompts::items(count), None);
        }
        let mut seen = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            self.at(Step::Index(index), |walker| {
                if rules.unique && !seen.insert(item.identity()) {
                    walker.report(Code::Unique, prompts::DIFFERENT.to_owned(), item, None);
                }
                walker.check(&rules.items, plan.child(0), item);
            });
        }
        let _ = value;
    }

    fn check_tuple(&mut self, rules: &'a Tuple, plan: Plan<'a>, items: &'a [Value<'a>], value: &'a Value<'a>) {
        let count = items.len() as u64;
        let most = rules.items.len() as u64;
        if count < rules.min_items || (rules.rest.is_none() && count > most) {
            let expected = prompts::tuple_words(rules);
            self.report_found(Code::Items, expected, prompts::items(count), None);
        }
        for (index, item) in items.iter().enumerate() {
            let node = rules.items.get(index).or(rules.rest.as_deref());
            self.at(Step::Index(index), |walker| match node {
                Some(node) => walker.check(node, plan.child(index.min(rules.items.len())), item),
                None => walker.check_free(item),
            });
        }
        let _ = value;
    }

    fn check_string(&mut self, rules: &StringRules, text: &str, lone_surrogate: bool, value: &Value<'_>) {
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

    fn surrogate(&mut self, value: &Value<'_>) {
        self.report(Code::Surrogate, prompts::WELL_FORMED.to_owned(), value, None);
    }

    fn check_integer(&mut self, rules: &Integer, token: &str, value: &Value<'_>) {
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

    fn check_number(&mut self, rules: &Number, token: &str, value: &Value<'_>) {
        let fits = number_of(token).is_some_and(|number| {
            (!rules.single || number.abs() <= f64::from(f32::MAX))
                && within(&rules.bounds, number)
                && rules.bounds.multiple_of.is_none_or(|factor| is_multiple(number, factor))
        });
        if !fits {
            self.report(Code::Range, prompts::number_words(rules), value, None);
        }
    }

    fn check_enum(&mut self, values: &'a [EnumValue], plan: Plan<'a>, value: &'a Value<'a>) {
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

    /// Whether the plan takes a property of the object being looked at out of the root.
    pub(super) fn is_taken(&self, key: &str) -> bool {
        self.path.len() == 1 && self.wire.take.iter().any(|name| name == key)
    }

    fn push(&mut self, issue: Issue) {
        if self.issues.len() < BindError::MAX_ISSUES {
            self.issues.push(issue);
        } else {
            self.more = true;
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                Step::Key(key) => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Step::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }
}

/// Whether only objects can stand at a node.
pub(super) fn takes_only_objects(shape: &Shape, node: &Node) -> bool {
    if node.nullable {
        return false;
    }
    match shape.resolve(node).map(|node| &node.kind) {
        Some(Kind::Object(_)) => true,
        Some(Kind::Union(union)) => match union.tagging {
            Tagging::Internal { .. } | Tagging::Adjacent { .. } => true,
            Tagging::Untagged => union
                .branches
                .iter()
                .all(|branch| !matches!(branch.node.kind, Kind::Ref(_)) && takes_only_objects(shape, &branch.node)),
        },
        _ => false,
    }
}

/// The properties that are in the schema, by index and by their names on the wire.
fn wire_names<'a>(rules: &'a Object, plan: Plan<'a>) -> Vec<(usize, &'a str)> {
    let names = rules.properties.iter().enumerate();
    names.filter_map(|(index, property)| Some((index, plan.wire_name(index, &property.name)?))).collect()
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
fn type_hint(node: &Node, value: &Value<'_>) -> Option<String> {
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

//! Walking a document beside its shape.

use super::scalar::type_hint;
use super::seen::Keys;
use super::tree::{Data, Value};
use crate::issue::{BindError, Code, Issue};
use crate::plan::{Plan, WirePlan};
use crate::prompts::{self, Words};
use crate::reader::number_of;
use crate::shape::{Kind, Node, Number, Shape, Tagging, Union};

/// Collects the problems of one document.
pub(super) struct Walker<'a> {
    pub(super) shape: &'a Shape,
    pub(super) wire: &'a WirePlan,
    pub(super) path: Vec<Step<'a>>,
    /// Values that may still be looked at to find out which alternative was meant: alternatives inside alternatives
    /// double the work at every level.
    pub(super) fuel: u32,
    pub(super) trials: u32,
    pub(super) issues: Vec<Issue>,
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
        let issues = Vec::with_capacity(BindError::MAX_ISSUES / 2);
        Self { shape, wire, path: Vec::new(), fuel, trials: 0, issues, more: false }
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
                let mut keys = Keys::of(members);
                for (at, member) in members.iter().enumerate() {
                    self.at(Step::Key(&member.key), |walker| {
                        walker.check_key(member, at, &mut keys);
                        walker.check_free(&member.value);
                    });
                }
            }
            _ => {}
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
        let mut pointer = String::with_capacity(self.path.len() * 8);
        for step in &self.path {
            pointer.push('/');
            match step {
                Step::Key(key) => {
                    for piece in key.split_inclusive(['~', '/']) {
                        match piece.strip_suffix(['~', '/']) {
                            None => pointer.push_str(piece),
                            Some(plain) => {
                                pointer.push_str(plain);
                                pointer.push_str(if piece.ends_with('~') { "~0" } else { "~1" });
                            }
                        }
                    }
                }
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

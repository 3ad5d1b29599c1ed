//! Unions: which branch was meant, and what is wrong with it.

use super::nearest::nearest;
use super::seen::Keys;
use super::tree::{Data, Member, Value};
use super::walk::{Step, Walker, Within};
use crate::issue::Code;
use crate::plan::Plan;
use crate::prompts;
use crate::shape::{Additional, Branch, Kind, Node, Object, Tagging, Union};

impl<'a> Walker<'a> {
    pub(super) fn check_union(&mut self, union: &'a Union, plan: Plan<'a>, value: &'a Value<'a>) {
        let (Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }) = &union.tagging else {
            return self.check_untagged(union, plan, value);
        };
        let Data::Object(members) = &value.data else {
            let code = match value.data {
                Data::Null => Code::Null,
                _ => Code::Type,
            };
            return self.report(code, self.words().union(union), value, None);
        };
        let Some(index) = self.tagged_branch(union, tag, members) else {
            return;
        };
        let Some(branch) = union.branches.get(index) else {
            return;
        };
        let within = Within { union, tag };
        match &union.tagging {
            Tagging::Adjacent { content, .. } => {
                self.check_adjacent(branch, content, plan.child(index), members, within);
            }
            _ => match self.shape.resolve(&branch.node).map(|node| &node.kind) {
                Some(Kind::Object(rules)) => {
                    self.check_object(rules, plan.child(index), members, value, Some(within));
                }
                _ => self.check_free(value),
            },
        }
    }

    /// The branch that the tag names; anything else is reported.
    fn tagged_branch(&mut self, union: &'a Union, tag: &'a str, members: &'a [Member<'a>]) -> Option<usize> {
        let names = || union.branches.iter().map(|branch| &*branch.name);
        let Some(member) = members.iter().find(|member| member.key == tag) else {
            let hint = self.best_branch(union, members).map(prompts::would_fit);
            self.at(Step::Key(tag), |walker| {
                let expected = prompts::one_of_names(names());
                walker.report_found(Code::Missing, expected, prompts::NOTHING.to_owned(), hint);
            });
            return None;
        };
        self.at(Step::Key(tag), |walker| {
            let expected = || prompts::one_of_names(names());
            match &member.value.data {
                Data::String { text, lone_surrogate: false } => {
                    let index = names().position(|name| name == text);
                    if index.is_none() {
                        let hint = nearest(text, names())
                            .map(prompts::did_you_mean)
                            .or_else(|| walker.best_branch(union, members).map(prompts::would_fit));
                        walker.report(Code::Enum, expected(), &member.value, hint);
                    }
                    index
                }
                Data::Null => {
                    walker.report(Code::Null, expected(), &member.value, None);
                    None
                }
                _ => {
                    walker.report(Code::Type, expected(), &member.value, None);
                    None
                }
            }
        })
    }

    /// An object of the tag and the branch's content, and nothing else.
    fn check_adjacent(
        &mut self,
        branch: &'a Branch,
        content: &'a str,
        plan: Plan<'a>,
        members: &'a [Member<'a>],
        within: Within<'a>,
    ) {
        let empty = matches!(branch.node.kind, Kind::Null);
        let mut keys = Keys::of(members);
        for (at, member) in members.iter().enumerate() {
            self.at(Step::Key(&member.key), |walker| {
                if !walker.check_key(member, at, &mut keys) || member.key == within.tag {
                    return;
                }
                if !empty && member.key == content {
                    return walker.check(&branch.node, plan, &member.value);
                }
                if walker.is_taken(&member.key) {
                    return walker.check_free(&member.value);
                }
                let names = [within.tag, content];
                let known = names.iter().copied().take(if empty { 1 } else { 2 });
                let expected = prompts::one_of_properties(known.clone(), None);
                let (code, hint) = if member.key == content {
                    (Code::Branch, Some(prompts::without_content(&branch.name)))
                } else {
                    let near = nearest(&member.key, known).map(prompts::did_you_mean);
                    (Code::UnknownProperty, near)
                };
                walker.report_found(code, expected, prompts::quoted(&member.key), hint);
            });
        }
        if !empty && !members.iter().any(|member| member.key == content) {
            self.at(Step::Key(content), |walker| {
                let expected = walker.words().expected(&branch.node);
                walker.report_found(Code::Missing, expected, prompts::NOTHING.to_owned(), None);
            });
        }
    }

    fn check_untagged(&mut self, union: &'a Union, plan: Plan<'a>, value: &'a Value<'a>) {
        let candidates: Vec<usize> = (0..union.branches.len())
            .filter(|&index| union.branches.get(index).is_some_and(|b| self.takes(&b.node, value)))
            .collect();
        let mut nearest: Option<(usize, Vec<_>, bool)> = None;
        for &index in &candidates {
            let Some(branch) = union.branches.get(index) else {
                continue;
            };
            let (issues, more) = self.trial(|walker| walker.check(&branch.node, plan.child(index), value));
            if issues.is_empty() {
                return;
            }
            if nearest.as_ref().is_none_or(|(_, least, _)| issues.len() < least.len()) {
                nearest = Some((index, issues, more));
            }
        }
        let Some((index, issues, more)) = nearest else {
            let code = match value.data {
                Data::Null => Code::Null,
                _ => Code::Type,
            };
            return self.report(code, self.words().union(union), value, None);
        };
        let Some(branch) = union.branches.get(index) else {
            return;
        };
        if candidates.len() == 1 || self.keys_fit(branch, value) {
            return self.adopt(issues, more);
        }
        let hint = prompts::nearest_branch(&branch.name, issues.first());
        self.report(Code::Branch, self.words().union(union), value, Some(hint));
    }

    /// Whether a node takes values of this JSON type at all.
    fn takes(&self, node: &Node, value: &Value<'_>) -> bool {
        let nullable = node.nullable;
        let Some(node) = self.shape.resolve(node) else {
            return true;
        };
        let null = matches!(value.data, Data::Null);
        if null && (nullable || node.nullable) {
            return true;
        }
        match &node.kind {
            Kind::Any | Kind::Enum(_) | Kind::Ref(_) => true,
            Kind::Null => null,
            Kind::Bool => matches!(value.data, Data::Bool(_)),
            Kind::Integer(_) | Kind::Number(_) => matches!(value.data, Data::Number(_)),
            Kind::String(_) => matches!(value.data, Data::String { .. }),
            Kind::Array(_) | Kind::Tuple(_) => matches!(value.data, Data::Array(_)),
            Kind::Object(_) => matches!(value.data, Data::Object(_)),
            Kind::Union(union) => match union.tagging {
                Tagging::Untagged => union.branches.iter().any(|branch| self.takes(&branch.node, value)),
                _ => matches!(value.data, Data::Object(_)),
            },
        }
    }

    fn keys_fit(&self, branch: &Branch, value: &Value<'_>) -> bool {
        match (self.object_of(branch), &value.data) {
            (Some(rules), Data::Object(members)) => misfit(rules, members, None) == 0,
            _ => false,
        }
    }

    /// The branch whose properties fit an object best, if they fit at all and better than any other's.
    fn best_branch(&self, union: &'a Union, members: &[Member<'_>]) -> Option<&'a str> {
        let tag = match &union.tagging {
            Tagging::Internal { tag } => Some(&**tag),
            _ => return None,
        };
        let scored = union
            .branches
            .iter()
            .filter_map(|branch| Some((misfit(self.object_of(branch)?, members, tag), &*branch.name)));
        let mut scored: Vec<_> = scored.collect();
        scored.sort_by_key(|(misfit, _)| *misfit);
        match scored.as_slice() {
            [(0, name), rest @ ..] if rest.first().is_none_or(|(next, _)| *next > 0) => Some(name),
            _ => None,
        }
    }

    /// A branch that has a property of this name.
    pub(super) fn branch_with(&self, union: &'a Union, key: &str) -> Option<&'a str> {
        let branch = union.branches.iter().find(|branch| {
            self.object_of(branch).is_some_and(|rules| rules.properties.iter().any(|property| property.name == key))
        })?;
        Some(&branch.name)
    }

    fn object_of(&self, branch: &'a Branch) -> Option<&'a Object> {
        match &self.shape.resolve(&branch.node)?.kind {
            Kind::Object(rules) => Some(rules),
            _ => None,
        }
    }
}

/// How many properties are missing or unknown.
fn misfit(rules: &Object, members: &[Member<'_>], tag: Option<&str>) -> usize {
    let missing = rules
        .properties
        .iter()
        .filter(|property| property.required && members.iter().all(|member| member.key != property.name))
        .count();
    let unknown = members
        .iter()
        .filter(|member| {
            Some(&*member.key) != tag
                && matches!(rules.additional, Additional::Closed)
                && rules.properties.iter().all(|property| property.name != member.key)
        })
        .count();
    missing + unknown
}

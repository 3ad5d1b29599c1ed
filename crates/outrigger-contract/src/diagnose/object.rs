//! Objects: properties that are unknown, misspelled, missing or there twice.

use super::nearest::{nearest, same_but_case};
use super::seen::{Keys, Present};
use super::tree::{Data, Member, Value};
use super::walk::{Step, Walker, Within};
use crate::issue::Code;
use crate::plan::Plan;
use crate::prompts;
use crate::shape::{Additional, Object};

impl<'a> Walker<'a> {
    pub(super) fn check_object(
        &mut self,
        rules: &'a Object,
        plan: Plan<'a>,
        members: &'a [Member<'a>],
        value: &'a Value<'a>,
        within: Option<Within<'a>>,
    ) {
        let mut keys = Keys::of(members);
        let mut present = Present::none_of(rules.properties.len());
        for (at, member) in members.iter().enumerate() {
            self.at(Step::Key(&member.key), |walker| {
                if !walker.check_key(member, at, &mut keys) {
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
        present: &mut Present,
    ) {
        let Some(property) = rules.properties.get(index) else {
            return;
        };
        let field = plan.field(index);
        if field.null_is_absent && matches!(member.value.data, Data::Null) {
            return;
        }
        present.set(index);
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
        present: &mut Present,
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
        present: &mut Present,
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

    fn check_missing(&mut self, rules: &'a Object, plan: Plan<'a>, present: &Present) {
        for (index, property) in rules.properties.iter().enumerate() {
            if present.has(index) || !property.required {
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
    pub(super) fn check_key(&mut self, member: &'a Member<'a>, at: usize, keys: &mut Keys<'a>) -> bool {
        if member.lone_surrogate {
            let found = prompts::quoted(&member.key);
            self.report_found(Code::Surrogate, prompts::WELL_FORMED.to_owned(), found, None);
            return false;
        }
        if keys.is_new(at, &member.key) {
            return true;
        }
        let found = prompts::cut(member.value.raw);
        self.report_found(Code::DuplicateKey, prompts::ONCE.to_owned(), found, None);
        false
    }
}

/// The properties that are in the schema, by index and by their names on the wire.
fn wire_names<'a>(rules: &'a Object, plan: Plan<'a>) -> Vec<(usize, &'a str)> {
    let names = rules.properties.iter().enumerate();
    names.filter_map(|(index, property)| Some((index, plan.wire_name(index, &property.name)?))).collect()
}

//! Arrays and tuples.

use std::collections::HashSet;

use super::tree::Value;
use super::walk::{Step, Walker};
use crate::issue::Code;
use crate::plan::Plan;
use crate::prompts;
use crate::shape::{Array, Tuple};

impl<'a> Walker<'a> {
    pub(super) fn check_array(
        &mut self,
        rules: &'a Array,
        plan: Plan<'a>,
        items: &'a [Value<'a>],
        value: &'a Value<'a>,
    ) {
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

    pub(super) fn check_tuple(
        &mut self,
        rules: &'a Tuple,
        plan: Plan<'a>,
        items: &'a [Value<'a>],
        value: &'a Value<'a>,
    ) {
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
}

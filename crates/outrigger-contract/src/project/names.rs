//! Names that a profile refuses, and the names they get on the wire.

use crate::profile::NameRule;

/// The wire name of `name`: itself if the rule allows it, else its allowed characters and a hash of the whole. It
/// depends on nothing but the two, so it is the same in every process and for every order of registration.
#[must_use]
pub fn wire_name(name: &str, rule: &NameRule) -> String {
    if allows(rule, name) {
        return name.to_owned();
    }
    let suffix = format!("_{:08x}", hash(name));
    let max = rule.max_len.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
    let room = max.saturating_sub(suffix.len());
    let mut wire: String = name.chars().map(|c| if may_follow(rule, c) { c } else { '_' }).take(room).collect();
    if !wire.starts_with(|c| may_start(rule, c)) {
        wire = ['n'].into_iter().chain(wire.chars()).take(room).collect();
    }
    wire + &suffix
}

fn allows(rule: &NameRule, name: &str) -> bool {
    if rule.any {
        return true;
    }
    let fits = rule.max_len.is_none_or(|max| usize::try_from(max).is_ok_and(|max| name.chars().count() <= max));
    fits && name.starts_with(|c| may_start(rule, c)) && name.chars().all(|c| may_follow(rule, c))
}

fn may_start(rule: &NameRule, c: char) -> bool {
    c.is_ascii_alphabetic() || (rule.first_digit && c.is_ascii_digit()) || rule.first.contains(c)
}

fn may_follow(rule: &NameRule, c: char) -> bool {
    c.is_ascii_alphanumeric() || rule.later.contains(c)
}

/// FNV-1a, folded to 32 bits: short, stable, and good enough to tell an agent's names apart.
fn hash(name: &str) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let folded = (hash >> 32) ^ (hash & 0xffff_ffff);
    u32::try_from(folded).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    const RULE: NameRule = NameRule {
        first: Cow::Borrowed("_"),
        later: Cow::Borrowed("_-"),
        first_digit: false,
        max_len: Some(20),
        any: false,
    };

    #[test]
    fn a_legal_name_is_kept() {
        assert_eq!(wire_name("max_results", &RULE), "max_results");
    }

    #[test]
    fn names_that_would_collide_when_cut_or_cleaned_do_not() {
        let names =
            ["a.b", "a/b", "a b", "1a", "", "a_name_far_too_long_for_the_rule_1", "a_name_far_too_long_for_the_rule_2"];
        let mut wire: Vec<_> = names.iter().map(|name| wire_name(name, &RULE)).collect();
        assert!(wire.iter().all(|name| allows(&RULE, name)), "{wire:?}");
        wire.sort();
        wire.dedup();
        assert_eq!(wire.len(), names.len());
    }
}

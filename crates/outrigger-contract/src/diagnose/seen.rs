//! What has been met in one object, without allocating for the small ones that nearly all are.

use std::collections::HashSet;

use super::tree::Member;

/// The keys of one object.
pub(super) enum Keys<'a> {
    /// Few keys are compared one by one, which is cheaper than hashing them.
    Few(&'a [Member<'a>]),
    /// Keys met so far.
    Many(HashSet<&'a str>),
}

impl<'a> Keys<'a> {
    const FEW: usize = 16;

    pub(super) fn of(members: &'a [Member<'a>]) -> Self {
        if members.len() <= Self::FEW { Self::Few(members) } else { Self::Many(HashSet::with_capacity(members.len())) }
    }

    /// Whether no member before the one at `index` has its key; to be asked once a member, in order.
    pub(super) fn is_new(&mut self, index: usize, key: &'a str) -> bool {
        match self {
            Self::Few(members) => !members.iter().take(index).any(|member| member.key == key),
            Self::Many(seen) => seen.insert(key),
        }
    }
}

/// The properties that were there, by index.
pub(super) struct Present {
    few: u128,
    more: Vec<bool>,
}

impl Present {
    const FEW: usize = 128;

    pub(super) fn none_of(count: usize) -> Self {
        Self { few: 0, more: vec![false; count.saturating_sub(Self::FEW)] }
    }

    pub(super) fn set(&mut self, index: usize) {
        match index.checked_sub(Self::FEW) {
            None => self.few |= 1 << index,
            Some(index) => {
                if let Some(slot) = self.more.get_mut(index) {
                    *slot = true;
                }
            }
        }
    }

    pub(super) fn has(&self, index: usize) -> bool {
        match index.checked_sub(Self::FEW) {
            None => self.few & (1 << index) != 0,
            Some(index) => self.more.get(index).is_some_and(|set| *set),
        }
    }
}

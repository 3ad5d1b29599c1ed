//! The keys of one object.

use std::collections::HashSet;

/// Keys met so far: few are compared one by one, which is cheaper than hashing them; of many a set is made.
#[derive(Default)]
pub(super) struct Seen<'a> {
    few: Vec<&'a str>,
    many: HashSet<&'a str>,
}

impl<'a> Seen<'a> {
    const FEW: usize = 16;

    /// Whether the key is new.
    pub(super) fn insert(&mut self, key: &'a str) -> bool {
        if self.few.contains(&key) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(key);
            return true;
        }
        self.many.insert(key)
    }

    pub(super) fn contains(&self, key: &str) -> bool {
        self.few.contains(&key) || self.many.contains(key)
    }
}

//! An append-only list that many can hold at its own length.

use std::sync::{Arc, PoisonError, RwLock};

/// An append-only, shared list. Cloning costs a reference count, appending to the newest clone is amortised O(1);
/// appending to an older one copies, so that no holder ever sees another's items.
pub struct Spine<T> {
    shared: Arc<RwLock<Vec<T>>>,
    length: usize,
}

impl<T: Clone> Spine<T> {
    /// Appends an item.
    pub fn push(&mut self, item: T) {
        let mut items = self.shared.write().unwrap_or_else(PoisonError::into_inner);
        if items.len() == self.length {
            items.push(item);
        } else {
            let mut own: Vec<T> = items.iter().take(self.length).cloned().collect();
            own.push(item);
            drop(items);
            self.shared = Arc::new(RwLock::new(own));
        }
        self.length = self.length.saturating_add(1);
    }

    /// The item at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        (index < self.length).then(|| self.with(|items| items.get(index).cloned())).flatten()
    }

    /// The last item.
    #[must_use]
    pub fn last(&self) -> Option<T> {
        self.length.checked_sub(1).and_then(|index| self.get(index))
    }
}

impl<T> Spine<T> {
    /// How many items this holder sees.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether this holder sees none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Reads the items. Appends wait meanwhile, so keep it short.
    pub fn with<R>(&self, read: impl FnOnce(&[T]) -> R) -> R {
        let items = self.shared.read().unwrap_or_else(PoisonError::into_inner);
        read(items.get(..self.length).unwrap_or_default())
    }
}

impl<T> Default for Spine<T> {
    fn default() -> Self {
        Self { shared: Arc::default(), length: 0 }
    }
}

impl<T> Clone for Spine<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), length: self.length }
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Spine<T> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.with(|items| out.debug_list().entries(items).finish())
    }
}

impl<T: PartialEq> PartialEq for Spine<T> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length
            && (Arc::ptr_eq(&self.shared, &other.shared) || self.with(|mine| other.with(|theirs| mine == theirs)))
    }
}

impl<T: Clone> Extend<T> for Spine<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Spine;

    fn items(spine: &Spine<u8>) -> Vec<u8> {
        spine.with(<[u8]>::to_vec)
    }

    proptest! {
        // Any interleaving of clones and appends keeps every holder's list as a plain vector would.
        #[test]
        fn holders_never_see_each_others_items(steps in proptest::collection::vec((0usize..6, any::<u8>(), any::<bool>()), 0..60)) {
            let mut spines = vec![Spine::default()];
            let mut lists: Vec<Vec<u8>> = vec![vec![]];
            for (at, item, fork) in steps {
                let at = at % spines.len();
                if fork {
                    spines.push(spines[at].clone());
                    lists.push(lists[at].clone());
                } else {
                    spines[at].push(item);
                    lists[at].push(item);
                }
                for (spine, list) in spines.iter().zip(&lists) {
                    prop_assert_eq!(&items(spine), list);
                    prop_assert_eq!(spine.last(), list.last().copied());
                }
            }
        }
    }
}

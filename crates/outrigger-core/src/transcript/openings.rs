//! Which containers of a thread are open: a fold over the records that open and close them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ids::Text;

/// How long a container stays open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Lifetime {
    /// Until the turn it was opened in ends.
    #[default]
    Turn,
    /// Until it is closed by hand.
    Thread,
    /// Until so many iterations in a row called none of its members, across turns.
    Idle(u32),
}

/// A container was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerOpened {
    /// The container.
    pub container: Text,
    /// The container it stands in, if it is nested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Text>,
    /// How long it stays open.
    pub lifetime: Lifetime,
    /// What its author had it say, as it was when it was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Text>,
    /// Its instructions, as they were when it was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Text>,
}

/// A container was closed before its lifetime ended it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerClosed {
    /// The container.
    pub container: Text,
}

/// A container that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// What opened it.
    pub opened: Arc<ContainerOpened>,
    /// How many iterations in a row called none of its members.
    pub quiet: u32,
}

/// The open containers, in the order they were opened. Cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    list: Arc<Vec<Opening>>,
    epoch: u64,
}

impl Openings {
    /// The open containers, in the order they were opened.
    #[must_use]
    pub fn list(&self) -> &[Opening] {
        &self.list
    }

    /// Grows with every change of what a menu shows.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The opening of a container, if it is open.
    #[must_use]
    pub fn of(&self, container: &str) -> Option<&Opening> {
        self.list.iter().find(|one| &*one.opened.container == container)
    }

    /// The containers whose lifetime is over now that an iteration is.
    pub fn idle(&self) -> impl Iterator<Item = &Text> {
        let over = |one: &&Opening| matches!(one.opened.lifetime, Lifetime::Idle(most) if one.quiet >= most);
        self.list.iter().filter(over).map(|one| &one.opened.container)
    }

    pub(crate) fn open(&mut self, opened: &ContainerOpened) {
        // One that is open stays as it is: opening it twice has no effect.
        if self.of(&opened.container).is_none() {
            let opening = Opening { opened: Arc::new(opened.clone()), quiet: 0 };
            Arc::make_mut(&mut self.list).push(opening);
            self.changed();
        }
    }

    /// Closes a container, and those that stand in it.
    pub(super) fn close(&mut self, container: &str) {
        if self.of(container).is_some() {
            self.close_all(|one| &*one.container == container);
        }
    }

    /// The turn is over.
    pub(super) fn turn_ended(&mut self) {
        if self.list.iter().any(|one| one.opened.lifetime == Lifetime::Turn) {
            self.close_all(|one| one.lifetime == Lifetime::Turn);
        }
    }

    /// The model has answered: another iteration in which a container may have stayed quiet.
    pub(super) fn iterated(&mut self) {
        if self.list.iter().any(|one| matches!(one.opened.lifetime, Lifetime::Idle(_))) {
            for opening in Arc::make_mut(&mut self.list) {
                opening.quiet = opening.quiet.saturating_add(1);
            }
        }
    }

    /// A member of these containers was called.
    pub(super) fn called(&mut self, owners: &[Text]) {
        let heard = |one: &Opening| one.quiet > 0 && owners.contains(&one.opened.container);
        if self.list.iter().any(heard) {
            for opening in Arc::make_mut(&mut self.list).iter_mut().filter(|one| heard(one)) {
                opening.quiet = 0;
            }
        }
    }

    /// Closes what `over` tells of, and whatever stands in what is closed. An inner container is opened after its outer
    /// one, so that one pass meets every parent before its children.
    fn close_all(&mut self, over: impl Fn(&ContainerOpened) -> bool) {
        let mut closed: Vec<Text> = Vec::new();
        Arc::make_mut(&mut self.list).retain(|one| {
            let opened = &one.opened;
            let goes = over(opened) || opened.parent.as_ref().is_some_and(|parent| closed.contains(parent));
            if goes {
                closed.push(opened.container.clone());
            }
            !goes
        });
        self.changed();
    }

    fn changed(&mut self) {
        self.epoch = self.epoch.saturating_add(1);
    }
}

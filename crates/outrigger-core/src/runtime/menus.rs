//! What is open while a turn runs: closed when idle, told as events.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::performer::Performer;
use crate::catalog::Reveal;
use crate::event::EventKind;
use crate::transcript::{ContainerClosed, Openings, Record, Text};
use crate::turn::Fault;

impl Performer {
    /// Closes the containers that stayed quiet for as long as their lifetime lets them.
    pub(super) async fn close_idle(&self) -> Result<(), Fault> {
        let idle: Vec<Record> = self
            .log
            .view()
            .openings()
            .idle()
            .map(|container| Record::ContainerClosed(ContainerClosed { container: container.clone() }))
            .collect();
        if idle.is_empty() { Ok(()) } else { self.append(None, idle).await }
    }

    /// The system texts of a request: the agent's, then those of what is open, so that opening changes nothing before
    /// them. Where the menu only grows they stand in the conversation instead, beside what opened them.
    pub(super) fn system(&self) -> Vec<Text> {
        let mut system = self.agent.system.to_vec();
        if self.catalog.collapsing().reveal == Reveal::Replace {
            let view = self.log.view();
            let instructions = view.openings().list().iter().filter_map(|one| one.opened.instructions.clone());
            system.extend(instructions);
        }
        system
    }

    /// Tells what was opened and closed since the last time, and what the model sees now.
    pub(super) fn tell_menu(&self) {
        let mut told = self.told_open.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.events.wanted() {
            return;
        }
        let view = self.log.view();
        if told.epoch() != view.openings().epoch() {
            let before = std::mem::replace(&mut *told, view.openings().clone());
            drop(told);
            self.tell_change(&before, view.openings());
        }
    }

    fn tell_change(&self, before: &Openings, after: &Openings) {
        let menus = &self.models.get(self.answering.load(Ordering::Relaxed)).menus;
        let (old, new) = (menus.menu(before), menus.menu(after));
        for opening in before.list().iter().filter(|one| after.of(&one.opened.container).is_none()) {
            self.emit(|| None, || EventKind::ContainerClosed { name: opening.opened.container.clone() });
        }
        for opening in after.list().iter().filter(|one| before.of(&one.opened.container).is_none()) {
            let name = &opening.opened.container;
            let members = self.catalog.container(name).map_or(0, |container| self.catalog.members(container).count());
            self.emit(
                || None,
                || EventKind::ContainerOpened {
                    name: name.clone(),
                    members: members as u64,
                    tokens_added: tokens(new.bytes().saturating_sub(old.shared_prefix(&new))),
                    prefix_lost: tokens(old.bytes().saturating_sub(old.shared_prefix(&new))),
                },
            );
        }
        let (count, tokens) = (new.blocks().len() as u64, tokens(new.bytes()));
        self.emit(|| None, || EventKind::ToolsVisible { count, tokens });
    }
}

/// About how many tokens so many bytes of JSON are: what `tools` tells as well.
fn tokens(bytes: u64) -> u64 {
    bytes.div_ceil(3)
}

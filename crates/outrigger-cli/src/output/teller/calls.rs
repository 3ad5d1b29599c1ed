//! The calls that were told, to be shown whole when somebody asks.

use std::collections::VecDeque;

use outrigger::transcript::{CallId, CallStatus, Text};

/// The most calls that are kept.
const KEPT: usize = 200;

/// The latest calls of a talk, numbered from 1 in the order the model began them.
#[derive(Default)]
pub(crate) struct Calls {
    kept: VecDeque<ToldCall>,
    /// How many there were before the first that is kept.
    before: usize,
    /// How many of the kept ones were there before the iteration.
    iteration: usize,
}

/// A call, as far as it is known.
pub(crate) struct ToldCall {
    id: CallId,
    /// The name the model used.
    pub(crate) name: Text,
    /// As the model writes them; in canonical form once they are bound.
    pub(crate) arguments: String,
    /// How it ended, and what the model reads.
    pub(crate) result: Option<(CallStatus, Text)>,
    /// Whether it was told that it began.
    pub(super) told: bool,
}

impl Calls {
    /// The call of this number, with its number; without one the last.
    pub(crate) fn get(&self, number: Option<usize>) -> Option<(usize, &ToldCall)> {
        let last = self.before.saturating_add(self.kept.len());
        let number = number.unwrap_or(last);
        let index = number.checked_sub(self.before)?.checked_sub(1)?;
        self.kept.get(index).map(|call| (number, call))
    }

    /// The numbers of the first call that is kept and of the last; `None`: there is none.
    pub(crate) fn range(&self) -> Option<(usize, usize)> {
        let last = self.before.saturating_add(self.kept.len());
        (!self.kept.is_empty()).then(|| (self.before.saturating_add(1), last))
    }

    pub(super) fn begin_iteration(&mut self) {
        self.iteration = self.kept.len();
    }

    /// Calls of an attempt that failed were never made.
    pub(super) fn forget_attempt(&mut self) {
        self.kept.truncate(self.iteration);
    }

    /// Whether the iteration has several calls, so that it must be said which is meant.
    pub(super) fn are_several(&self) -> bool {
        self.kept.len().saturating_sub(self.iteration) > 1
    }

    pub(super) fn begin(&mut self, id: &CallId, name: &Text) {
        if self.kept.len() >= KEPT {
            self.kept.pop_front();
            self.before = self.before.saturating_add(1);
            self.iteration = self.iteration.saturating_sub(1);
        }
        let name = Text::clone(name);
        self.kept.push_back(ToldCall { id: id.clone(), name, arguments: String::new(), result: None, told: false });
    }

    /// A call of the iteration, with its number.
    pub(super) fn find(&mut self, id: &CallId) -> Option<(usize, &mut ToldCall)> {
        let before = self.before;
        let of_iteration = self.kept.iter_mut().enumerate().skip(self.iteration);
        let mut found = of_iteration.filter(|(_, call)| call.id == *id);
        found.next().map(|(index, call)| (before.saturating_add(index).saturating_add(1), call))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_when_old_calls_go_and_failed_attempts_leave_none() {
        let mut calls = Calls::default();
        for number in 0..=KEPT {
            calls.begin_iteration();
            calls.begin(&format!("c{number}").as_str().into(), &"tool".into());
        }
        assert_eq!(calls.range(), Some((2, KEPT + 1)));
        assert!(calls.get(Some(1)).is_none() && calls.get(Some(0)).is_none());
        assert_eq!(calls.get(None).map(|(number, _)| number), Some(KEPT + 1));
        calls.begin(&"again".into(), &"tool".into());
        assert!(calls.are_several());
        calls.forget_attempt();
        assert_eq!(calls.get(None).map(|(number, _)| number), Some(KEPT));
        assert!(calls.find(&"again".into()).is_none());
    }
}

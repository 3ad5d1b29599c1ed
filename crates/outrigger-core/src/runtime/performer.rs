//! Performs one step of a turn and tells its outcome.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::join_all;

use super::faults::store_fault;
use super::models::{PerModel, RunModel};
use super::parts::AgentParts;
use super::stop::Stopper;
use super::watch::SharedTimer;
use crate::catalog::Catalog;
use crate::event::{Emit, EventKind};
use crate::handle::RunHandle;
use crate::session::ThreadLog;
use crate::tool::{BoundCall, Tool};
use crate::transcript::{CallId, Openings, Origin, Question, Record, Text};
use crate::turn::{Fault, Outcome, Step, Turn, TurnEnd};

/// Performs the steps of one turn. It keeps nothing that a step needs to be performed again, except to save work.
pub(crate) struct Performer {
    pub(crate) agent: Arc<AgentParts>,
    pub(crate) log: Arc<ThreadLog>,
    pub(crate) models: PerModel<RunModel>,
    /// Which of the models answered last.
    pub(crate) answering: AtomicUsize,
    pub(crate) catalog: Arc<Catalog>,
    /// The tool whose arguments the answer itself is to be, where the model is held to it without a tool.
    pub(crate) native_output: Option<Arc<dyn Tool>>,
    pub(crate) run: RunHandle,
    pub(crate) stop: Stopper,
    pub(crate) events: Arc<dyn Emit>,
    /// Calls that were bound when their batch was prepared. A body takes its own from here; if it is gone, the
    /// canonical arguments bind again.
    pub(crate) bound: Mutex<HashMap<CallId, Box<dyn BoundCall>>>,
    pub(crate) provider_calls: AtomicU64,
    /// What an attempt's time-outs ring by.
    pub(crate) timer: SharedTimer,
    /// What was open when it was last told.
    pub(crate) told_open: Mutex<Openings>,
}

impl Performer {
    /// Performs the turn's present step.
    pub(crate) async fn perform(&self, turn: &Turn) -> Outcome {
        let outcome = self.perform_step(turn).await;
        self.tell_menu();
        outcome
    }

    async fn perform_step(&self, turn: &Turn) -> Outcome {
        match turn.step() {
            Step::Append(records) => {
                let origin = Origin { turn: turn.id().clone(), step: turn.number() };
                self.append(Some(origin), records.clone()).await.map_or_else(Outcome::Failed, |()| Outcome::Appended)
            }
            Step::Model { iteration } => Outcome::Model(self.call_model(*iteration).await),
            Step::Prepare(message) => self.prepare(message),
            Step::Ask { questions, .. } => self.ask(questions).await,
            Step::Tools(batch) => self.run_batch(turn.iteration(), batch).await,
            Step::Done(_) | Step::Over => Outcome::Appended,
        }
    }

    pub(super) async fn append(&self, origin: Option<Origin>, records: Vec<Record>) -> Result<(), Fault> {
        self.log.append(origin, records).await.map_err(|error| store_fault(&error))
    }

    async fn ask(&self, questions: &[Question]) -> Outcome {
        let answers = join_all(questions.iter().map(|question| self.agent.asker.ask(question.clone())));
        tokio::select! {
            biased;
            answers = answers => Outcome::Answers(answers),
            stop = self.stop.stopped() => Outcome::Stopped(stop),
        }
    }

    /// Says what happened, if anyone listens.
    pub(super) fn emit(&self, span: impl FnOnce() -> Option<Text>, kind: impl FnOnce() -> EventKind) {
        if self.events.wanted() {
            self.events.emit(kind(), span());
        }
    }

    pub(super) fn keep_bound(&self, id: &CallId, call: Box<dyn BoundCall>) {
        self.bound.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), call);
    }

    pub(super) fn take_bound(&self, id: &CallId) -> Option<Box<dyn BoundCall>> {
        self.bound.lock().unwrap_or_else(PoisonError::into_inner).remove(id)
    }
}

/// How a turn ended, once it has.
pub(crate) fn ended(turn: &Turn) -> Option<&TurnEnd> {
    match turn.step() {
        Step::Done(end) => Some(end),
        _ => None,
    }
}

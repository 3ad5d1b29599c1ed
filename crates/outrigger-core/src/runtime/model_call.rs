//! One provider call: draft, seal, attempts; and the next model when one fails for good.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::attempt::Attempt;
use super::faults::{causes, model_fault};
use super::models::RunModel;
use super::performer::Performer;
use super::retry::{another_may_answer, wait_after};
use crate::event::EventKind;
use crate::middleware::ModelEnd as InnermostModel;
use crate::middleware::{AttemptCx, ModelCx, ModelFuture, NextAttempt, NextModel};
use crate::model::{Assembler, ModelError, RequestDraft, SealedRequest};
use crate::transcript::{ModelResponse, Text};
use crate::turn::ModelEnd;

/// The provider call under way: what wrappers around the model end in.
pub(super) struct Call<'a> {
    pub(super) performer: &'a Performer,
    iteration: u32,
    /// What was streamed when the run was stopped.
    partial: Mutex<Option<ModelResponse>>,
}

impl Performer {
    /// Makes the iteration's provider call.
    pub(super) async fn call_model(&self, iteration: u32) -> ModelEnd {
        let model = &self.models.get(self.answering.load(Ordering::Relaxed)).model;
        self.emit(|| None, || EventKind::IterationStarted { model: model.profile().name.clone() });
        let call = Call { performer: self, iteration, partial: Mutex::default() };
        let cx = ModelCx { run: &self.run, iteration, events: &*self.events };
        if let Err(fault) = self.close_idle().await {
            return ModelEnd::Failed(fault);
        }
        let draft = RequestDraft { system: self.system(), extra: Vec::new() };
        let next = NextModel { chain: &self.agent.pipeline.model, end: &call };
        match next.run(&cx, draft).await {
            Ok(response) => {
                let (finish, usage) = (response.message.finish, response.usage);
                self.emit(|| None, || EventKind::IterationFinished { finish, usage });
                ModelEnd::Answered(response)
            }
            Err(error) => self.model_failed(&error, call.partial.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn model_failed(&self, error: &ModelError, partial: Option<ModelResponse>) -> ModelEnd {
        if let Some(stop) = self.stop.reason() {
            return ModelEnd::Stopped { stop, partial };
        }
        self.emit(
            || None,
            || EventKind::Error { source: "model".into(), kind: error.kind().as_str().into(), message: told(error) },
        );
        ModelEnd::Failed(model_fault(error))
    }
}

impl InnermostModel for Call<'_> {
    fn call<'a>(&'a self, _: &'a ModelCx<'a>, draft: RequestDraft) -> ModelFuture<'a> {
        Box::pin(self.ask_in_turn(draft))
    }
}

impl Call<'_> {
    /// Asks the model that answered last, and those after it while they fail. A run does not go back to one that
    /// failed: it would wait for it again in every iteration.
    async fn ask_in_turn(&self, draft: RequestDraft) -> Result<ModelResponse, ModelError> {
        let Performer { models, answering, stop, .. } = self.performer;
        let mut index = answering.load(Ordering::Relaxed);
        loop {
            let (error, attempt) = match self.ask(models.get(index), &draft).await {
                Ok(response) => return Ok(response),
                Err(failed) => failed,
            };
            let next = index.saturating_add(1);
            if next >= models.len() || stop.reason().is_some() || !another_may_answer(error.kind()) {
                return Err(error);
            }
            self.emit_retry(attempt, &error, Duration::ZERO, models.get(next));
            index = next;
            answering.store(index, Ordering::Relaxed);
        }
    }

    /// Asks one model, again where that may help. A failure comes with the attempt that it ended.
    async fn ask(&self, model: &RunModel, draft: &RequestDraft) -> Result<ModelResponse, (ModelError, AttemptName)> {
        let performer = self.performer;
        let call = performer.provider_calls.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let mut name = AttemptName { call, attempt: 1 };
        let request = self.seal(model, draft).await.map_err(|error| (error, name))?;
        loop {
            let (run, events) = (&performer.run, &*performer.events);
            let cx = AttemptCx { run, iteration: self.iteration, call, attempt: name.attempt, events };
            let span = performer.events.wanted().then(|| name.span());
            let attempt = Attempt { call: self, model, span };
            let next = NextAttempt { chain: &performer.agent.pipeline.attempt, end: &attempt };
            let error = match next.run(&cx, &request).await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            let (retries, left) = (performer.agent.limits.retries, performer.stop.time_left());
            match wait_after(name.attempt, retries, &error, left) {
                Some(wait) if performer.stop.reason().is_none() => {
                    self.emit_retry(name, &error, wait, model);
                    tokio::select! {
                        _ = performer.stop.stopped() => return Err((ModelError::cancelled(), name)),
                        () = tokio::time::sleep(wait) => {}
                    }
                }
                _ => return Err((error, name)),
            }
            name.attempt = name.attempt.saturating_add(1);
        }
    }

    async fn seal(&self, model: &RunModel, draft: &RequestDraft) -> Result<Arc<SealedRequest>, ModelError> {
        let view = self.performer.log.view();
        let menu = model.menus.menu(view.openings());
        let mut wire = model.wire.lock().await;
        wire.catch_up(&view);
        Ok(wire.seal(draft, &menu, model.output.as_ref().map(|item| &item.block), None)?)
    }

    pub(super) fn keep_partial(&self, assembler: Assembler) -> ModelError {
        let partial = (!assembler.is_empty()).then(|| assembler.finish());
        *self.partial.lock().unwrap_or_else(PoisonError::into_inner) = partial;
        ModelError::cancelled()
    }

    fn emit_retry(&self, failed: AttemptName, error: &ModelError, wait: Duration, next: &RunModel) {
        self.performer.emit(
            || Some(failed.span()),
            || EventKind::Retry {
                attempt: failed.attempt,
                kind: error.kind().as_str().into(),
                message: told(error),
                wait_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
                model: next.model.profile().name.clone(),
            },
        );
    }
}

/// Which attempt of a run it is.
#[derive(Clone, Copy)]
struct AttemptName {
    call: u64,
    attempt: u32,
}

impl AttemptName {
    /// What events of this attempt belong to.
    fn span(self) -> Text {
        format!("model_{}.{}", self.call, self.attempt).into()
    }
}

/// An error with what caused it, for a person.
fn told(error: &ModelError) -> Text {
    match causes(error) {
        Some(causes) => format!("{error}: {causes}").into(),
        None => error.to_string().into(),
    }
}

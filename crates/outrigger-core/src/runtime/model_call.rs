//! One provider call: draft, seal, dispatch.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;

use super::faults::{causes, model_fault};
use super::performer::Performer;
use crate::event::EventKind;
use crate::middleware::ModelEnd as InnermostModel;
use crate::middleware::{AttemptCx, AttemptEnd, ModelCx, ModelFuture, NextAttempt, NextModel};
use crate::model::{Assembler, ModelError, ModelErrorKind, Part, RequestDraft, SealedRequest};
use crate::transcript::{CallId, ModelResponse, Text};
use crate::turn::ModelEnd;

/// The provider call under way: what wrappers end in.
struct Call<'a> {
    performer: &'a Performer,
    iteration: u32,
    /// What was streamed when the run was stopped.
    partial: Mutex<Option<ModelResponse>>,
}

impl Performer {
    /// Makes the iteration's provider call.
    pub(super) async fn call_model(&self, iteration: u32) -> ModelEnd {
        let name = &self.agent.model.profile().name;
        self.emit(|| None, || EventKind::IterationStarted { model: name.clone() });
        let call = Call { performer: self, iteration, partial: Mutex::default() };
        let cx = ModelCx { run: &self.run, iteration, events: &*self.events };
        let draft = RequestDraft { system: self.agent.system.to_vec(), extra: Vec::new(), output: None };
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
            || EventKind::Error {
                source: "model".into(),
                kind: error.kind().as_str().into(),
                message: match causes(error) {
                    Some(causes) => format!("{error}: {causes}").into(),
                    None => error.to_string().into(),
                },
            },
        );
        ModelEnd::Failed(model_fault(error))
    }
}

impl InnermostModel for Call<'_> {
    fn call<'a>(&'a self, _: &'a ModelCx<'a>, draft: RequestDraft) -> ModelFuture<'a> {
        Box::pin(async move {
            let performer = self.performer;
            let request = {
                let mut wire = performer.wire.lock().await;
                wire.catch_up(&performer.log.view());
                wire.seal(&draft, &performer.menu, None)?
            };
            let call = performer.provider_calls.fetch_add(1, Ordering::Relaxed).saturating_add(1);
            let cx = AttemptCx { run: &performer.run, iteration: self.iteration, call, events: &*performer.events };
            NextAttempt { chain: &performer.agent.pipeline.attempt, end: self }.run(&cx, &request).await
        })
    }
}

impl AttemptEnd for Call<'_> {
    fn call<'a>(&'a self, _: &'a AttemptCx<'a>, request: &'a Arc<SealedRequest>) -> ModelFuture<'a> {
        Box::pin(async move {
            let performer = self.performer;
            let model = &performer.agent.model;
            let mut assembler = Assembler::new(model.profile().name.clone());
            let mut parts = model.stream(Arc::clone(request), performer.run.child());
            loop {
                let part = tokio::select! {
                    biased;
                    _ = performer.stop.stopped() => return Err(self.keep_partial(assembler)),
                    part = parts.next() => part,
                };
                match part {
                    Some(Ok(part)) => {
                        let id = |given: Option<&CallId>, index| self.call_id(given, index);
                        assembler.push(&part, id)?;
                        performer.emit_part(&mut assembler, part);
                    }
                    // A model that watches the run's flag may report the stop before it is seen here.
                    Some(Err(error)) if performer.stop.reason().is_some() => {
                        drop(error);
                        return Err(self.keep_partial(assembler));
                    }
                    Some(Err(error)) => return Err(error),
                    None if assembler.is_finished() => return Ok(assembler.finish()),
                    None => return Err(cut_off()),
                }
            }
        })
    }
}

impl Call<'_> {
    fn keep_partial(&self, assembler: Assembler) -> ModelError {
        let partial = (!assembler.is_empty()).then(|| assembler.finish());
        *self.partial.lock().unwrap_or_else(PoisonError::into_inner) = partial;
        ModelError::cancelled()
    }

    /// The provider's id, unless there is none or the thread has it already: some servers count anew in each answer.
    /// What is made up is stable: the place in the thread, and the place in the answer.
    fn call_id(&self, given: Option<&CallId>, index: usize) -> CallId {
        let known = |id: &CallId| self.performer.wire.try_lock().is_ok_and(|wire| wire.has_call(id));
        if let Some(id) = given.filter(|id| !id.as_str().is_empty() && !known(id)) {
            return id.clone();
        }
        let place = self.performer.log.view().messages().len();
        let mut name = format!("call_{place}_{}", index.saturating_add(1));
        while known(&name.as_str().into()) {
            name.push('_');
        }
        name.as_str().into()
    }
}

impl Performer {
    fn emit_part(&self, assembler: &mut Assembler, part: Part) {
        if !self.events.wanted() {
            return;
        }
        let (kind, span) = match part {
            Part::Text(text) => (EventKind::TextDelta { text, quoted: false }, None),
            Part::Quoted(text) => (EventKind::TextDelta { text, quoted: true }, None),
            Part::Reasoning(text) => (EventKind::ReasoningDelta { text }, None),
            Part::CallStarted { index, name, .. } => match assembler.call_id(index) {
                Some(call) => (EventKind::ToolCallStarted { call: call.clone(), name }, Some(call)),
                None => return,
            },
            Part::CallArguments { index, delta } => match assembler.call_id(index) {
                Some(call) => (EventKind::ToolCallArguments { call: call.clone(), delta }, Some(call)),
                None => return,
            },
            Part::Opaque(_) | Part::Usage(_) | Part::Finish(_) | Part::Alive => return,
        };
        self.events.emit(kind, span.map(|call| Text::from(call.as_str())));
    }
}

fn cut_off() -> ModelError {
    let message = "the model's stream ended in the middle of its answer: it did not say that, or why, it stopped";
    ModelError::new(ModelErrorKind::Stream, message)
}

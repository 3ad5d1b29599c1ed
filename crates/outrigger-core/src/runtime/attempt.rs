//! One attempt: a sealed request on the wire, its answer put together, its time-outs watched.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;

use super::model_call::Call;
use super::models::RunModel;
use super::performer::Performer;
use super::watch::Watch;
use crate::event::EventKind;
use crate::middleware::{AttemptCx, AttemptEnd, ModelFuture};
use crate::model::{Assembler, ModelError, ModelErrorKind, Part, SealedRequest};
use crate::transcript::{CallId, ModelResponse, Text};

/// One attempt of a provider call: what wrappers around attempts end in.
pub(super) struct Attempt<'a> {
    pub(super) call: &'a Call<'a>,
    pub(super) model: &'a RunModel,
    /// What the deltas of this attempt belong to.
    pub(super) span: Option<Text>,
}

impl AttemptEnd for Attempt<'_> {
    fn call<'a>(&'a self, _: &'a AttemptCx<'a>, request: &'a Arc<SealedRequest>) -> ModelFuture<'a> {
        Box::pin(self.listen(request))
    }
}

impl Attempt<'_> {
    async fn listen(&self, request: &Arc<SealedRequest>) -> Result<ModelResponse, ModelError> {
        let performer = self.call.performer;
        let model = &self.model.model;
        let mut assembler = Assembler::new(model.profile().name.clone());
        let mut watch = Watch::start(performer.run.timeouts(), &performer.timer);
        let mut stopped = pin!(performer.stop.stopped());
        let mut parts = model.stream(Arc::clone(request), performer.run.child());
        loop {
            let part = tokio::select! {
                biased;
                _ = &mut stopped => return Err(self.call.keep_partial(assembler)),
                part = parts.next() => part,
                error = watch.time_out() => return Err(error),
            };
            watch.heard();
            match part {
                Some(Ok(part)) => {
                    let id = |given: Option<&CallId>, index| self.call_id(given, index);
                    assembler.push(&part, id)?;
                    self.emit_part(performer, &mut assembler, part);
                }
                // A model that watches the run's flag may report the stop before it is seen here.
                Some(Err(error)) if performer.stop.reason().is_some() => {
                    drop(error);
                    return Err(self.call.keep_partial(assembler));
                }
                Some(Err(error)) => return Err(error),
                None if assembler.is_finished() => return Ok(assembler.finish()),
                None => return Err(cut_off()),
            }
        }
    }

    /// The provider's id, unless there is none or the thread has it already: some servers count anew in each answer.
    /// What is made up is stable: the place in the thread, and the place in the answer.
    fn call_id(&self, given: Option<&CallId>, index: usize) -> CallId {
        let known = |id: &CallId| self.model.wire.try_lock().is_ok_and(|wire| wire.has_call(id));
        if let Some(id) = given.filter(|id| !id.as_str().is_empty() && !known(id)) {
            return id.clone();
        }
        let place = self.call.performer.log.view().messages().len();
        let mut name = format!("call_{place}_{}", index.saturating_add(1));
        while known(&name.as_str().into()) {
            name.push('_');
        }
        name.as_str().into()
    }

    fn emit_part(&self, performer: &Performer, assembler: &mut Assembler, part: Part) {
        if !performer.events.wanted() {
            return;
        }
        let of_attempt = || self.span.clone();
        let (kind, span) = match part {
            Part::Text(text) => (EventKind::TextDelta { text, quoted: false }, of_attempt()),
            Part::Quoted(text) => (EventKind::TextDelta { text, quoted: true }, of_attempt()),
            Part::Reasoning(text) => (EventKind::ReasoningDelta { text }, of_attempt()),
            Part::CallStarted { index, name, .. } => match assembler.call_id(index) {
                Some(call) => (EventKind::ToolCallStarted { call: call.clone(), name }, Some(call.as_str().into())),
                None => return,
            },
            Part::CallArguments { index, delta } => match assembler.call_id(index) {
                Some(call) => (EventKind::ToolCallArguments { call: call.clone(), delta }, Some(call.as_str().into())),
                None => return,
            },
            Part::Opaque(_) | Part::Usage(_) | Part::Finish(_) | Part::Alive => return,
        };
        performer.events.emit(kind, span);
    }
}

fn cut_off() -> ModelError {
    let message = "the model's stream ended in the middle of its answer: it did not say that, or why, it stopped";
    ModelError::new(ModelErrorKind::Stream, message)
}

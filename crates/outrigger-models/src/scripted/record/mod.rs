//! Record and replay: what a model streamed, as a script.

mod answer;
mod file;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use outrigger_contract::SchemaProfile;
use outrigger_core::handle::RunHandle;
use outrigger_core::model::{
    Encode, IntoModel, Item, Model, ModelError, ModelErrorKind, ModelProfile, Part, SealedRequest,
};

use super::errors::ScriptError;
use super::profile::ScriptProfile;
use super::script::{OnEnd, Script, ScriptStep};
use answer::{Answer, End};
use file::RecordFile;

/// A recording of what models stream: one step for each attempt, in the order the attempts began. Requests are not in
/// it. Clones are one recording.
///
/// Played back over the same conversation, the script gives the same assistant messages. Text deltas are joined and
/// pauses left out, so that a person can read and edit it.
#[derive(Clone, Default)]
pub struct Recording {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    file: Option<RecordFile>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The dialect of the models, once there is one.
    schemas: Option<Arc<SchemaProfile>>,
    /// One an attempt; `None` while it goes on.
    steps: Vec<Option<ScriptStep>>,
    /// Why the file lacks a step.
    fault: Option<String>,
}

impl Recording {
    /// A recording in memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A recording in a file, which is replaced whole after each step: what is there is always a script.
    ///
    /// # Errors
    /// When the file cannot be written. It is written at once, without steps.
    pub fn to_file(path: &Path) -> Result<Self, ScriptError> {
        let file = RecordFile::new(path);
        let failed = |error| ScriptError::Unwritable { path: path.to_owned(), error };
        file.write(&Script::new()).map_err(failed)?;
        Ok(Self { shared: Arc::new(Shared { file: Some(file), state: Mutex::default() }) })
    }

    /// The same model, recorded. A recording takes any number of models, all of one schema dialect: the arguments in a
    /// script are written in one. A model of another one is refused when the agent is built.
    #[must_use]
    pub fn of(&self, model: impl IntoModel) -> Recorded {
        Recorded { model: model.into_model(), recording: self.clone() }
    }

    /// What was recorded so far.
    #[must_use]
    pub fn script(&self) -> Script {
        self.lock().script()
    }

    /// Why the file lacks what was recorded, if it does.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        self.lock().fault.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A model of the first one's dialect, or of any if it is the first.
    fn admit(&self, profile: &ModelProfile) -> Result<(), ModelError> {
        let mut state = self.lock();
        let first = state.schemas.get_or_insert_with(|| Arc::clone(&profile.schemas));
        if **first == *profile.schemas {
            return Ok(());
        }
        let (name, of) = (&profile.name, &profile.schemas.name);
        let message = format!(
            "a recording is of one schema dialect, which is {:?}, and {}:{} has {of:?}: record it in another file",
            first.name, name.provider, name.model,
        );
        Err(ModelError::new(ModelErrorKind::Rejected, message))
    }

    /// Begins a step.
    fn begin(&self) -> Result<usize, ModelError> {
        let mut state = self.lock();
        if let Some(fault) = &state.fault {
            return Err(unwritable(fault));
        }
        state.steps.push(None);
        Ok(state.steps.len().saturating_sub(1))
    }

    /// Ends a step. The lock is held while the file is written, so that no older script replaces a newer one.
    fn end(&self, index: usize, step: ScriptStep) -> Result<(), ModelError> {
        let mut state = self.lock();
        if let Some(slot) = state.steps.get_mut(index) {
            *slot = Some(step);
        }
        let Some(file) = &self.shared.file else { return Ok(()) };
        file.write(&state.script()).map_err(|error| {
            let fault = ScriptError::Unwritable { path: file.path().to_owned(), error }.to_string();
            let error = unwritable(&fault);
            state.fault = Some(fault);
            error
        })
    }
}

impl State {
    fn script(&self) -> Script {
        let profile = self.schemas.as_deref().and_then(ScriptProfile::of);
        Script { profile, steps: self.steps.iter().flatten().cloned().collect(), on_end: OnEnd::Fail }
    }
}

fn unwritable(fault: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Script, fault)
}

/// A model to be recorded, from [`Recording::of`].
pub struct Recorded {
    model: BoxFuture<'static, Result<Arc<dyn Model>, ModelError>>,
    recording: Recording,
}

impl IntoModel for Recorded {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        Box::pin(async move {
            let model = self.model.await?;
            self.recording.admit(model.profile())?;
            let model: Arc<dyn Model> = Arc::new(RecordedModel { model, recording: self.recording });
            Ok(model)
        })
    }
}

/// A model that is recorded.
struct RecordedModel {
    model: Arc<dyn Model>,
    recording: Recording,
}

impl Encode for RecordedModel {
    fn profile(&self) -> &ModelProfile {
        self.model.profile()
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        self.model.encode(item)
    }
}

impl Model for RecordedModel {
    fn stream(&self, request: Arc<SealedRequest>, run: RunHandle) -> BoxStream<'static, Result<Part, ModelError>> {
        let index = match self.recording.begin() {
            Ok(index) => index,
            Err(error) => return Box::pin(stream::once(std::future::ready(Err(error)))),
        };
        let attempt =
            Attempt { recording: self.recording.clone(), index, run: run.clone(), answer: Some(Answer::default()) };
        let parts = self.model.stream(request, run).fuse();
        Box::pin(stream::unfold((parts, attempt), |(mut parts, mut attempt)| async move {
            let part = attempt.hear(parts.next().await)?;
            Some((part, (parts, attempt)))
        }))
    }
}

/// An attempt under way. Dropped before its end, it is recorded as broken off.
struct Attempt {
    recording: Recording,
    index: usize,
    run: RunHandle,
    /// `None` once it is recorded.
    answer: Option<Answer>,
}

impl Attempt {
    /// Passes on what came. A recording that cannot be written fails the attempt, once it is over.
    fn hear(&mut self, part: Option<Result<Part, ModelError>>) -> Option<Result<Part, ModelError>> {
        match &part {
            Some(Ok(part)) => {
                if let Some(answer) = &mut self.answer {
                    answer.push(part);
                }
            }
            Some(Err(error)) => {
                // The model's own failure says more than that of the file, which is kept.
                drop(self.end(End::failed(error)));
            }
            None => {
                if let Err(error) = self.end(End::Closed) {
                    return Some(Err(error));
                }
            }
        }
        part
    }

    fn end(&mut self, end: End) -> Result<(), ModelError> {
        match self.answer.take() {
            Some(answer) => self.recording.end(self.index, answer.step(end)),
            None => Ok(()),
        }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        // A script has nobody who cancels; were a cancelled attempt a broken stream there, it would be tried again, with
        // the step that belongs to the next question.
        let end =
            if self.run.cancellation().is_cancelled() { End::failed(&ModelError::cancelled()) } else { End::BrokenOff };
        // Kept for the next attempt, and for `fault`.
        drop(self.end(end));
    }
}

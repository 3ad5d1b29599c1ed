//! The scripted model: it answers by a script and checks what it is sent.
//!
//! It is what you test your own agents with: no key, no network, the same answers every time.
//!
//! ```
//! use outrigger_models::scripted::{Script, ScriptedModel};
//!
//! let script = Script::new().call("current", r#"{"city":"Chicago"}"#).text("It is sunny.");
//! let model = ScriptedModel::new(script);
//! ```

mod errors;
mod expect;
mod profile;
mod record;
mod script;
mod stream;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use outrigger_contract::SchemaProfile;
use outrigger_core::handle::RunHandle;
use outrigger_core::model::{Encode, IntoModel, Item, Model, ModelError, ModelProfile, Part, SealedRequest};
use outrigger_core::transcript::{Dialect, ModelName};

pub use errors::ScriptError;
pub use expect::Expect;
pub use profile::ScriptProfile;
pub use record::{Recorded, Recording};
pub use script::{OnEnd, Script, ScriptCall, ScriptFault, ScriptOpaque, ScriptPart, ScriptStep, ScriptUsage};

/// A model that answers by a script. Clones share the script's place and what was recorded.
#[derive(Clone)]
pub struct ScriptedModel {
    shared: Arc<Shared>,
}

struct Shared {
    profile: ModelProfile,
    script: Script,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next: usize,
    requests: Vec<Arc<SealedRequest>>,
}

impl ScriptedModel {
    /// A model that answers by `script`.
    #[must_use]
    pub fn new(script: Script) -> Self {
        Self::named(script, "script")
    }

    /// A model that answers by the script in a file.
    ///
    /// # Errors
    /// When the file cannot be read or is not a script; with line and column.
    pub fn open(path: &Path) -> Result<Self, ScriptError> {
        Ok(Self::named(Script::read(path)?, &path.to_string_lossy()))
    }

    /// The same model, told of its tools in another schema dialect. It has no place or record of its own yet.
    #[must_use]
    pub fn with_schemas(self, schemas: SchemaProfile) -> Self {
        let profile = ModelProfile { schemas: Arc::new(schemas), ..self.shared.profile.clone() };
        let shared = Shared { profile, script: self.shared.script.clone(), state: Mutex::default() };
        Self { shared: Arc::new(shared) }
    }

    fn named(script: Script, model: &str) -> Self {
        let name = ModelName { provider: "scripted".into(), model: model.into() };
        let schemas = script.profile.map_or_else(SchemaProfile::canonical, ScriptProfile::schemas);
        let unknown = ModelProfile::unknown(name, Dialect::chat(), schemas);
        let profile = ModelProfile { images: true, native_output: true, ..unknown };
        Self { shared: Arc::new(Shared { profile, script, state: Mutex::default() }) }
    }

    /// Every request it was sent, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Arc<SealedRequest>> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }

    /// How many steps of the script were not reached.
    #[must_use]
    pub fn steps_left(&self) -> usize {
        let next = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).next;
        self.shared.script.steps.len().saturating_sub(next)
    }

    /// Records the request and takes the step that answers it, with its number from 1.
    fn take(&self, request: &Arc<SealedRequest>) -> Result<(usize, ScriptStep), ModelError> {
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.requests.push(Arc::clone(request));
        let steps = &self.shared.script.steps;
        let (index, step) = match (steps.get(state.next), self.shared.script.on_end) {
            (Some(step), _) => (state.next, step),
            (None, OnEnd::Repeat) => {
                let last = steps.len().saturating_sub(1);
                (last, steps.last().ok_or_else(|| errors::ended(steps.len()))?)
            }
            (None, OnEnd::Fail) => return Err(errors::ended(steps.len())),
        };
        state.next = index.saturating_add(1);
        Ok((index.saturating_add(1), step.clone()))
    }
}

impl Encode for ScriptedModel {
    fn profile(&self) -> &ModelProfile {
        &self.shared.profile
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        crate::plain::encode(item)
    }
}

impl Model for ScriptedModel {
    fn stream(&self, request: Arc<SealedRequest>, _: RunHandle) -> BoxStream<'static, Result<Part, ModelError>> {
        let answer = self.take(&request).and_then(|(number, step)| {
            step.expect.check(&request).map_err(|misses| errors::missed(number, &misses))?;
            Ok((number, step))
        });
        match answer {
            Ok((number, step)) => stream::answer(number, step),
            Err(error) => Box::pin(futures_util::stream::once(std::future::ready(Err(error)))),
        }
    }
}

impl IntoModel for ScriptedModel {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        let model: Arc<dyn Model> = Arc::new(self);
        Box::pin(std::future::ready(Ok(model)))
    }
}

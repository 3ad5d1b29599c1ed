//! The local model: a GGUF file that runs in this process, without a key and without a network.
//!
//! Its calls are decoded under a grammar made from the tools' closed schemas, so that every call binds, but for what a
//! grammar cannot say (see [`outrigger_local`]). It is honest about being small: after a tool result, a small model's
//! answer opens with the result itself, set by the adapter and marked as quoted.

mod convert;
mod load;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::stream::{self, BoxStream};
use outrigger_contract::SchemaProfile;
use outrigger_core::handle::RunHandle;
use outrigger_core::model::{Encode, Item, Model, ModelError, ModelProfile, Part, SealedRequest};
use outrigger_core::transcript::{Dialect, Finish, ModelName};
use outrigger_local::{Delta, End, Engine, Origin, Reply};
use tokio::sync::mpsc;

use crate::choice::OpenOptions;

/// What the default model is called.
const DEFAULT: &str = "SmolLM2-135M-Instruct";

/// How many parts may wait for a slow reader before the model waits too.
const PARTS: usize = 64;

/// How often a model that works without saying anything shows that it does.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// A model that runs in this process. It is fetched and loaded when it is first asked; it answers one request at a
/// time.
pub struct LocalModel {
    profile: ModelProfile,
    shared: Arc<Shared>,
}

struct Shared {
    source: Source,
    options: OpenOptions,
    engine: Mutex<Option<Engine>>,
}

/// Which file it is.
pub(crate) enum Source {
    /// The one that is fetched once.
    Default,
    /// The user's own.
    File(PathBuf),
}

impl LocalModel {
    /// The model of a GGUF file, or, for an empty name, the default one. Looks whether the file is one; loads nothing.
    ///
    /// # Errors
    /// When the file cannot be read or is not a GGUF file.
    pub fn open(file: &str, options: &OpenOptions) -> Result<Self, ModelError> {
        let (source, model, window) = if file.is_empty() {
            (Source::Default, DEFAULT.to_owned(), Some(8192))
        } else {
            let path = Path::new(file);
            load::probe(path)?;
            let stem = path.file_stem().map_or_else(|| file.into(), |stem| stem.to_string_lossy());
            (Source::File(path.to_owned()), stem.into_owned(), None)
        };
        let name = ModelName { provider: "local".into(), model: model.into() };
        let unknown = ModelProfile::unknown(name, Dialect::chat(), SchemaProfile::canonical());
        let profile = ModelProfile { context_window: window, ..unknown };
        let shared = Shared { source, options: options.clone(), engine: Mutex::default() };
        Ok(Self { profile, shared: Arc::new(shared) })
    }
}

impl Encode for LocalModel {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        crate::plain::encode(item)
    }
}

impl Model for LocalModel {
    fn stream(&self, request: Arc<SealedRequest>, run: RunHandle) -> BoxStream<'static, Result<Part, ModelError>> {
        let (parts, received) = mpsc::channel(PARTS);
        let shared = Arc::clone(&self.shared);
        // Inference keeps a core busy for seconds: it belongs off the executor. Dropping the stream closes the
        // channel, which the next token notices.
        tokio::task::spawn_blocking(move || {
            if let Err(error) = shared.answer(&request, &run, &parts) {
                // Nobody listens any more if this fails.
                drop(parts.blocking_send(Err(error)));
            }
        });
        Box::pin(stream::unfold(received, next_part))
    }
}

/// The next part; or a sign of life, for fetching, loading and reading a long prompt take their time.
async fn next_part(mut received: Received) -> Option<(Result<Part, ModelError>, Received)> {
    match tokio::time::timeout(SIGN_OF_LIFE, received.recv()).await {
        Ok(part) => part.map(|part| (part, received)),
        Err(_) => Some((Ok(Part::Alive), received)),
    }
}

type Received = mpsc::Receiver<Result<Part, ModelError>>;

type Parts = mpsc::Sender<Result<Part, ModelError>>;

impl Shared {
    fn answer(&self, request: &SealedRequest, run: &RunHandle, parts: &Parts) -> Result<(), ModelError> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let engine = match &mut *engine {
            Some(engine) => engine,
            empty => empty.insert(load::load(&self.source, &self.options, run.cancellation())?),
        };
        let conversation = convert::conversation(request);
        let examples = convert::examples(request);
        let tools = convert::tools(request, &examples);
        let mut said = |delta: Delta<'_>| {
            if run.cancellation().is_cancelled() || parts.is_closed() {
                return ControlFlow::Break(());
            }
            match part(delta).map_or(Ok(()), |part| parts.blocking_send(Ok(part))) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let reply = engine.respond(&conversation, &tools, &mut said).map_err(load::failed)?;
        for part in [Part::Usage(convert::usage(&reply)), Part::Finish(finish(&reply))] {
            if parts.blocking_send(Ok(part)).is_err() {
                break;
            }
        }
        Ok(())
    }
}

fn part(delta: Delta<'_>) -> Option<Part> {
    Some(match delta {
        Delta::Text { text, origin: Origin::Model } => Part::Text(text.into()),
        Delta::Text { text, origin: Origin::Adapter } => Part::Quoted(text.into()),
        Delta::CallStarted { index, name } => Part::CallStarted { index, id: None, name: name.into() },
        Delta::Arguments { index, json } => Part::CallArguments { index, delta: json.into() },
        _ => return None,
    })
}

fn finish(reply: &Reply) -> Finish {
    match (reply.end, reply.calls.is_empty()) {
        (End::Limit, _) => Finish::Length,
        (End::Complete, true) => Finish::Stop,
        (End::Complete, false) => Finish::Calls,
    }
}

//! The engine: a loaded model that answers conversations.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use crate::conversation::{Conversation, Delta, Reply, ToolView, Usage};
use crate::error::LocalError;
use crate::gguf::Gguf;
use crate::grammar::Grammars;
use crate::linear::Requantise;
use crate::model::Model;
use crate::prefix::{self, PrefixStore};
use crate::session::{Purpose, Session, Sink};
use crate::template::{Role, Template, Turn};
use crate::tokenizer::Tokenizer;
use crate::weights::{SMALL, Weights};
use crate::{full, small};

/// How a model is run.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Threads to compute with. Default: as many as the machine has cores.
    pub threads: Option<NonZeroUsize>,
    /// How weights are kept in memory.
    pub requantise: Requantise,
    /// Which profile to use. Default: by the number of parameters.
    pub profile: Option<ModelProfile>,
    /// Tokens of a text answer, at most. Default: 512.
    pub max_tokens: usize,
    /// Where the caches of fixed prefixes are kept. Default: nowhere.
    pub prefix_cache: Option<PathBuf>,
    /// Bytes that the files there may take together. Default: 256 MiB.
    pub prefix_cache_limit: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: None,
            requantise: Requantise::default(),
            profile: None,
            max_tokens: 512,
            prefix_cache: None,
            prefix_cache_limit: 256 << 20,
        }
    }
}

/// How tools are chosen and answers made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelProfile {
    /// For models below about a thousand million parameters: the adapter retrieves worked examples, chooses the tool
    /// by calibrated scores, and opens the answer with the result.
    Small,
    /// The model chooses between calling and answering, and writes its own answers.
    Full,
}

/// What a loaded model is.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelInfo {
    /// The name in the file, where it has one.
    pub name: Option<String>,
    /// The architecture, as GGUF names it.
    pub architecture: String,
    /// Parameters.
    pub parameters: usize,
    /// Tokens that fit into one context.
    pub window: usize,
    /// The profile in use.
    pub profile: ModelProfile,
    /// Bytes that the matrices take in memory.
    pub weight_bytes: usize,
}

/// A loaded model. It answers one conversation at a time, and remembers what it has read for the next.
pub struct Engine {
    pub(crate) session: Session,
    pub(crate) tokenizer: Arc<Tokenizer>,
    pub(crate) grammars: Grammars,
    pub(crate) max_tokens: usize,
    template: Template,
    prefixes: Option<PrefixStore>,
    info: ModelInfo,
}

impl Engine {
    /// Loads a GGUF file. `progress` is called with a fraction from 0 to 1.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or its architecture or tokenizer is not supported.
    pub fn load(path: &Path, options: &Options, progress: &mut (dyn FnMut(f32) + Send)) -> Result<Self, LocalError> {
        let mut gguf = Gguf::open(path)?;
        let tokenizer = Arc::new(Tokenizer::new(&gguf)?);
        let template = Template::new(&gguf, &tokenizer)?;
        let threads =
            options.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("local-model-{index}"))
            .build()
            .map_err(|e| LocalError::Threads { reason: e.to_string() })?;
        let weights = pool.install(|| Weights::load(&mut gguf, options.requantise, progress))?;
        let profile = options.profile.unwrap_or(if weights.parameters < SMALL {
            ModelProfile::Small
        } else {
            ModelProfile::Full
        });
        let info = ModelInfo {
            name: gguf.optional_text("general.name").map(str::to_owned),
            architecture: gguf.architecture()?.to_owned(),
            parameters: weights.parameters,
            window: weights.shape.window,
            profile,
            weight_bytes: weights.bytes(),
        };
        let model = Model { weights };
        let grammars = Grammars::new(&tokenizer, model.vocabulary())?;
        let prefixes = match &options.prefix_cache {
            Some(directory) => {
                let identity = identity(path, options.requantise)?;
                Some(PrefixStore::new(directory.clone(), identity, options.prefix_cache_limit))
            }
            None => None,
        };
        Ok(Self {
            session: Session::new(model, pool),
            tokenizer,
            grammars,
            max_tokens: options.max_tokens,
            template,
            prefixes,
            info,
        })
    }

    /// What the loaded model is.
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// Reads the fixed part of the prompt for a set of tools ahead of the first question, which is then answered
    /// sooner. Where there is a prefix cache, this costs the computation once a machine.
    ///
    /// # Errors
    ///
    /// As [`respond`](Self::respond).
    pub fn prepare(
        &mut self,
        system: &str,
        tools: &[ToolView<'_>],
        sink: &mut dyn FnMut(Delta<'_>) -> ControlFlow<()>,
    ) -> Result<(), LocalError> {
        let turns = match self.info.profile {
            ModelProfile::Small => small::fixed_turns(tools)?,
            ModelProfile::Full => full::fixed_turns(system, tools),
        };
        let tokens = self.template.encode(&turns, &self.tokenizer)?;
        self.session.turn_to(Purpose::Choice);
        self.read_fixed(&turns, &tokens, sink).map(|_| ())
    }

    /// Answers a conversation with text or calls.
    ///
    /// `sink` is given everything as it comes, and is asked before every chunk of a prompt and every token whether to
    /// go on: it cancels by returning `Break`.
    ///
    /// # Errors
    ///
    /// [`LocalError::Cancelled`], [`LocalError::ContextTooLong`], or a schema that no grammar can be made for.
    pub fn respond(
        &mut self,
        conversation: &Conversation,
        tools: &[ToolView<'_>],
        sink: &mut dyn FnMut(Delta<'_>) -> ControlFlow<()>,
    ) -> Result<Reply, LocalError> {
        let began = Instant::now();
        let mut first = None;
        let mut timed = |delta: Delta<'_>| {
            if !matches!(delta, Delta::Working) {
                first.get_or_insert_with(|| began.elapsed());
            }
            sink(delta)
        };
        let mut reply = match self.info.profile {
            ModelProfile::Small => small::respond(self, conversation, tools, &mut timed),
            ModelProfile::Full => full::respond(self, conversation, tools, &mut timed),
        }?;
        reply.timings.total = began.elapsed();
        reply.timings.first_output = first.unwrap_or(reply.timings.total);
        Ok(reply)
    }

    /// Makes the session stand behind a prompt, keeping `reserve` tokens of the window free for what is to follow. The
    /// first `fixed` turns are the same for many prompts.
    pub(crate) fn prompt(
        &mut self,
        purpose: Purpose,
        turns: &[Turn],
        fixed: usize,
        reserve: usize,
        usage: &mut Usage,
        sink: &mut Sink<'_>,
    ) -> Result<(), LocalError> {
        let tokens = self.template.encode(turns, &self.tokenizer)?;
        let window = self.info.window;
        if tokens.len() + reserve > window {
            return Err(LocalError::ContextTooLong { tokens: tokens.len() + reserve, window });
        }
        usage.prompt += tokens.len();
        self.session.turn_to(purpose);
        let computed = self.read_fixed(turns.get(..fixed).unwrap_or(turns), &tokens, sink)?;
        usage.cached += self.session.read(&tokens, sink)?.saturating_sub(computed);
        Ok(())
    }

    /// Reads the part of the prompt that is the same for every question, from a saved cache if there is one. Returns
    /// how many tokens had to be computed.
    ///
    /// The part is always read by itself, so that what follows is computed from the same numbers whether it came from
    /// a file or not.
    fn read_fixed(&mut self, turns: &[Turn], tokens: &[u32], sink: &mut Sink<'_>) -> Result<usize, LocalError> {
        if turns.is_empty() {
            return Ok(0);
        }
        // What the template makes of the fixed turns is found by following them with something else.
        let probe: Vec<Turn> = turns.iter().cloned().chain([(Role::User, "\u{1}".to_owned())]).collect();
        let probe = self.template.encode(&probe, &self.tokenizer)?;
        let common = probe.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        let fixed = tokens.get(..common).unwrap_or_default();
        if fixed.len() < prefix::SHORTEST || self.session.tokens().starts_with(fixed) {
            return Ok(0);
        }
        if let Some(runs) = self.prefixes.as_ref().and_then(|store| store.load(fixed))
            && self.session.restore(fixed, runs.into_iter())
        {
            return Ok(0);
        }
        let kept = self.session.read(fixed, sink)?;
        if let Some(store) = &self.prefixes {
            store.save(fixed, self.session.cache());
        }
        Ok(fixed.len() - kept)
    }
}

/// Identifies a model file without reading all of it: size, time of change, and the header, which has the vocabulary.
fn identity(path: &Path, requantise: Requantise) -> Result<String, LocalError> {
    use std::io::Read;
    let failed = |source| LocalError::File { action: "reading", path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(failed)?;
    let data = file.metadata().map_err(failed)?;
    let changed = data.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let mut head = Vec::new();
    file.take(1 << 20).read_to_end(&mut head).map_err(failed)?;
    let mut hash = Sha256::new();
    hash.update(format!("{} {} {requantise:?}", data.len(), changed.as_nanos()));
    hash.update(&head);
    Ok(prefix::hex(&hash.finalize()))
}

//! A model, and the tokens it has read so far.

use std::ops::ControlFlow;

use crate::cache::KvCache;
use crate::conversation::Delta;
use crate::error::LocalError;
use crate::model::Model;

/// Tokens of a prompt that are computed at once. Larger is faster, and slower to cancel: at the speed of a small
/// machine this is about a second.
const CHUNK: usize = 256;

/// The caller's view of the work, asked before every piece of it whether to go on.
pub(crate) type Sink<'a> = dyn FnMut(Delta<'_>) -> ControlFlow<()> + 'a;

/// Gives a delta to the caller, who may cancel.
pub(crate) fn tell(sink: &mut Sink<'_>, delta: Delta<'_>) -> Result<(), LocalError> {
    match sink(delta) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(LocalError::Cancelled),
    }
}

/// What a session reads for. Each purpose has its own memory, so that answering in words does not cost the long prompt
/// that tools are chosen with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Choice,
    Answer,
}

pub(crate) struct Session {
    pub(crate) model: Model,
    pool: rayon::ThreadPool,
    purpose: Purpose,
    read: Memory,
    /// The memory of the other purpose.
    aside: Memory,
}

/// Tokens that were read, and what the model remembers of them.
struct Memory {
    cache: KvCache,
    tokens: Vec<u32>,
    /// The hidden row of the last token, from which the next one is predicted.
    last: Vec<f32>,
}

/// A place to come back to.
pub(crate) struct Mark {
    length: usize,
    last: Vec<f32>,
}

impl Session {
    pub(crate) fn new(model: Model, pool: rayon::ThreadPool) -> Self {
        let memory = || Memory { cache: model.cache(), tokens: Vec::new(), last: Vec::new() };
        Self { read: memory(), aside: memory(), purpose: Purpose::Choice, model, pool }
    }

    /// Turns to the memory of a purpose.
    pub(crate) fn turn_to(&mut self, purpose: Purpose) {
        if self.purpose != purpose {
            self.purpose = purpose;
            std::mem::swap(&mut self.read, &mut self.aside);
        }
    }

    /// The tokens that are remembered.
    pub(crate) fn tokens(&self) -> &[u32] {
        &self.read.tokens
    }

    pub(crate) fn cache(&self) -> &KvCache {
        &self.read.cache
    }

    /// Makes `prompt` what the model has read, keeping what it has in common with what was read before. Returns how
    /// many tokens were kept.
    pub(crate) fn read(&mut self, prompt: &[u32], sink: &mut Sink<'_>) -> Result<usize, LocalError> {
        // The last token is always computed: its hidden row is not kept for every token.
        let most = prompt.len().saturating_sub(1);
        let common = self.read.tokens.iter().zip(prompt).take(most).take_while(|(a, b)| a == b).count();
        self.cut(common);
        self.feed(prompt.get(common..).unwrap_or_default(), sink)?;
        Ok(common)
    }

    /// Reads more tokens.
    pub(crate) fn feed(&mut self, tokens: &[u32], sink: &mut Sink<'_>) -> Result<(), LocalError> {
        let needed = self.read.tokens.len() + tokens.len();
        if needed > self.model.window() {
            return Err(LocalError::ContextTooLong { tokens: needed, window: self.model.window() });
        }
        for chunk in tokens.chunks(CHUNK) {
            tell(sink, Delta::Working)?;
            let Self { model, read, pool, .. } = self;
            match pool.install(|| model.forward(chunk, &mut read.cache)) {
                Ok(hidden) => {
                    self.read.last = self.model.last_row(&hidden).to_vec();
                    self.read.tokens.extend_from_slice(chunk);
                }
                Err(error) => {
                    // Some layers may have received the chunk: forget it in all of them.
                    self.cut(self.read.tokens.len());
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Computes with the session's threads.
    pub(crate) fn compute<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// The scores of all tokens as the next one.
    pub(crate) fn logits(&self) -> Result<Vec<f32>, LocalError> {
        self.pool.install(|| self.model.logits(&self.read.last))
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { length: self.read.tokens.len(), last: self.read.last.clone() }
    }

    pub(crate) fn rewind(&mut self, mark: &Mark) {
        self.cut(mark.length);
        self.read.last.clone_from(&mark.last);
    }

    fn cut(&mut self, length: usize) {
        self.read.tokens.truncate(length);
        self.read.cache.truncate(length);
    }

    /// Puts a saved cache in the place of what was read; `false`, and an empty session, if its sizes do not fit.
    pub(crate) fn restore(&mut self, tokens: &[u32], runs: impl Iterator<Item = Vec<f32>>) -> bool {
        self.cut(0);
        let length = self.read.cache.run_length(tokens.len());
        let mut fits = true;
        let mut runs = runs;
        for run in self.read.cache.runs_mut() {
            match runs.next() {
                Some(saved) if saved.len() == length => *run = saved,
                _ => fits = false,
            }
        }
        if fits && runs.next().is_none() {
            self.read.cache.advance(tokens.len());
            self.read.tokens = tokens.to_vec();
            true
        } else {
            self.cut(0);
            false
        }
    }
}

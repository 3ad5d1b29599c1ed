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

pub(crate) struct Session {
    pub(crate) model: Model,
    cache: KvCache,
    tokens: Vec<u32>,
    /// The hidden row of the last token, from which the next one is predicted.
    last: Vec<f32>,
    pool: rayon::ThreadPool,
}

/// A place to come back to.
pub(crate) struct Mark {
    length: usize,
    last: Vec<f32>,
}

impl Session {
    pub(crate) fn new(model: Model, pool: rayon::ThreadPool) -> Self {
        let cache = model.cache();
        Self { model, cache, tokens: Vec::new(), last: Vec::new(), pool }
    }

    /// The tokens that are remembered.
    pub(crate) fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    pub(crate) fn cache(&self) -> &KvCache {
        &self.cache
    }

    /// Makes `prompt` what the model has read, keeping what it has in common with what was read before. Returns how
    /// many tokens were kept.
    pub(crate) fn read(&mut self, prompt: &[u32], sink: &mut Sink<'_>) -> Result<usize, LocalError> {
        // The last token is always computed: its hidden row is not kept for every token.
        let most = prompt.len().saturating_sub(1);
        let common = self.tokens.iter().zip(prompt).take(most).take_while(|(a, b)| a == b).count();
        self.cut(common);
        self.feed(prompt.get(common..).unwrap_or_default(), sink)?;
        Ok(common)
    }

    /// Reads more tokens.
    pub(crate) fn feed(&mut self, tokens: &[u32], sink: &mut Sink<'_>) -> Result<(), LocalError> {
        let needed = self.tokens.len() + tokens.len();
        if needed > self.model.window() {
            return Err(LocalError::ContextTooLong { tokens: needed, window: self.model.window() });
        }
        for chunk in tokens.chunks(CHUNK) {
            tell(sink, Delta::Working)?;
            let Self { model, cache, pool, .. } = self;
            match pool.install(|| model.forward(chunk, cache)) {
                Ok(hidden) => {
                    self.last = self.model.last_row(&hidden).to_vec();
                    self.tokens.extend_from_slice(chunk);
                }
                Err(error) => {
                    // Some layers may have received the chunk: forget it in all of them.
                    self.cut(self.tokens.len());
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// The scores of all tokens as the next one.
    pub(crate) fn logits(&self) -> Result<Vec<f32>, LocalError> {
        self.pool.install(|| self.model.logits(&self.last))
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { length: self.tokens.len(), last: self.last.clone() }
    }

    pub(crate) fn rewind(&mut self, mark: &Mark) {
        self.cut(mark.length);
        self.last.clone_from(&mark.last);
    }

    fn cut(&mut self, length: usize) {
        self.tokens.truncate(length);
        self.cache.truncate(length);
    }

    /// Puts a saved cache in the place of what was read; `false`, and an empty session, if its sizes do not fit.
    pub(crate) fn restore(&mut self, tokens: &[u32], runs: impl Iterator<Item = Vec<f32>>) -> bool {
        self.cut(0);
        let length = self.cache.run_length(tokens.len());
        let mut fits = true;
        let mut runs = runs;
        for run in self.cache.runs_mut() {
            match runs.next() {
                Some(saved) if saved.len() == length => *run = saved,
                _ => fits = false,
            }
        }
        if fits && runs.next().is_none() {
            self.cache.advance(tokens.len());
            self.tokens = tokens.to_vec();
            true
        } else {
            self.cut(0);
            false
        }
    }
}

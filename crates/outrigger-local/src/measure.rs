//! Measuring a loaded model, for benchmarks and for the report of what a machine can do.

use std::ops::ControlFlow;
use std::time::Instant;

use crate::engine::Engine;
use crate::error::LocalError;
use crate::math;

/// What a model does on this machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Tokens a second when many are read at once.
    pub prompt_speed: f64,
    /// Tokens a second one at a time, as in generation.
    pub single_speed: f64,
    /// Mean loss a token over the text, in nats.
    pub loss: f32,
}

impl Engine {
    /// Reads the first `many` tokens of a text at once, and then `few` of them one at a time.
    ///
    /// # Errors
    ///
    /// When the text does not fit into the window.
    pub fn measure(&mut self, text: &str, many: usize, few: usize) -> Result<Measured, LocalError> {
        let mut tokens = self.tokenizer.encode_plain(text);
        tokens.truncate(many);
        let mut go_on = |_: crate::Delta<'_>| ControlFlow::Continue(());
        let (loss, prompt_speed) = self.loss(&tokens)?;
        let began = Instant::now();
        self.session.read(tokens.get(..1).unwrap_or_default(), &mut go_on)?;
        let singles = tokens.get(1..).unwrap_or_default().iter().take(few);
        let count = singles.len();
        for token in singles {
            self.session.feed(&[*token], &mut go_on)?;
            self.session.logits()?;
        }
        Ok(Measured { prompt_speed, single_speed: speed(count, began), loss })
    }

    fn loss(&self, tokens: &[u32]) -> Result<(f32, f64), LocalError> {
        let model = &self.session.model;
        let mut cache = model.cache();
        let began = Instant::now();
        let hidden = self.session.compute(|| model.forward(tokens, &mut cache))?;
        let prompt_speed = speed(tokens.len(), began);
        let logits = self.session.compute(|| model.logits(&hidden))?;
        let rows = logits.chunks_exact(model.vocabulary().max(1));
        let losses = rows.zip(tokens.iter().skip(1)).map(|(row, &next)| {
            let logit = row.get(next as usize).copied().unwrap_or(f32::NEG_INFINITY);
            math::log_sum_exp(row.iter().copied()) - logit
        });
        #[allow(clippy::cast_precision_loss, reason = "a few hundred tokens")]
        let count = tokens.len().saturating_sub(1).max(1) as f32;
        Ok((losses.sum::<f32>() / count, prompt_speed))
    }
}

fn speed(tokens: usize, since: Instant) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "a few hundred tokens")]
    let tokens = tokens as f64;
    tokens / since.elapsed().as_secs_f64().max(f64::MIN_POSITIVE)
}

//! Rotary position embedding.

use crate::error::LocalError;
use crate::gguf::Gguf;

/// Which elements of a head are rotated together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pairing {
    /// `(0,1), (2,3), …`: the llama family, whose GGUF writer permutes the weights to suit.
    Neighbours,
    /// `(0,n/2), (1,n/2+1), …`: the qwen family.
    Halves,
}

pub(crate) struct Rope {
    pairing: Pairing,
    /// One angular step a position for each rotated pair.
    frequencies: Vec<f32>,
}

impl Rope {
    pub(crate) fn new(
        gguf: &Gguf,
        prefix: &str,
        pairing: Pairing,
        head: usize,
        factors: Option<&[f32]>,
    ) -> Result<Self, LocalError> {
        let base = gguf.float(&format!("{prefix}.rope.freq_base")).unwrap_or(10_000.0);
        let key = format!("{prefix}.rope.dimension_count");
        let rotated = if gguf.integer(&key).is_some() { gguf.count(&key, head)? } else { head };
        let scaling = gguf.optional_text(&format!("{prefix}.rope.scaling.type")).unwrap_or("none");
        let linear = match scaling {
            "none" => 1.0,
            "linear" => gguf.float(&format!("{prefix}.rope.scaling.factor")).unwrap_or(1.0),
            other => {
                return Err(LocalError::Architecture {
                    found: format!("{prefix} with rope scaling {other}"),
                    supported: "rope scaling `none`, `linear` and stored frequency factors",
                });
            }
        };
        #[allow(clippy::cast_precision_loss, reason = "head sizes are far below 2^24")]
        let frequencies = (0..rotated / 2)
            .map(|pair| {
                let factor = factors.and_then(|f| f.get(pair)).copied().unwrap_or(1.0);
                base.powf(-2.0 * pair as f32 / rotated as f32) / (factor * linear)
            })
            .collect();
        Ok(Self { pairing, frequencies })
    }

    /// Rotates every head of every row of `x`; row `i` stands at position `start + i`.
    pub(crate) fn rotate(&self, x: &mut [f32], row: usize, head: usize, start: usize) {
        let pairs = self.frequencies.len();
        for (offset, row) in x.chunks_exact_mut(row).enumerate() {
            #[allow(clippy::cast_precision_loss, reason = "positions are far below 2^24")]
            let position = (start + offset) as f32;
            let turns: Vec<(f32, f32)> = self.frequencies.iter().map(|f| (position * f).sin_cos()).collect();
            for head in row.chunks_exact_mut(head) {
                let turn = |a: &mut f32, b: &mut f32, (sin, cos): (f32, f32)| {
                    (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
                };
                match self.pairing {
                    Pairing::Neighbours => {
                        for (pair, &t) in head.chunks_exact_mut(2).zip(&turns) {
                            if let [a, b] = pair {
                                turn(a, b, t);
                            }
                        }
                    }
                    Pairing::Halves => {
                        let (low, rest) = head.split_at_mut(pairs);
                        for ((a, b), &t) in low.iter_mut().zip(rest).zip(&turns) {
                            turn(a, b, t);
                        }
                    }
                }
            }
        }
    }
}

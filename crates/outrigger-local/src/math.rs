//! The small vector loops between the matrix products.
//!
//! Each is dispatched once a call to the widest instruction set the processor has, since the crate is built without
//! native-CPU flags. The bodies are written in fixed-width lanes so that the compiler vectorises them.

use pulp::Arch;

/// Independent partial sums: wide enough for two 256-bit accumulators, and a fixed summation order.
const LANES: usize = 16;

#[inline(always)]
fn dot_body(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let tail: f32 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_chunks.zip(b_chunks) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f32>() + tail
}

/// `scores[i] = dot(query, keys[i]) * scale`, with `keys` holding rows of the query's length.
pub(crate) fn scaled_dots(query: &[f32], keys: &[f32], scale: f32, scores: &mut [f32]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (score, key) in scores.iter_mut().zip(keys.chunks_exact(query.len())) {
                *score = dot_body(query, key) * scale;
            }
        },
    );
}

/// `out += Σ weights[i] * values[i]`, with `values` holding rows of the output's length.
pub(crate) fn weighted_sum(weights: &[f32], values: &[f32], out: &mut [f32]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (weight, value) in weights.iter().zip(values.chunks_exact(out.len())) {
                for (o, v) in out.iter_mut().zip(value) {
                    *o += weight * v;
                }
            }
        },
    );
}

/// Root-mean-square normalisation of every row of `x`, as the GGUF llama family uses it.
pub(crate) fn rms_norm(x: &mut [f32], weight: &[f32], epsilon: f32) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for row in x.chunks_exact_mut(weight.len()) {
                #[allow(clippy::cast_precision_loss, reason = "row lengths are far below 2^24")]
                let mean = dot_body(row, row) / row.len() as f32;
                let scale = (mean + epsilon).sqrt().recip();
                for (x, w) in row.iter_mut().zip(weight) {
                    *x *= scale * w;
                }
            }
        },
    );
}

/// Turns scores into a distribution, in place.
pub(crate) fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - most).exp();
        total += *score;
    }
    let scale = if total > 0.0 { total.recip() } else { 0.0 };
    scores.iter_mut().for_each(|s| *s *= scale);
}

/// `gate = silu(gate) * up`, the gated activation of the feed-forward block.
pub(crate) fn silu_gate(gate: &mut [f32], up: &[f32]) {
    for (g, u) in gate.iter_mut().zip(up) {
        *g = *g / (1.0 + (-*g).exp()) * u;
    }
}

pub(crate) fn add(to: &mut [f32], what: &[f32]) {
    to.iter_mut().zip(what).for_each(|(t, w)| *t += w);
}

/// `log Σ exp(x)`, the normaliser of log probabilities.
pub(crate) fn log_sum_exp(values: impl Iterator<Item = f32> + Clone) -> f32 {
    let most = values.clone().fold(f32::NEG_INFINITY, f32::max);
    if most == f32::NEG_INFINITY {
        return most;
    }
    most + values.map(|v| (v - most).exp()).sum::<f32>().ln()
}

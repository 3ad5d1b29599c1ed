//! The forward pass of a llama-like transformer over quantised weights.

use crate::cache::{KvCache, LayerCache};
use crate::error::LocalError;
use crate::math;
use crate::weights::{Layer, Weights};

pub(crate) struct Model {
    pub(crate) weights: Weights,
}

impl Model {
    /// An empty cache of this model's shape.
    pub(crate) fn cache(&self) -> KvCache {
        let shape = &self.weights.shape;
        KvCache::new(shape.layers, shape.heads.key_value, shape.heads.size)
    }

    pub(crate) fn window(&self) -> usize {
        self.weights.shape.window
    }

    /// Size of the vocabulary that the output matrix knows.
    pub(crate) fn vocabulary(&self) -> usize {
        self.weights.embedding.outputs()
    }

    /// Reads `tokens` into the cache and returns the last hidden row of each.
    ///
    /// An error leaves the cache with a partial chunk; the caller cuts it back to its declared length.
    pub(crate) fn forward(&self, tokens: &[u32], cache: &mut KvCache) -> Result<Vec<f32>, LocalError> {
        let mut x = self.weights.embedding.rows(tokens)?;
        let start = cache.len();
        for (layer, cache) in self.weights.layers.iter().zip(&mut cache.layers) {
            self.attention(layer, cache, &mut x, tokens.len(), start)?;
            self.feed_forward(layer, &mut x, tokens.len())?;
        }
        cache.advance(tokens.len());
        Ok(x)
    }

    /// The score of every token of the vocabulary as the next one after each given hidden row.
    pub(crate) fn logits(&self, hidden: &[f32]) -> Result<Vec<f32>, LocalError> {
        let Weights { shape, out_norm, output, embedding, .. } = &self.weights;
        let mut hidden = hidden.to_vec();
        math::rms_norm(&mut hidden, out_norm, shape.epsilon);
        output.as_ref().unwrap_or(embedding).forward(&hidden, hidden.len() / shape.width)
    }

    /// The last of the hidden rows.
    pub(crate) fn last_row<'a>(&self, hidden: &'a [f32]) -> &'a [f32] {
        hidden.rchunks_exact(self.weights.shape.width).next().unwrap_or_default()
    }

    fn attention(
        &self,
        layer: &Layer,
        cache: &mut LayerCache,
        x: &mut [f32],
        rows: usize,
        start: usize,
    ) -> Result<(), LocalError> {
        let Weights { shape, rope, .. } = &self.weights;
        let heads = shape.heads;
        let mut normed = x.to_vec();
        math::rms_norm(&mut normed, &layer.attention_norm, shape.epsilon);
        let mut queries = layer.query.forward(&normed, rows)?;
        let mut keys = layer.key.forward(&normed, rows)?;
        let values = layer.value.forward(&normed, rows)?;
        if let Some(norm) = &layer.query_norm {
            math::rms_norm(&mut queries, norm, shape.epsilon);
        }
        if let Some(norm) = &layer.key_norm {
            math::rms_norm(&mut keys, norm, shape.epsilon);
        }
        rope.rotate(&mut queries, heads.query * heads.size, heads.size, start);
        rope.rotate(&mut keys, heads.key_value * heads.size, heads.size, start);
        heads.append(cache, &keys, &values);
        let attended = heads.attend(cache, &queries, rows)?;
        math::add(x, &layer.attention_out.forward(&attended, rows)?);
        Ok(())
    }

    fn feed_forward(&self, layer: &Layer, x: &mut [f32], rows: usize) -> Result<(), LocalError> {
        let mut normed = x.to_vec();
        math::rms_norm(&mut normed, &layer.feed_norm, self.weights.shape.epsilon);
        let mut gate = layer.gate.forward(&normed, rows)?;
        let up = layer.up.forward(&normed, rows)?;
        math::silu_gate(&mut gate, &up);
        math::add(x, &layer.down.forward(&gate, rows)?);
        Ok(())
    }
}

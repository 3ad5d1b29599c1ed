//! Causal attention with grouped query heads.

use candle_core::{Device, Tensor};
use rayon::prelude::*;

use crate::cache::{HeadCache, LayerCache};
use crate::error::LocalError;
use crate::math;

/// The sizes that attention needs, fixed for a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heads {
    pub(crate) query: usize,
    pub(crate) key_value: usize,
    pub(crate) size: usize,
}

impl Heads {
    /// Query heads that share one key-value head.
    fn group(&self) -> usize {
        self.query / self.key_value
    }

    /// Adds the rows of a chunk to the cache. `keys` and `values` hold whole rows, all key-value heads side by side.
    pub(crate) fn append(&self, cache: &mut LayerCache, keys: &[f32], values: &[f32]) {
        let row = self.key_value * self.size;
        for (keys, values) in keys.chunks_exact(row).zip(values.chunks_exact(row)) {
            let rows = keys.chunks_exact(self.size).zip(values.chunks_exact(self.size));
            for (head, (key, value)) in cache.heads.iter_mut().zip(rows) {
                head.keys.extend_from_slice(key);
                head.values.extend_from_slice(value);
            }
        }
    }

    /// Attends from `rows` query rows, the last ones of the cache, to everything up to each.
    pub(crate) fn attend(&self, cache: &LayerCache, queries: &[f32], rows: usize) -> Result<Vec<f32>, LocalError> {
        /// Below this many rows the blocked product does not pay for its copies.
        const BLOCKED_ROWS: usize = 8;
        let per_head: Vec<Vec<f32>> = cache
            .heads
            .par_iter()
            .enumerate()
            .map(|(index, head)| {
                let queries = self.gather(queries, index);
                if rows < BLOCKED_ROWS {
                    Ok(self.direct(head, &queries, rows))
                } else {
                    self.blocked(head, queries, rows)
                }
            })
            .collect::<Result<_, LocalError>>()?;
        Ok(self.scatter(&per_head, rows))
    }

    /// The queries of one group, row after row.
    fn gather(&self, queries: &[f32], index: usize) -> Vec<f32> {
        let width = self.group() * self.size;
        queries
            .chunks_exact(self.query * self.size)
            .filter_map(|row| row.chunks_exact(width).nth(index))
            .flatten()
            .copied()
            .collect()
    }

    fn scatter(&self, per_head: &[Vec<f32>], rows: usize) -> Vec<f32> {
        let width = self.group() * self.size;
        let mut out = Vec::with_capacity(rows * self.query * self.size);
        for row in 0..rows {
            for head in per_head {
                out.extend(head.chunks_exact(width).nth(row).into_iter().flatten());
            }
        }
        out
    }

    #[allow(clippy::cast_precision_loss, reason = "head sizes are far below 2^24")]
    fn scale(&self) -> f32 {
        (self.size as f32).sqrt().recip()
    }

    /// How many cached tokens query row `row` of `rows` may see.
    fn visible(&self, head: &HeadCache, row: usize, rows: usize) -> usize {
        head.keys.len() / self.size + row + 1 - rows
    }

    fn direct(&self, head: &HeadCache, queries: &[f32], rows: usize) -> Vec<f32> {
        let mut out = vec![0.0; queries.len()];
        let mut scores = vec![0.0; head.keys.len() / self.size];
        for (index, (query, out)) in queries.chunks_exact(self.size).zip(out.chunks_exact_mut(self.size)).enumerate() {
            let visible = self.visible(head, index / self.group(), rows);
            let scores = scores.get_mut(..visible).unwrap_or_default();
            math::scaled_dots(query, &head.keys, self.scale(), scores);
            math::softmax(scores);
            math::weighted_sum(scores, &head.values, out);
        }
        out
    }

    fn blocked(&self, head: &HeadCache, queries: Vec<f32>, rows: usize) -> Result<Vec<f32>, LocalError> {
        let length = head.keys.len() / self.size;
        let stacked = rows * self.group();
        let queries = Tensor::from_vec(queries, (stacked, self.size), &Device::Cpu)?;
        let keys = Tensor::from_slice(&head.keys, (length, self.size), &Device::Cpu)?;
        let values = Tensor::from_slice(&head.values, (length, self.size), &Device::Cpu)?;
        let mut scores = queries.matmul(&keys.t()?)?.flatten_all()?.to_vec1::<f32>()?;
        for (index, row) in scores.chunks_exact_mut(length).enumerate() {
            let (seen, unseen) = row.split_at_mut(self.visible(head, index / self.group(), rows));
            seen.iter_mut().for_each(|s| *s *= self.scale());
            math::softmax(seen);
            unseen.fill(0.0);
        }
        let scores = Tensor::from_vec(scores, (stacked, length), &Device::Cpu)?;
        Ok(scores.matmul(&values)?.flatten_all()?.to_vec1::<f32>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_attending_agree() {
        let heads = Heads { query: 4, key_value: 2, size: 8 };
        let value = |i: usize| ((i * 2_654_435_761) % 1000) as f32 / 500.0 - 1.0;
        let rows = 9;
        let values = |seed: usize, width: usize| (0..rows * width).map(|i| value(i + seed)).collect::<Vec<f32>>();
        let mut cache = LayerCache { heads: vec![HeadCache::default(); 2] };
        heads.append(&mut cache, &values(1, 16), &values(2, 16));
        let queries = values(3, 32);
        for (index, head) in cache.heads.iter().enumerate() {
            let gathered = heads.gather(&queries, index);
            let direct = heads.direct(head, &gathered, rows);
            let blocked = heads.blocked(head, gathered, rows).unwrap();
            let worst = direct.iter().zip(&blocked).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 1e-5, "{worst}");
        }
    }
}

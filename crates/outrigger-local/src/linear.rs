//! A quantised matrix, and the two ways to multiply by it.

use candle_core::quantized::k_quants::{BlockQ4_0, BlockQ8_0};
use candle_core::quantized::{GgmlDType, GgmlType, QTensor, QuantizedType};
use candle_core::{CpuStorage, Device, Tensor};
use rayon::prelude::*;

use crate::error::LocalError;

/// How weights are kept in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Requantise {
    /// Q8_0 for every matrix of a small model, and in any model for the types that candle has no vector kernel for;
    /// the rest as stored. Accuracy is that of the file, for all that was measured.
    #[default]
    Automatic,
    /// Q8_0 for every matrix: the fastest to compute, about 1.06 bytes a parameter.
    Q8,
    /// Q4_0 for every matrix: half the memory of Q8_0 and a visible loss of accuracy.
    Q4,
    /// As stored. Q4_1, Q5_0, Q5_1 and plain floats are then computed by scalar code, some twenty times slower.
    Never,
}

/// From this many rows on, a matrix is dequantised and multiplied in single precision: the blocked product is several
/// times faster than row-by-row quantised dot products, and the conversion is paid once a chunk.
const DENSE_ROWS: usize = 24;

pub(crate) struct Linear {
    weight: Box<dyn Rows>,
    bias: Option<Vec<f32>>,
    inputs: usize,
    outputs: usize,
}

impl Linear {
    /// Takes a tensor of shape `[outputs, inputs]`, converting it if `requantise` says so.
    pub(crate) fn new(
        tensor: &QTensor,
        bias: Option<Vec<f32>>,
        requantise: Requantise,
        small: bool,
    ) -> Result<Self, LocalError> {
        let (outputs, inputs) = tensor.shape().dims2()?;
        let stored = tensor.dtype();
        let floats = || -> Result<Vec<f32>, LocalError> {
            Ok(tensor.dequantize(&Device::Cpu)?.flatten_all()?.to_vec1::<f32>()?)
        };
        let weight: Box<dyn Rows> = match kept_as(stored, inputs, requantise, small) {
            Some(GgmlDType::Q4_0) => Box::new(Blocks::<BlockQ4_0>::new(&floats()?, inputs)),
            Some(_) => Box::new(Blocks::<BlockQ8_0>::new(&floats()?, inputs)),
            None => Box::new(Stored { blocks: stored.from_data(tensor.data()?), inputs, outputs }),
        };
        Ok(Self { weight, bias, inputs, outputs })
    }

    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    pub(crate) fn bytes(&self) -> usize {
        self.weight.bytes()
    }

    /// `x` holds `rows` rows of `inputs` numbers; the result holds as many rows of `outputs` numbers.
    pub(crate) fn forward(&self, x: &[f32], rows: usize) -> Result<Vec<f32>, LocalError> {
        let mut y =
            if rows >= DENSE_ROWS { self.dense(x, rows)? } else { self.weight.multiply(x, rows, self.outputs)? };
        if let Some(bias) = &self.bias {
            for row in y.chunks_exact_mut(self.outputs) {
                row.iter_mut().zip(bias).for_each(|(y, b)| *y += b);
            }
        }
        Ok(y)
    }

    /// Every thread dequantises its share of the outputs and multiplies by it while it is still in its cache.
    fn dense(&self, x: &[f32], rows: usize) -> Result<Vec<f32>, LocalError> {
        let x = Tensor::from_slice(x, (rows, self.inputs), &Device::Cpu)?;
        in_shares(self.outputs, rows, 1, |share| {
            let weight =
                Tensor::from_vec(self.weight.dequantise(share.clone())?, (share.len(), self.inputs), &Device::Cpu)?;
            Ok(x.matmul(&weight.t()?)?.flatten_all()?.to_vec1::<f32>()?)
        })
    }

    /// The rows named by `ids`, as an embedding table is read.
    pub(crate) fn rows(&self, ids: &[u32]) -> Result<Vec<f32>, LocalError> {
        let mut out = Vec::with_capacity(ids.len() * self.inputs);
        for &id in ids {
            let id = id as usize;
            out.extend(self.weight.dequantise(id..id + 1)?);
        }
        Ok(out)
    }
}

/// The type a tensor is converted to, or nothing if it stays as stored.
fn kept_as(stored: GgmlDType, inputs: usize, requantise: Requantise, small: bool) -> Option<GgmlDType> {
    use GgmlDType::{Q2K, Q3K, Q4_0, Q4K, Q5K, Q6K, Q8_0};
    let vectorised = matches!(stored, Q4_0 | Q2K | Q3K | Q4K | Q5K | Q6K);
    let wanted = match requantise {
        Requantise::Never => None,
        Requantise::Q4 => Some(Q4_0),
        Requantise::Q8 => Some(Q8_0),
        Requantise::Automatic => (small || !vectorised).then_some(Q8_0),
    };
    wanted.filter(|to| inputs.is_multiple_of(to.block_size()))
}

/// Computes the outputs in shares, one or more a thread, and puts the shares together row by row.
///
/// Shares are small enough that a thread that lost its core for a moment holds up little: on a busy machine the others
/// take what it has not started.
fn in_shares(
    outputs: usize,
    rows: usize,
    shares_a_thread: usize,
    compute: impl Fn(std::ops::Range<usize>) -> Result<Vec<f32>, LocalError> + Sync,
) -> Result<Vec<f32>, LocalError> {
    let share = outputs.div_ceil(rayon::current_num_threads() * shares_a_thread).next_multiple_of(QUAD);
    let starts: Vec<usize> = (0..outputs).step_by(share).collect();
    let parts = starts
        .into_par_iter()
        .map(|start| compute(start..outputs.min(start + share)))
        .collect::<Result<Vec<_>, LocalError>>()?;
    let mut y = vec![0.0; rows * outputs];
    for (row, y) in y.chunks_exact_mut(outputs).enumerate() {
        for (y, part) in y.chunks_mut(share).zip(&parts) {
            let width = y.len();
            if let Some(part) = part.get(row * width..(row + 1) * width) {
                y.copy_from_slice(part);
            }
        }
    }
    Ok(y)
}

/// A matrix by rows, one row an output.
trait Rows: Send + Sync {
    /// Multiplies a few rows of inputs by quantised dot products.
    fn multiply(&self, x: &[f32], rows: usize, outputs: usize) -> Result<Vec<f32>, LocalError>;

    /// The given rows in single precision.
    fn dequantise(&self, rows: std::ops::Range<usize>) -> Result<Vec<f32>, LocalError>;

    fn bytes(&self) -> usize;
}

/// Outputs computed together, sharing the loads of the input.
const QUAD: usize = 4;

/// Blocks of one type, multiplied here rather than by candle: candle's own product meets at a spinning barrier after
/// every matrix, which drops to a few tokens a second as soon as another process wants one of the cores.
struct Blocks<T> {
    blocks: Vec<T>,
    inputs: usize,
}

impl<T: GgmlType> Blocks<T> {
    fn new(floats: &[f32], inputs: usize) -> Self {
        let mut blocks = vec![T::zeros(); floats.len() / T::BLCK_SIZE];
        let row = (inputs / T::BLCK_SIZE).max(1);
        // Rows are independent, and converting them is most of what loading costs.
        let rows = blocks.par_chunks_mut(row).zip(floats.par_chunks(row * T::BLCK_SIZE));
        rows.with_min_len(64).for_each(|(blocks, floats)| T::from_float(floats, blocks));
        Self { blocks, inputs }
    }

    fn row(&self) -> usize {
        self.inputs / T::BLCK_SIZE
    }

    fn share(&self, x: &[T::VecDotType], rows: usize, share: std::ops::Range<usize>) -> Vec<f32> {
        let (row, width) = (self.row(), share.len());
        let weights = self.blocks.get(share.start * row..share.end * row).unwrap_or_default();
        let mut out = vec![0.0; rows * width];
        for (quad, weights) in weights.chunks(row * QUAD).enumerate() {
            for (x, out) in x.chunks_exact(row).zip(out.chunks_exact_mut(width)) {
                let out = out.get_mut(quad * QUAD..).unwrap_or_default();
                let mut of = weights.chunks_exact(row);
                if let (Some(a), Some(b), Some(c), Some(d), [p, q, r, s, ..]) =
                    (of.next(), of.next(), of.next(), of.next(), &mut *out)
                {
                    (*p, *q, *r, *s) = T::vec_dot_4(self.inputs, a, b, c, d, x);
                } else {
                    for (y, weights) in out.iter_mut().zip(weights.chunks_exact(row)) {
                        *y = T::vec_dot(self.inputs, weights, x);
                    }
                }
            }
        }
        out
    }
}

impl<T: GgmlType> Rows for Blocks<T> {
    fn multiply(&self, x: &[f32], rows: usize, outputs: usize) -> Result<Vec<f32>, LocalError> {
        let mut quantised = vec![T::VecDotType::zeros(); rows * self.row()];
        for (x, quantised) in x.chunks_exact(self.inputs).zip(quantised.chunks_exact_mut(self.row())) {
            T::VecDotType::from_float(x, quantised);
        }
        in_shares(outputs, rows, 4, |share| Ok(self.share(&quantised, rows, share)))
    }

    fn dequantise(&self, rows: std::ops::Range<usize>) -> Result<Vec<f32>, LocalError> {
        let blocks = self.blocks.get(rows.start * self.row()..rows.end * self.row()).ok_or_else(|| outside(&rows))?;
        let mut floats = vec![0.0; blocks.len() * T::BLCK_SIZE];
        T::to_float(blocks, &mut floats);
        Ok(floats)
    }

    fn bytes(&self) -> usize {
        std::mem::size_of_val(self.blocks.as_slice())
    }
}

/// Blocks as the file has them, behind candle's own product.
struct Stored {
    blocks: Box<dyn QuantizedType>,
    inputs: usize,
    outputs: usize,
}

impl Rows for Stored {
    fn multiply(&self, x: &[f32], rows: usize, outputs: usize) -> Result<Vec<f32>, LocalError> {
        let mut y = vec![0.0; rows * outputs];
        self.blocks.matmul_t((rows, self.inputs, outputs), x, &mut y)?;
        Ok(y)
    }

    fn dequantise(&self, rows: std::ops::Range<usize>) -> Result<Vec<f32>, LocalError> {
        let end = u32::try_from(rows.end).map_err(|_| outside(&rows))?;
        let ids: Vec<u32> = (0..end).skip(rows.start).collect();
        match self.blocks.embedding(&ids, self.outputs, self.inputs)? {
            CpuStorage::F32(floats) => Ok(floats),
            _ => Err(candle_core::Error::Msg("weights did not dequantise to single precision".to_owned()).into()),
        }
    }

    fn bytes(&self) -> usize {
        self.blocks.storage_size_in_bytes()
    }
}

fn outside(rows: &std::ops::Range<usize>) -> LocalError {
    candle_core::Error::Msg(format!("rows {rows:?} lie outside the matrix")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways of multiplying, over shapes that fill their shares and that do not.
    #[test]
    fn few_rows_and_many_rows_agree() {
        for (outputs, inputs) in [(64, 64), (33, 96), (7, 32), (130, 160), (192, 576)] {
            let value = |i: usize| ((i * 2_654_435_761) % 1000) as f32 / 500.0 - 1.0;
            let weight: Vec<f32> = (0..outputs * inputs).map(value).collect();
            let weight = Tensor::from_vec(weight, (outputs, inputs), &Device::Cpu).unwrap();
            let weight = QTensor::quantize(&weight, GgmlDType::F32).unwrap();
            let linear = Linear::new(&weight, None, Requantise::Q8, true).unwrap();
            let rows = 3;
            let x: Vec<f32> = (0..rows * inputs).map(|i| value(i * 7 + 3)).collect();
            let few = linear.weight.multiply(&x, rows, outputs).unwrap();
            let many = linear.dense(&x, rows).unwrap();
            let worst = few.iter().zip(&many).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 0.1, "{outputs}x{inputs}: {worst}");
        }
    }
}

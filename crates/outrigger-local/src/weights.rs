//! Loading the tensors of a GGUF file.

use candle_core::Device;
use candle_core::quantized::QTensor;

use crate::attention::Heads;
use crate::error::{LocalError, plainly};
use crate::gguf::Gguf;
use crate::linear::{Linear, Requantise};
use crate::rope::{Pairing, Rope};

/// A model with fewer parameters than this is small: it needs the small-model profile, and can afford Q8_0.
pub(crate) const SMALL: usize = 1_000_000_000;

const SUPPORTED: &str = "llama, qwen2 and qwen3";

/// The numbers that shape a model.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) layers: usize,
    pub(crate) width: usize,
    pub(crate) heads: Heads,
    pub(crate) epsilon: f32,
    /// The window: tokens that fit into one context.
    pub(crate) window: usize,
}

/// One transformer block.
pub(crate) struct Layer {
    pub(crate) attention_norm: Vec<f32>,
    pub(crate) query: Linear,
    pub(crate) key: Linear,
    pub(crate) value: Linear,
    pub(crate) query_norm: Option<Vec<f32>>,
    pub(crate) key_norm: Option<Vec<f32>>,
    pub(crate) attention_out: Linear,
    pub(crate) feed_norm: Vec<f32>,
    pub(crate) gate: Linear,
    pub(crate) up: Linear,
    pub(crate) down: Linear,
}

pub(crate) struct Weights {
    pub(crate) shape: Shape,
    pub(crate) rope: Rope,
    pub(crate) embedding: Linear,
    pub(crate) layers: Vec<Layer>,
    pub(crate) out_norm: Vec<f32>,
    /// Absent when the embedding table serves as the output matrix too.
    pub(crate) output: Option<Linear>,
    /// Parameters of the whole model.
    pub(crate) parameters: usize,
}

impl Weights {
    /// Reads every tensor, calling `progress` with a fraction from 0 to 1 as layers arrive.
    pub(crate) fn load(
        gguf: &mut Gguf,
        requantise: Requantise,
        progress: &mut (dyn FnMut(f32) + Send),
    ) -> Result<Self, LocalError> {
        let family = gguf.architecture()?.to_owned();
        let pairing = match family.as_str() {
            "llama" => Pairing::Neighbours,
            "qwen2" | "qwen3" => Pairing::Halves,
            _ => return Err(LocalError::Architecture { found: family, supported: SUPPORTED }),
        };
        let shape = shape(gguf, &family)?;
        if gguf.integer(&format!("{family}.expert_count")).is_some_and(|experts| experts > 0) {
            return Err(LocalError::Architecture { found: format!("{family} with experts"), supported: SUPPORTED });
        }
        let parameters: usize = gguf.content.tensor_infos.values().map(|info| info.shape.elem_count()).sum();

        let mut reader = Reader { gguf, requantise, small: parameters < SMALL };
        let factors = reader.optional_vector("rope_freqs.weight", shape.heads.size / 2)?;
        let rope = Rope::new(reader.gguf, &family, pairing, shape.heads.size, factors.as_deref())?;
        let embedding = reader.table("token_embd", shape.width)?;
        let mut layers = Vec::with_capacity(shape.layers);
        for index in 0..shape.layers {
            layers.push(reader.layer(index, &shape)?);
            #[allow(clippy::cast_precision_loss, reason = "a progress figure")]
            progress((index + 1) as f32 / shape.layers as f32);
        }
        let out_norm = reader.vector("output_norm.weight", shape.width)?;
        let output = if reader.has("output.weight") {
            Some(reader.matrix("output", embedding.outputs(), shape.width)?)
        } else {
            None
        };
        Ok(Self { shape, rope, embedding, layers, out_norm, output, parameters })
    }

    /// Bytes that the matrices take in memory.
    pub(crate) fn bytes(&self) -> usize {
        let layers =
            self.layers.iter().flat_map(|l| [&l.query, &l.key, &l.value, &l.attention_out, &l.gate, &l.up, &l.down]);
        layers.chain([&self.embedding]).chain(&self.output).map(Linear::bytes).sum()
    }
}

fn shape(gguf: &Gguf, family: &str) -> Result<Shape, LocalError> {
    let key = |name: &str| format!("{family}.{name}");
    let width = gguf.count(&key("embedding_length"), 1 << 16)?;
    let query = gguf.count(&key("attention.head_count"), 1 << 10)?;
    let key_value = gguf.count(&key("attention.head_count_kv"), query).unwrap_or(query);
    let size = gguf.count(&key("attention.key_length"), 1 << 12).unwrap_or(width / query);
    if !query.is_multiple_of(key_value) || size == 0 || !size.is_multiple_of(2) {
        return Err(LocalError::Metadata {
            key: key("attention.head_count"),
            expected: "query heads divisible by key-value heads, with an even size".to_owned(),
        });
    }
    Ok(Shape {
        layers: gguf.count(&key("block_count"), 1 << 10)?,
        width,
        heads: Heads { query, key_value, size },
        epsilon: gguf.float(&key("attention.layer_norm_rms_epsilon")).unwrap_or(1e-5),
        window: gguf.count(&key("context_length"), 1 << 24)?,
    })
}

struct Reader<'a> {
    gguf: &'a mut Gguf,
    requantise: Requantise,
    small: bool,
}

impl Reader<'_> {
    fn has(&self, name: &str) -> bool {
        self.gguf.content.tensor_infos.contains_key(name)
    }

    fn tensor(&mut self, name: &str) -> Result<QTensor, LocalError> {
        self.gguf
            .content
            .tensor(&mut self.gguf.file, name, &Device::Cpu)
            .map_err(|e| LocalError::Tensor { name: name.to_owned(), reason: plainly(&e) })
    }

    fn vector(&mut self, name: &str, length: usize) -> Result<Vec<f32>, LocalError> {
        let vector = self.tensor(name)?.dequantize(&Device::Cpu)?.flatten_all()?.to_vec1::<f32>()?;
        if vector.len() == length {
            Ok(vector)
        } else {
            Err(LocalError::Tensor {
                name: name.to_owned(),
                reason: format!("it has {} elements, expected {length}", vector.len()),
            })
        }
    }

    fn optional_vector(&mut self, name: &str, length: usize) -> Result<Option<Vec<f32>>, LocalError> {
        if self.has(name) { self.vector(name, length).map(Some) } else { Ok(None) }
    }

    fn matrix(&mut self, stem: &str, outputs: usize, inputs: usize) -> Result<Linear, LocalError> {
        let name = format!("{stem}.weight");
        let tensor = self.tensor(&name)?;
        let found = tensor.shape().dims().to_vec();
        if found != [outputs, inputs] {
            return Err(LocalError::Tensor {
                name,
                reason: format!("its shape is {found:?}, expected [{outputs}, {inputs}]"),
            });
        }
        let bias = self.optional_vector(&format!("{stem}.bias"), outputs)?;
        Linear::new(&tensor, bias, self.requantise, self.small)
    }

    /// The embedding table, whose number of rows is the size of the vocabulary.
    fn table(&mut self, stem: &str, width: usize) -> Result<Linear, LocalError> {
        let name = format!("{stem}.weight");
        let rows = self.gguf.content.tensor_infos.get(&name).and_then(|info| info.shape.dims().first().copied());
        self.matrix(stem, rows.unwrap_or_default(), width)
    }

    fn layer(&mut self, index: usize, shape: &Shape) -> Result<Layer, LocalError> {
        let name = |part: &str| format!("blk.{index}.{part}");
        let Shape { width, heads, .. } = *shape;
        let (queries, keys) = (heads.query * heads.size, heads.key_value * heads.size);
        let hidden = self
            .gguf
            .content
            .tensor_infos
            .get(&name("ffn_gate.weight"))
            .and_then(|info| info.shape.dims().first().copied())
            .unwrap_or_default();
        Ok(Layer {
            attention_norm: self.vector(&name("attn_norm.weight"), width)?,
            query: self.matrix(&name("attn_q"), queries, width)?,
            key: self.matrix(&name("attn_k"), keys, width)?,
            value: self.matrix(&name("attn_v"), keys, width)?,
            query_norm: self.optional_vector(&name("attn_q_norm.weight"), heads.size)?,
            key_norm: self.optional_vector(&name("attn_k_norm.weight"), heads.size)?,
            attention_out: self.matrix(&name("attn_output"), width, queries)?,
            feed_norm: self.vector(&name("ffn_norm.weight"), width)?,
            gate: self.matrix(&name("ffn_gate"), hidden, width)?,
            up: self.matrix(&name("ffn_up"), hidden, width)?,
            down: self.matrix(&name("ffn_down"), width, hidden)?,
        })
    }
}

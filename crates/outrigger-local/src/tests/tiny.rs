//! A model small enough to be made for a test: two layers, random weights, the bytes as its vocabulary.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use candle_core::quantized::gguf_file::{Value, write};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};

use crate::{Engine, Options};

const WIDTH: usize = 64;
const HIDDEN: usize = 96;
const LAYERS: usize = 2;
const SPECIAL: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];

pub(super) struct Tiny {
    pub(super) seed: u32,
    pub(super) window: u32,
    pub(super) architecture: &'static str,
    pub(super) tokenizer: &'static str,
}

impl Default for Tiny {
    fn default() -> Self {
        Self { seed: 0, window: 4096, architecture: "llama", tokenizer: "gpt2" }
    }
}

impl Tiny {
    pub(super) fn engine(&self, options: Options) -> Engine {
        Engine::load(&self.file(), &options, &mut |_| ()).unwrap()
    }

    /// Writes the model; the file is left to the system's temporary directory.
    pub(super) fn file(&self) -> PathBuf {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("outrigger-tiny-{}-{count}.gguf", std::process::id()));
        let metadata = self.metadata();
        let metadata: Vec<(&str, &Value)> = metadata.iter().map(|(k, v)| (k.as_str(), v)).collect();
        let tensors = self.tensors();
        let tensors: Vec<(&str, &QTensor)> = tensors.iter().map(|(k, v)| (k.as_str(), v)).collect();
        let mut file = std::fs::File::create(&path).unwrap();
        write(&mut file, &metadata, &tensors).unwrap();
        path
    }

    fn metadata(&self) -> HashMap<String, Value> {
        let family = self.architecture;
        let texts = |texts: Vec<String>| Value::Array(texts.into_iter().map(Value::String).collect());
        let mut tokens: Vec<String> = (0..=255).map(|byte| crate::tokenizer::char_of(byte).to_string()).collect();
        let mut kinds = vec![Value::I32(1); tokens.len()];
        tokens.extend(["th", "the", "in", "{\""].map(str::to_owned));
        kinds.extend(vec![Value::I32(1); 4]);
        tokens.extend(SPECIAL.map(str::to_owned));
        kinds.extend(vec![Value::I32(3); SPECIAL.len()]);
        let end = u32::try_from(tokens.len() - 1).unwrap();
        HashMap::from([
            ("general.architecture".to_owned(), Value::String(family.to_owned())),
            (format!("{family}.block_count"), Value::U32(LAYERS as u32)),
            (format!("{family}.embedding_length"), Value::U32(WIDTH as u32)),
            (format!("{family}.attention.head_count"), Value::U32(4)),
            (format!("{family}.attention.head_count_kv"), Value::U32(2)),
            (format!("{family}.context_length"), Value::U32(self.window)),
            ("tokenizer.ggml.model".to_owned(), Value::String(self.tokenizer.to_owned())),
            ("tokenizer.ggml.pre".to_owned(), Value::String("smollm".to_owned())),
            ("tokenizer.ggml.tokens".to_owned(), texts(tokens)),
            ("tokenizer.ggml.token_type".to_owned(), Value::Array(kinds)),
            ("tokenizer.ggml.merges".to_owned(), texts(["t h", "th e", "i n", "{ \""].map(str::to_owned).to_vec())),
            ("tokenizer.ggml.eos_token_id".to_owned(), Value::U32(end)),
        ])
    }

    fn tensors(&self) -> Vec<(String, QTensor)> {
        let mut random = Random(self.seed.wrapping_mul(2_654_435_761).wrapping_add(12345));
        let mut tensors = Vec::new();
        let mut add = |name: String, shape: &[usize], random: &mut Random| {
            let count = shape.iter().product();
            let values: Vec<f32> =
                if shape.len() == 1 { vec![1.0; count] } else { (0..count).map(|_| random.next() * 0.2).collect() };
            let tensor = Tensor::from_vec(values, shape, &Device::Cpu).unwrap();
            tensors.push((name, QTensor::quantize(&tensor, GgmlDType::F32).unwrap()));
        };
        let vocabulary = 260 + SPECIAL.len();
        add("token_embd.weight".to_owned(), &[vocabulary, WIDTH], &mut random);
        add("output_norm.weight".to_owned(), &[WIDTH], &mut random);
        for layer in 0..LAYERS {
            let mut part = |name: &str, shape: &[usize]| add(format!("blk.{layer}.{name}"), shape, &mut random);
            part("attn_norm.weight", &[WIDTH]);
            part("attn_q.weight", &[WIDTH, WIDTH]);
            part("attn_k.weight", &[WIDTH / 2, WIDTH]);
            part("attn_v.weight", &[WIDTH / 2, WIDTH]);
            part("attn_output.weight", &[WIDTH, WIDTH]);
            part("ffn_norm.weight", &[WIDTH]);
            part("ffn_gate.weight", &[HIDDEN, WIDTH]);
            part("ffn_up.weight", &[HIDDEN, WIDTH]);
            part("ffn_down.weight", &[WIDTH, HIDDEN]);
            match self.architecture {
                "qwen2" => ["attn_q.bias", "attn_k.bias", "attn_v.bias"]
                    .iter()
                    .zip([WIDTH, WIDTH / 2, WIDTH / 2])
                    .for_each(|(name, width)| part(name, &[width])),
                "qwen3" => {
                    ["attn_q_norm.weight", "attn_k_norm.weight"].iter().for_each(|name| part(name, &[WIDTH / 4]))
                }
                _ => {}
            }
        }
        tensors
    }
}

/// Repeatable numbers from -1 to 1.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 as f32 / u32::MAX as f32 * 2.0 - 1.0
    }
}

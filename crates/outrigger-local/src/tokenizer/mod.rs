//! The tokenizer that a GGUF file carries: byte-level BPE with the pre-tokenizer the file names.

mod alphabet;
mod bpe;
mod split;
mod stream;

use std::collections::HashMap;

use crate::error::LocalError;
use crate::gguf::Gguf;
#[cfg(test)]
pub(crate) use alphabet::char_of;
use bpe::Merges;
use split::Splitter;
pub(crate) use stream::TextStream;

/// A vocabulary entry's kind, as GGUF numbers it.
const CONTROL: i64 = 3;
const USER_DEFINED: i64 = 4;

/// A part of a prompt.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// What the chat template wrote.
    Template(&'a str),
    /// What a user, a tool or the host said.
    Plain(&'a str),
}

pub(crate) struct Tokenizer {
    merges: Merges,
    splitter: Splitter,
    /// The bytes of every token, by id.
    bytes: Vec<Vec<u8>>,
    control: Vec<bool>,
    /// Tokens that are written out in text and never made by merging, longest first.
    special: Vec<(String, u32)>,
    end: u32,
    ends: Vec<u32>,
    begin: Option<u32>,
}

impl Tokenizer {
    pub(crate) fn new(gguf: &Gguf) -> Result<Self, LocalError> {
        let model = gguf.text("tokenizer.ggml.model")?;
        let splitter = Splitter::named(match model {
            "gpt2" => gguf.optional_text("tokenizer.ggml.pre").unwrap_or("default"),
            // Reported by the same error, under its own name.
            other => other,
        })?;
        let tokens = gguf.texts("tokenizer.ggml.tokens")?;
        let merges = gguf.texts("tokenizer.ggml.merges")?;
        let kinds = gguf.integers("tokenizer.ggml.token_type").unwrap_or_default();
        let ids: HashMap<&str, u32> = tokens.iter().copied().zip(0u32..).collect();
        let merges = Merges::new(&ids, &merges).ok_or_else(|| LocalError::Metadata {
            key: "tokenizer.ggml.tokens".to_owned(),
            expected: "a byte-level vocabulary".to_owned(),
        })?;

        let kind = |id: usize| kinds.get(id).copied().unwrap_or(1);
        let control: Vec<bool> = (0..tokens.len()).map(|id| kind(id) == CONTROL).collect();
        let mut special: Vec<(String, u32)> = tokens
            .iter()
            .zip(0u32..)
            .enumerate()
            .filter(|&(index, (text, _))| matches!(kind(index), CONTROL | USER_DEFINED) && !text.is_empty())
            .map(|(_, (&text, id))| (text.to_owned(), id))
            .collect();
        special.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        let bytes = tokens
            .iter()
            .enumerate()
            .map(|(id, text)| match kind(id) {
                CONTROL | USER_DEFINED => text.as_bytes().to_vec(),
                _ => text
                    .chars()
                    .map(alphabet::byte_of)
                    .collect::<Option<_>>()
                    .unwrap_or_else(|| text.as_bytes().to_vec()),
            })
            .collect();

        let id = |key: &str| {
            gguf.integer(key).and_then(|id| u32::try_from(id).ok()).filter(|&id| (id as usize) < tokens.len())
        };
        let end = id("tokenizer.ggml.eos_token_id").ok_or_else(|| LocalError::Metadata {
            key: "tokenizer.ggml.eos_token_id".to_owned(),
            expected: "the id of a token".to_owned(),
        })?;
        let mut ends = vec![end];
        let named = ["<|im_end|>", "<|eot_id|>", "<|end|>", "<|endoftext|>", "<end_of_turn>"];
        let turn_ends =
            named.iter().filter_map(|n| ids.get(n).copied()).filter(|&i| control.get(i as usize) == Some(&true));
        ends.extend(id("tokenizer.ggml.eot_token_id").into_iter().chain(turn_ends));
        ends.sort_unstable();
        ends.dedup();
        let begin =
            id("tokenizer.ggml.bos_token_id").filter(|_| gguf.flag("tokenizer.ggml.add_bos_token") == Some(true));
        Ok(Self { merges, splitter, bytes, control, special, end, ends, begin })
    }

    /// Encodes text in which special tokens are only letters: what a user, a tool or a schema says.
    pub(crate) fn encode_plain(&self, text: &str) -> Vec<u32> {
        let mut out = Vec::with_capacity(text.len() / 3);
        self.encode_into(text, &mut out);
        out
    }

    fn encode_into(&self, text: &str, out: &mut Vec<u32>) {
        self.splitter.split(text, |piece| self.merges.encode(piece.as_bytes(), out));
    }

    /// Encodes a prompt of template text, in which special tokens are themselves, and plain text, in which they are
    /// only letters.
    pub(crate) fn encode_pieces(&self, pieces: &[Piece<'_>]) -> Vec<u32> {
        let mut out = self.encode_runs(pieces);
        if let Some(begin) = self.begin
            && out.first() != Some(&begin)
        {
            out.insert(0, begin);
        }
        out
    }

    /// Encodes text of the program's own, in which special tokens are themselves.
    pub(crate) fn encode_marked(&self, text: &str) -> Vec<u32> {
        self.encode_runs(&[Piece::Template(text)])
    }

    /// Text that no special token separates is encoded in one run, as if it had been written in one.
    fn encode_runs(&self, pieces: &[Piece<'_>]) -> Vec<u32> {
        let mut out = Vec::new();
        let mut run = String::new();
        for piece in pieces {
            match *piece {
                Piece::Plain(text) => run.push_str(text),
                Piece::Template(text) => {
                    let mut rest = text;
                    while let Some((at, length, id)) = self.next_special(rest) {
                        let (before, tail) = rest.split_at(at);
                        run.push_str(before);
                        self.encode_into(&run, &mut out);
                        run.clear();
                        out.push(id);
                        rest = tail.get(length..).unwrap_or_default();
                    }
                    run.push_str(rest);
                }
            }
        }
        self.encode_into(&run, &mut out);
        out
    }

    /// The first special token of `text`, the longest one if several start there.
    fn next_special(&self, text: &str) -> Option<(usize, usize, u32)> {
        self.special
            .iter()
            .filter_map(|(token, id)| text.find(token.as_str()).map(|at| (at, token.len(), *id)))
            .min_by_key(|&(at, length, _)| (at, std::cmp::Reverse(length)))
    }

    /// The bytes of a token; none for a control token or an id outside the vocabulary.
    pub(crate) fn bytes(&self, id: u32) -> &[u8] {
        if self.is_control(id) { &[] } else { self.bytes.get(id as usize).map_or(&[], Vec::as_slice) }
    }

    pub(crate) fn is_control(&self, id: u32) -> bool {
        self.control.get(id as usize).copied().unwrap_or(true)
    }

    /// The text of a token as it stands in the vocabulary, control tokens included.
    pub(crate) fn name(&self, id: u32) -> String {
        self.bytes.get(id as usize).map(|b| String::from_utf8_lossy(b).into_owned()).unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The token that ends a text.
    pub(crate) fn end(&self) -> u32 {
        self.end
    }

    /// Whether a token ends a text or a turn.
    pub(crate) fn is_end(&self, id: u32) -> bool {
        self.ends.contains(&id)
    }

    /// The token that every prompt begins with, where the model wants one.
    pub(crate) fn begin(&self) -> Option<u32> {
        self.begin
    }
}

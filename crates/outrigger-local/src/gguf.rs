//! Typed access to the metadata of a GGUF file.
//!
//! A GGUF file comes from outside: every value is checked for presence, type and range here, once, so that the rest of
//! the code can compute with plain numbers.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use candle_core::quantized::gguf_file::{Content, Value};

use crate::error::{LocalError, plainly};

/// An opened GGUF file: its header, and the handle its tensors are read from.
pub(crate) struct Gguf {
    pub(crate) content: Content,
    pub(crate) file: BufReader<File>,
}

impl Gguf {
    pub(crate) fn open(path: &Path) -> Result<Self, LocalError> {
        let unreadable = |reason: String| LocalError::Unreadable { path: path.to_owned(), reason };
        let file = File::open(path).map_err(|e| unreadable(e.to_string()))?;
        let mut file = BufReader::new(file);
        let content = Content::read(&mut file).map_err(|e| unreadable(plainly(&e)))?;
        Ok(Self { content, file })
    }

    /// The value of `general.architecture`, which is also the prefix of the model's own keys.
    pub(crate) fn architecture(&self) -> Result<&str, LocalError> {
        self.text("general.architecture")
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.content.metadata.get(key)
    }

    pub(crate) fn text(&self, key: &str) -> Result<&str, LocalError> {
        self.optional_text(key).ok_or_else(|| missing(key, "a string"))
    }

    pub(crate) fn optional_text(&self, key: &str) -> Option<&str> {
        match self.value(key)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        match self.value(key)? {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    pub(crate) fn integer(&self, key: &str) -> Option<u64> {
        let value = self.value(key)?;
        value.to_u64().ok().or_else(|| match value {
            // Some writers store counts as signed integers.
            Value::I32(v) => u64::try_from(*v).ok(),
            Value::I64(v) => u64::try_from(*v).ok(),
            _ => None,
        })
    }

    /// A count between 1 and `most`: a dimension, a number of layers, a window.
    pub(crate) fn count(&self, key: &str, most: usize) -> Result<usize, LocalError> {
        self.integer(key)
            .and_then(|v| usize::try_from(v).ok())
            .filter(|v| (1..=most).contains(v))
            .ok_or_else(|| missing(key, &format!("an integer from 1 to {most}")))
    }

    pub(crate) fn float(&self, key: &str) -> Option<f32> {
        match self.value(key)? {
            Value::F32(v) => Some(*v),
            #[allow(
                clippy::cast_possible_truncation,
                reason = "a constant such as an epsilon; f32 is what is computed"
            )]
            Value::F64(v) => Some(*v as f32),
            _ => None,
        }
    }

    pub(crate) fn texts(&self, key: &str) -> Result<Vec<&str>, LocalError> {
        let Some(Value::Array(items)) = self.value(key) else {
            return Err(missing(key, "an array of strings"));
        };
        items
            .iter()
            .map(|item| match item {
                Value::String(text) => Ok(text.as_str()),
                _ => Err(missing(key, "an array of strings")),
            })
            .collect()
    }

    /// An array of integers, or nothing when the key is absent or holds anything else.
    pub(crate) fn integers(&self, key: &str) -> Option<Vec<i64>> {
        let Value::Array(items) = self.value(key)? else { return None };
        items
            .iter()
            .map(|item| match item {
                Value::I32(v) => Some(i64::from(*v)),
                Value::U32(v) => Some(i64::from(*v)),
                Value::I64(v) => Some(*v),
                _ => None,
            })
            .collect()
    }
}

fn missing(key: &str, expected: &str) -> LocalError {
    LocalError::Metadata { key: key.to_owned(), expected: expected.to_owned() }
}

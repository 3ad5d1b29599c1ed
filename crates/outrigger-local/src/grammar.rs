//! Grammars from closed JSON Schemas, over the model's own vocabulary.
//!
//! A grammar makes every call bind, but for what a grammar cannot express. These constraints are *not* enforced while
//! decoding, and are left to the binder: `uniqueItems`, `not`, `if`/`then`/`else`, `contains` and its counts,
//! `propertyNames`, `dependentRequired`, `dependentSchemas`, `unevaluatedProperties`, `unevaluatedItems`, `format`s
//! other than the common ones (date, time, date-time, duration, email, hostname, ipv4, ipv6, uri, uuid), patterns with
//! look-around or back-references, a `oneOf` whose branches overlap (it is read as `anyOf`), and any rule that is
//! written in a description only.

use std::sync::Arc;

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{InferenceCapabilities, SimpleVob, TokEnv, TokRxInfo, TokTrie, TokenizerEnv};
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value, json};

use crate::error::LocalError;
use crate::tokenizer::Tokenizer;

/// Keywords that a grammar cannot express.
const INEXPRESSIBLE: [&str; 15] = [
    "uniqueItems",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "minContains",
    "maxContains",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
    "$dynamicRef",
    "$dynamicAnchor",
];

/// Longer vocabulary entries than this are left out of the trie: none is of use in JSON.
const LONGEST_TOKEN: usize = 200;

/// The vocabulary in the form that grammars need.
struct Vocabulary {
    trie: TokTrie,
    tokenizer: Arc<Tokenizer>,
}

impl TokenizerEnv for Vocabulary {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    /// The canonical encoding, which is what lets forced text be fed as the tokens the model was trained on.
    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<u32> {
        let (text, rest) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, &[][..]),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                (std::str::from_utf8(valid).unwrap_or_default(), rest)
            }
        };
        let mut tokens = self.tokenizer.encode_plain(text);
        tokens.extend(self.trie.greedy_tokenize(rest));
        tokens
    }
}

/// Compiles grammars for one model.
pub(crate) struct Grammars {
    factory: ParserFactory,
}

impl Grammars {
    /// `logits` is the size of the output matrix, which may be larger than the vocabulary.
    pub(crate) fn new(tokenizer: &Arc<Tokenizer>, logits: usize) -> Result<Self, LocalError> {
        let words: Vec<Vec<u8>> = (0u32..)
            .take(logits.max(tokenizer.len()))
            .map(|id| {
                let bytes = tokenizer.bytes(id);
                if tokenizer.is_control(id) {
                    let name = tokenizer.name(id);
                    // Control tokens are told from text by the marker byte; the nameless rest of the matrix is absent.
                    if name.is_empty() {
                        Vec::new()
                    } else {
                        [&[TokTrie::SPECIAL_TOKEN_MARKER], name.as_bytes()].concat()
                    }
                } else if bytes.len() > LONGEST_TOKEN {
                    Vec::new()
                } else {
                    bytes.to_vec()
                }
            })
            .collect();
        let size = u32::try_from(words.len()).unwrap_or(u32::MAX);
        let trie = TokTrie::from(&TokRxInfo::new(size, tokenizer.end()), &words);
        let environment: TokEnv = Arc::new(Vocabulary { trie, tokenizer: Arc::clone(tokenizer) });
        let capabilities = InferenceCapabilities { ff_tokens: true, ..InferenceCapabilities::default() };
        let slices = llguidance::earley::SlicedBiasComputer::json_slices();
        let mut factory = ParserFactory::new(&environment, capabilities, &slices)
            .map_err(|e| LocalError::Grammar { tool: "any".to_owned(), reason: e.to_string() })?;
        factory.quiet();
        factory.limits_mut().verbose_errors = false;
        Ok(Self { factory })
    }

    /// A grammar for the arguments of `tool`.
    pub(crate) fn arguments(&self, tool: &str, schema: &Value) -> Result<Grammar, LocalError> {
        let mut schema = schema.clone();
        relax(&mut schema);
        if let Value::Object(root) = &mut schema {
            root.insert("x-guidance".to_owned(), options());
        }
        let parser = self.factory.create_parser(TopLevelGrammar::from_json_schema(schema));
        let grammar = Grammar { matcher: Matcher::new(parser), tool: tool.to_owned() };
        match grammar.matcher.get_error() {
            None => Ok(grammar),
            Some(reason) => Err(grammar.failed(reason)),
        }
    }
}

/// One spelling of JSON, the one that the worked examples are written in: free white space would be noise to choose from.
fn options() -> Value {
    json!({ "item_separator": ", ", "key_separator": ": ", "whitespace_flexible": false, "lenient": true, "coerce_one_of": true })
}

/// Removes what a grammar cannot express from a schema and all its subschemas.
fn relax(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            for keyword in INEXPRESSIBLE {
                map.remove(keyword);
            }
            for (keyword, value) in map.iter_mut() {
                match keyword.as_str() {
                    // Data, not schemas: an object in there may well have a member called `not`.
                    "const" | "enum" | "default" | "examples" => {}
                    // Maps from names to schemas: the names are no keywords.
                    "properties" | "$defs" | "definitions" | "patternProperties" => {
                        if let Value::Object(named) = value {
                            named.values_mut().for_each(relax);
                        }
                    }
                    _ => relax(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(relax),
        _ => {}
    }
}

/// A grammar and how far it has been followed.
pub(crate) struct Grammar {
    matcher: Matcher,
    tool: String,
}

impl Grammar {
    /// Tokens that must come now, taken as followed.
    pub(crate) fn forced(&mut self) -> Vec<u32> {
        self.matcher.consume_ff_tokens()
    }

    /// Whether nothing can follow.
    pub(crate) fn is_finished(&self) -> bool {
        self.matcher.is_stopped()
    }

    /// The tokens that may come now.
    pub(crate) fn allowed(&mut self) -> Result<SimpleVob, LocalError> {
        self.matcher.compute_mask_or_eos().map_err(|e| self.failed(e.to_string()))
    }

    /// Follows a token.
    pub(crate) fn follow(&mut self, token: u32) -> Result<(), LocalError> {
        self.matcher.consume_token(token).map_err(|e| self.failed(e.to_string()))
    }

    fn failed(&self, reason: String) -> LocalError {
        LocalError::Grammar { tool: self.tool.clone(), reason }
    }
}

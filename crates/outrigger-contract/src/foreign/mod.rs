//! Schemas from elsewhere: MCP servers, API documents, clients.
//!
//! The original is kept. What binds arguments is a validator made from it, what is sent is a projection of the shape it
//! is imported into, and what either of them cannot carry is on record, node by node. A schema is data from outside: it
//! has limits, its patterns run in linear time, and its references stay inside.

mod addresses;
mod bind;
mod import;
mod issues;
mod json;
mod references;
mod repair;
mod validator;
mod work;

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::Code;
use crate::diagnose;
use crate::issue::Limits;
use crate::plan::WirePlan;
use crate::reader::Reader;
use crate::shape::Shape;

use json::Json;
use validator::Judge;
use work::Work;

/// A foreign JSON Schema, of draft 2020-12 or draft 7.
#[derive(Debug)]
pub struct ForeignSchema {
    original: Arc<str>,
    repaired: Json,
    draft: Draft,
    shape: Arc<Shape>,
    notes: Vec<Degraded>,
    judge: OnceLock<Judge>,
    work: OnceLock<Work>,
}

/// Something of a foreign schema that was not taken as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Degraded {
    /// Where, as a JSON Pointer into the schema.
    pub pointer: String,
    /// What became of it.
    pub kind: DegradedKind,
    /// The keyword or construct.
    pub what: String,
}

/// What became of a part of a foreign schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DegradedKind {
    /// It was written wrongly, and its meaning was plain.
    Repaired,
    /// Arguments are held against it, but the model is not told.
    Unsaid,
    /// It could not be used at all: whoever receives the arguments must check it.
    Unchecked,
}

/// How large a foreign schema may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportLimits {
    /// Bytes of text; 1 MiB by default.
    pub text: usize,
    /// Arrays and objects inside each other; 128 by default.
    pub depth: u32,
    /// Schemas inside the schema; 10,000 by default.
    pub nodes: u32,
    /// Schemas that one value is held against, references followed; 20,000 by default.
    pub work: u32,
}

impl Default for ImportLimits {
    fn default() -> Self {
        Self { text: 1 << 20, depth: 128, nodes: 10_000, work: 20_000 }
    }
}

/// Why a schema cannot be carried at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// The text is not one JSON document.
    #[error("the schema is not JSON, from byte {at} on")]
    NotJson {
        /// Where the text stops being JSON.
        at: usize,
    },
    /// The text is longer than allowed.
    #[error("the schema has {bytes} bytes; at most {limit} are allowed")]
    TooLarge {
        /// Bytes of the text.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// Arrays and objects are nested deeper than allowed.
    #[error("the schema is nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// There are more schemas in it than allowed.
    #[error("the schema holds more than {limit} schemas")]
    TooMany {
        /// The limit.
        limit: u32,
    },
    /// Its references multiply.
    #[error("one value would be held against more than {limit} schemas")]
    TooEntangled {
        /// The limit.
        limit: u32,
    },
    /// The root takes no object, and arguments are one.
    #[error("the schema takes {found}, and arguments are an object")]
    NotObject {
        /// The type it takes.
        found: String,
    },
}

/// The draft a schema is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Draft {
    Seven,
    Latest,
}

impl ForeignSchema {
    /// Imports a schema for arguments, so for an object. Without a `type` at the root it is taken for one.
    ///
    /// # Errors
    ///
    /// If it is no JSON, beyond the limits, or never takes an object. Whatever else is wrong with it concerns one part
    /// and is on record: see [`Self::degraded`].
    pub fn import(text: &str, limits: &ImportLimits) -> Result<Self, ForeignError> {
        Self::import_as(text, limits, true)
    }

    /// Imports a schema for any value, such as a result.
    ///
    /// # Errors
    ///
    /// As [`Self::import`], but for the object.
    pub fn import_value(text: &str, limits: &ImportLimits) -> Result<Self, ForeignError> {
        Self::import_as(text, limits, false)
    }

    fn import_as(text: &str, limits: &ImportLimits, arguments: bool) -> Result<Self, ForeignError> {
        let root = parse(text, limits)?;
        let draft = draft_of(&root);
        let (repaired, mut notes) = repair::repair(root, draft, limits, arguments)?;
        let shape = import::import(&repaired, draft, limits, &mut notes);
        notes.sort_by(|a, b| a.pointer.cmp(&b.pointer));
        let original = Arc::from(text);
        Ok(Self {
            original,
            repaired,
            draft,
            shape: Arc::new(shape),
            notes,
            judge: OnceLock::new(),
            work: OnceLock::new(),
        })
    }

    /// The text as it came.
    #[must_use]
    pub fn original(&self) -> &str {
        &self.original
    }

    /// What is projected. It takes everything that the schema takes, and may take more; only where a schema has the
    /// keywords of one type and no `type`, the shape is that type.
    #[must_use]
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// What was not taken as it stands, by place.
    #[must_use]
    pub fn degraded(&self) -> &[Degraded] {
        &self.notes
    }

    /// Whether the validator can be made. If it cannot, arguments are held against the shape alone. The first call
    /// makes it.
    #[must_use]
    pub fn is_validated(&self) -> bool {
        self.judge().is_usable()
    }

    fn work(&self) -> &Work {
        self.work.get_or_init(|| Work::of(&self.repaired))
    }

    fn judge(&self) -> &Judge {
        self.judge.get_or_init(|| Judge::new(&self.repaired, self.draft))
    }
}

fn parse(text: &str, limits: &ImportLimits) -> Result<Json, ForeignError> {
    if text.len() > limits.text {
        return Err(ForeignError::TooLarge { bytes: text.len(), limit: limits.text });
    }
    let plan = WirePlan::default();
    let mut reader = Reader::new(text, &plan, &Limits { depth: limits.depth, text: limits.text });
    match diagnose::parse(&mut reader) {
        Ok(root) => Ok(Json::of(&root)),
        Err(refused) if refused.code == Code::TooDeep => Err(ForeignError::TooDeep { limit: limits.depth }),
        Err(refused) => Err(ForeignError::NotJson { at: refused.at }),
    }
}

/// The draft that the schema names, if it is an old one; the latest otherwise.
fn draft_of(root: &Json) -> Draft {
    let named = root.object().and_then(|map| map.get("$schema")).and_then(Json::text).unwrap_or_default();
    let old = ["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"];
    if old.iter().any(|draft| named.contains(draft)) { Draft::Seven } else { Draft::Latest }
}

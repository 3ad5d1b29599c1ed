//! Harnesses that a file can name.

use std::path::Path;
use std::sync::Arc;

use crate::Contract;
use outrigger_contract::{BindError, WirePlan};

use super::document::LIMITS;
use super::types::HarnessEntry;
use crate::catalog::nearest;
use crate::harness::Harness;
use crate::tool::Tool;
use crate::transcript::Text;

/// A harness that a file can name, and how one is made.
pub struct HarnessType {
    /// The name.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// Makes one.
    pub open: fn(&Given<'_>) -> Result<Arc<dyn Harness>, Refusal>,
}

/// What a file gives a harness.
pub struct Given<'a> {
    config: &'a str,
    base: &'a Path,
}

/// Why a harness was not made.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// Its configuration does not bind.
    Config(BindError),
    /// Its configuration binds, but cannot be used.
    Unusable {
        /// The value that is to blame, as a JSON Pointer into the configuration.
        path: String,
        /// What is wrong with it.
        message: String,
    },
}

impl<'a> Given<'a> {
    pub(super) fn new(config: &'a str, base: &'a Path) -> Self {
        Self { config, base }
    }

    /// The configuration as a type; a file that says nothing gives an empty table.
    ///
    /// # Errors
    /// Everything that does not fit the type.
    pub fn config<C: Contract>(&self) -> Result<C, Refusal> {
        let bound = outrigger_contract::bind::<C>(self.config, &WirePlan::default(), &LIMITS);
        bound.map(|bound| bound.value).map_err(Refusal::Config)
    }

    /// For a harness that takes no configuration.
    ///
    /// # Errors
    /// When there is one.
    pub fn no_config(&self) -> Result<(), Refusal> {
        self.config::<NoConfig>().map(drop)
    }

    /// The directory that relative paths start from: that of the file.
    #[must_use]
    pub fn base(&self) -> &Path {
        self.base
    }
}

#[derive(Contract)]
struct NoConfig {}

/// Something wrong with a harness's entry, and where in the entry.
pub(super) enum Problem {
    At { path: String, message: String, nearest: Vec<Text> },
    Config(BindError),
}

/// The harness of an entry.
pub(super) fn open(entry: &HarnessEntry, types: &[HarnessType], base: &Path) -> Result<Arc<dyn Harness>, Vec<Problem>> {
    let Some(kind) = types.iter().find(|kind| kind.name == entry.name()) else {
        let names: Vec<Text> = types.iter().map(|kind| kind.name.into()).collect();
        return Err(vec![unknown("/name", "harness", entry.name(), &names)]);
    };
    let opened = (kind.open)(&Given::new(&entry.config(), base));
    let Some(wanted) = entry.tools() else { return opened.map_err(|refusal| vec![refusal.into()]) };
    let wanted: Vec<String> = wanted.iter().map(|name| plain(name, kind.name).to_owned()).collect();
    // The names of tools do not hang on the configuration: they are checked even where that is wrong.
    let names = match &opened {
        Ok(harness) => tool_names(harness),
        Err(_) => (kind.open)(&Given::new("{}", base)).map_or_else(|_| wanted.clone(), |harness| tool_names(&harness)),
    };
    let mut problems = unknown_tools(&wanted, &names);
    match opened {
        Ok(harness) if problems.is_empty() => Ok(Arc::new(Selected { harness, tools: wanted })),
        Ok(_) => Err(problems),
        Err(refusal) => {
            problems.push(refusal.into());
            Err(problems)
        }
    }
}

fn tool_names(harness: &Arc<dyn Harness>) -> Vec<String> {
    Arc::clone(harness).tools().iter().map(|tool| tool.spec().name.to_string()).collect()
}

fn unknown_tools(wanted: &[String], names: &[String]) -> Vec<Problem> {
    let texts: Vec<Text> = names.iter().map(|name| name.as_str().into()).collect();
    let strange = wanted.iter().enumerate().filter(|(_, name)| !names.contains(name));
    strange.map(|(index, name)| unknown(&format!("/tools/{index}"), "tool", name, &texts)).collect()
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Config(error) => Self::Config(error),
            Refusal::Unusable { path, message } => {
                Self::At { path: format!("/config{path}"), message, nearest: Vec::new() }
            }
        }
    }
}

/// `Files.read` and `Files/read` for `read`.
fn plain<'a>(tool: &'a str, harness: &str) -> &'a str {
    tool.strip_prefix(harness).and_then(|rest| rest.strip_prefix(['.', '/'])).unwrap_or(tool)
}

fn unknown(path: &str, what: &str, name: &str, names: &[Text]) -> Problem {
    let message = format!("there is no {what} {name:?}; there are: {}", names.join(", "));
    Problem::At { path: path.to_owned(), message, nearest: nearest(name, names.iter()) }
}

/// Some tools of a harness.
struct Selected {
    harness: Arc<dyn Harness>,
    tools: Vec<String>,
}

impl Harness for Selected {
    fn name(&self) -> &str {
        self.harness.name()
    }

    fn description(&self) -> &str {
        self.harness.description()
    }

    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>> {
        let all = Arc::clone(&self.harness).tools();
        all.into_iter().filter(|tool| self.tools.iter().any(|name| **name == *tool.spec().name)).collect()
    }
}

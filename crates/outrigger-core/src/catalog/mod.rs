//! Every tool of an agent as one immutable tree; what is visible now.

mod menu;
mod nearest;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

pub use menu::{Menu, MenuItem};
pub(crate) use nearest::nearest;

use crate::model::Encode;
use crate::tool::Tool;
use crate::transcript::{ModelName, Text};

/// Every tool of an agent. It never changes; what the model sees of it is a [`Menu`].
pub struct Catalog {
    entries: Vec<Entry>,
    by_name: HashMap<Text, usize>,
    by_identity: HashMap<Text, usize>,
    menus: Mutex<Vec<(ModelName, Arc<Menu>)>>,
}

/// One tool of a catalog.
#[derive(Clone)]
pub struct Entry {
    /// `Harness.tool`, or the plain name of a tool that stands alone.
    pub identity: Text,
    /// The model's name for it.
    pub name: Text,
    /// Where it comes from.
    pub source: Text,
    /// The tool.
    pub tool: Arc<dyn Tool>,
}

impl Entry {
    /// The entry of a tool that stands alone.
    #[must_use]
    pub fn alone(tool: Arc<dyn Tool>) -> Self {
        let name = Arc::clone(&tool.spec().name);
        Self { identity: Arc::clone(&name), source: Arc::clone(&name), name, tool }
    }
}

/// What a name the model used means.
pub enum Resolution<'a> {
    /// This tool.
    Tool(&'a Entry),
    /// No tool; these names come nearest.
    Unknown {
        /// The nearest names, nearest first.
        nearest: Vec<Text>,
    },
}

/// Two tools whose names the model could not tell apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the tool name {name:?} is offered by {first} and by {second}; a model could not tell them apart: rename one of them"
)]
pub struct DuplicateName {
    /// The name.
    pub name: Text,
    /// One source.
    pub first: Text,
    /// The other.
    pub second: Text,
}

impl Catalog {
    /// A catalog of these entries, in this order.
    ///
    /// # Errors
    /// Every name that two entries share.
    pub fn new(entries: Vec<Entry>) -> Result<Self, Vec<DuplicateName>> {
        let mut by_name: HashMap<Text, usize> = HashMap::with_capacity(entries.len());
        let mut duplicates = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            match by_name.get(&entry.name).and_then(|first| entries.get(*first)) {
                Some(first) => duplicates.push(DuplicateName {
                    name: entry.name.clone(),
                    first: first.source.clone(),
                    second: entry.source.clone(),
                }),
                None => drop(by_name.insert(entry.name.clone(), index)),
            }
        }
        if !duplicates.is_empty() {
            return Err(duplicates);
        }
        let by_identity = entries.iter().enumerate().map(|(index, entry)| (entry.identity.clone(), index)).collect();
        Ok(Self { entries, by_name, by_identity, menus: Mutex::default() })
    }

    /// The same tools and one more, for one run.
    ///
    /// # Errors
    /// When another tool has its name.
    pub fn with(&self, entry: Entry) -> Result<Self, DuplicateName> {
        if let Some(first) = self.by_name.get(&entry.name).and_then(|index| self.entries.get(*index)) {
            let (name, first, second) = (entry.name, first.source.clone(), entry.source);
            return Err(DuplicateName { name, first, second });
        }
        let (mut by_name, mut by_identity, mut entries) =
            (self.by_name.clone(), self.by_identity.clone(), self.entries.clone());
        by_name.insert(entry.name.clone(), entries.len());
        by_identity.insert(entry.identity.clone(), entries.len());
        entries.push(entry);
        Ok(Self { entries, by_name, by_identity, menus: Mutex::default() })
    }

    /// The entries, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of an identity; `/` is accepted for `.`.
    #[must_use]
    pub fn by_identity(&self, identity: &str) -> Option<&Entry> {
        let index =
            self.by_identity.get(identity).or_else(|| self.by_identity.get(identity.replace('/', ".").as_str()));
        self.entries.get(*index?)
    }

    /// What the model sees, made once a model.
    #[must_use]
    pub fn menu(&self, encoder: &dyn Encode) -> Arc<Menu> {
        let model = &encoder.profile().name;
        let mut menus = self.menus.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, menu)) = menus.iter().find(|(name, _)| name == model) {
            return Arc::clone(menu);
        }
        let menu = Arc::new(Menu::new(&self.entries, encoder));
        menus.push((model.clone(), Arc::clone(&menu)));
        menu
    }

    /// What a name the model used means: the exact name first, then the qualified spellings of an identity.
    #[must_use]
    pub fn resolve(&self, name: &str) -> Resolution<'_> {
        if let Some(entry) = self.by_name.get(name).and_then(|index| self.entries.get(*index)) {
            return Resolution::Tool(entry);
        }
        if let Some(entry) = self.by_identity(name).or_else(|| self.by_spelling(name)) {
            return Resolution::Tool(entry);
        }
        Resolution::Unknown { nearest: nearest(name, self.entries.iter().map(|entry| &entry.name)) }
    }

    /// `Harness__tool` or `Harness_tool`.
    fn by_spelling(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| {
            entry.identity.split_once('.').is_some_and(|(harness, tool)| {
                let rest = name.strip_prefix(harness);
                rest.and_then(|rest| rest.strip_prefix("__").or_else(|| rest.strip_prefix('_'))) == Some(tool)
            })
        })
    }
}

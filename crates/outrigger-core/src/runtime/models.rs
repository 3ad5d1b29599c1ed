//! The models of an agent, in the order they are asked.

use std::sync::Arc;

use tokio::sync::Mutex;

use crate::catalog::{MenuItem, Menus};
use crate::context::ThreadWire;
use crate::model::Model;
use crate::transcript::ModelName;

/// One thing a model, the first model's first. There is always a first.
pub(crate) struct PerModel<T> {
    first: T,
    fallbacks: Vec<T>,
}

/// A model of an agent, and what it sees of the agent's tools.
pub(crate) struct AgentModel {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) menus: Arc<Menus>,
}

/// A model as one run uses it.
pub(crate) struct RunModel {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) menus: Arc<Menus>,
    /// What the answer itself must be, where the run wants one and the model can be held to it.
    pub(crate) output: Option<MenuItem>,
    /// The thread for this model's encoder. Only the driver of the thread holds it, so it is never waited for.
    pub(crate) wire: Arc<Mutex<ThreadWire>>,
}

impl<T> PerModel<T> {
    pub(crate) fn new(first: T, fallbacks: Vec<T>) -> Self {
        Self { first, fallbacks }
    }

    pub(crate) fn first(&self) -> &T {
        &self.first
    }

    /// The one at `index`; the last for an index beyond it.
    pub(crate) fn get(&self, index: usize) -> &T {
        match index.checked_sub(1) {
            None => &self.first,
            Some(index) => self.fallbacks.get(index).or(self.fallbacks.last()).unwrap_or(&self.first),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first).chain(&self.fallbacks)
    }

    /// How many there are; at least one.
    pub(crate) fn len(&self) -> usize {
        self.fallbacks.len().saturating_add(1)
    }

    /// One thing for each model, made of what this and another have for it.
    pub(crate) fn zip<U, V>(&self, other: &PerModel<U>, mut make: impl FnMut(&T, &U) -> V) -> PerModel<V> {
        let first = make(&self.first, &other.first);
        let rest = self.fallbacks.iter().zip(&other.fallbacks);
        PerModel { first, fallbacks: rest.map(|(one, another)| make(one, another)).collect() }
    }

    pub(crate) fn map<U>(&self, mut make: impl FnMut(&T) -> U) -> PerModel<U> {
        PerModel { first: make(&self.first), fallbacks: self.fallbacks.iter().map(make).collect() }
    }
}

impl PerModel<RunModel> {
    /// The model of this name; the first where no other has it.
    pub(crate) fn named(&self, name: &ModelName) -> &RunModel {
        self.iter().find(|one| one.model.profile().name == *name).unwrap_or(&self.first)
    }
}

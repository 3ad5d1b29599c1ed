//! Building an agent: everything that is wrong is told at once.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::Agent;
use super::error::{BuildError, BuildProblem};
use super::report::{self, Made};
use super::state::Threads;
use crate::catalog::{Catalog, Collapsing, Entry, Menus, Source};
use crate::handle::{Clock, SystemClock};
use crate::harness::{Collapse, Harness};
use crate::middleware::{Middleware, Pipeline};
use crate::model::{Encode, IntoModel, Model, ModelError};
use crate::question::{Ask, NoAsker};
use crate::runtime::{AgentModel, AgentParts, Limits, OutputMode, PerModel};
use crate::session::{MemoryStore, Store};
use crate::tool::Tool;
use crate::transcript::Text;

type PendingModel = BoxFuture<'static, Result<Arc<dyn Model>, ModelError>>;

/// Collects what an agent is made of.
#[derive(Default)]
pub struct AgentBuilder {
    name: Option<Text>,
    instructions: Vec<Text>,
    model: Option<PendingModel>,
    fallbacks: Vec<PendingModel>,
    output: OutputMode,
    sources: Vec<Source>,
    collapsing: Collapsing,
    middleware: Vec<Arc<dyn Middleware>>,
    asker: Option<Arc<dyn Ask>>,
    store: Option<Arc<dyn Store>>,
    strict: bool,
    limits: Option<Limits>,
    clock: Option<Arc<dyn Clock>>,
}

impl AgentBuilder {
    /// What the agent is called in events and reports. Default `agent`.
    #[must_use]
    pub fn name(mut self, name: impl Into<Text>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Adds to the system text.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<Text>) -> Self {
        self.instructions.push(text.into());
        self
    }

    /// The model. Required; one that cannot be used fails the build.
    #[must_use]
    pub fn model(mut self, model: impl IntoModel) -> Self {
        self.model = Some(model.into_model());
        self
    }

    /// Adds a model that is asked when those before it have failed, each in the dialect and with the budget of its own.
    #[must_use]
    pub fn fallback(mut self, model: impl IntoModel) -> Self {
        self.fallbacks.push(model.into_model());
        self
    }

    /// How runs that must end with a value ask for it. Default: by an output tool.
    #[must_use]
    pub fn output(mut self, mode: OutputMode) -> Self {
        self.output = mode;
        self
    }

    /// Adds a harness: every tool of it.
    #[must_use]
    pub fn harness(self, harness: impl Harness) -> Self {
        self.shared_harness(Arc::new(harness))
    }

    /// Adds a harness that is held elsewhere too.
    #[must_use]
    pub fn shared_harness(mut self, harness: Arc<dyn Harness>) -> Self {
        self.sources.push(Source::Harness { harness, collapse: None });
        self
    }

    /// Adds a harness that collapses as told here, whatever it says itself.
    #[must_use]
    pub fn collapsed(mut self, harness: impl Harness, collapse: Collapse) -> Self {
        self.sources.push(Source::Harness { harness: Arc::new(harness), collapse: Some(collapse) });
        self
    }

    /// How harnesses collapse. Default: those that have a container of their own do.
    #[must_use]
    pub fn collapsing(mut self, collapsing: Collapsing) -> Self {
        self.collapsing = collapsing;
        self
    }

    /// Adds a tool that stands alone, such as a function under `#[tool]`.
    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn Tool>) -> Self {
        self.sources.push(Source::Tool(tool));
        self
    }

    /// Adds middleware. The first added is the outermost.
    #[must_use]
    pub fn middleware(mut self, middleware: impl Middleware + 'static) -> Self {
        self.middleware.push(Arc::new(middleware));
        self
    }

    /// Who is asked for permission. Default: nobody, so that what needs permission is denied.
    #[must_use]
    pub fn asker(mut self, asker: impl Ask + 'static) -> Self {
        self.asker = Some(Arc::new(asker));
        self
    }

    /// Where [`Agent::thread`] keeps threads. Default: in memory, as long as the agent lives.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Refuses to go on with a thread that is damaged or was left in the middle of a turn. Default: what is damaged is
    /// set aside and open calls are answered as interrupted, both on record.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// When things end by themselves.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Where the time comes from. Default: the machine's clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = Some(clock);
        self
    }

    /// The agent.
    ///
    /// # Errors
    /// Everything that is wrong with what was given.
    pub async fn build(self) -> Result<Agent, BuildError> {
        let limits = self.limits.clone().unwrap_or_default();
        let entries: Vec<Entry> = self.sources.iter().flat_map(Source::entries).collect();
        let mut problems = wrong_examples(&entries, &limits);
        problems.extend(limits.zero().map(|name| BuildProblem::ZeroLimit { name }));
        let made = Made {
            asker: self.asker.is_some(),
            store: self.store.is_some(),
            limits: self.limits.is_some(),
            middleware: self.middleware.len(),
        };
        let models = resolve(self.model, self.fallbacks, &mut problems).await;
        if let (OutputMode::Native, Some(models)) = (self.output, &models) {
            let without = models.iter().filter(|model| !model.profile().native_output);
            problems.extend(without.map(|model| BuildProblem::NoNativeOutput { model: model.profile().name.clone() }));
        }
        let catalog = match Catalog::new(self.sources, self.collapsing) {
            Ok(catalog) => Some(Arc::new(catalog)),
            Err(wrong) => {
                problems.extend(wrong.into_iter().map(BuildProblem::Catalog));
                None
            }
        };
        let (Some(models), Some(catalog), true) = (models, catalog, problems.is_empty()) else {
            return Err(BuildError { problems });
        };
        let models = models.map(|model| {
            let menus = Arc::new(Menus::new(Arc::clone(&catalog), Arc::clone(model) as Arc<dyn Encode>));
            AgentModel { model: Arc::clone(model), menus }
        });
        let mut system = self.instructions;
        system.extend_from_slice(catalog.standing_instructions());
        let report = Arc::new(report::make(&made, &models, &catalog, &limits));
        let parts = AgentParts {
            name: self.name.unwrap_or_else(|| "agent".into()),
            system: system.into(),
            models,
            output: self.output,
            catalog,
            pipeline: Pipeline::new(&self.middleware),
            asker: self.asker.unwrap_or_else(|| Arc::new(NoAsker)),
            limits,
            strict: self.strict,
            clock: self.clock.unwrap_or_else(|| Arc::new(SystemClock)),
        };
        let store = self.store.unwrap_or_else(|| Arc::new(MemoryStore::default()));
        Ok(Agent { parts: Arc::new(parts), report, threads: Arc::new(Threads::new(store)) })
    }
}

async fn resolve(
    model: Option<PendingModel>,
    fallbacks: Vec<PendingModel>,
    problems: &mut Vec<BuildProblem>,
) -> Option<PerModel<Arc<dyn Model>>> {
    let Some(model) = model else {
        problems.push(BuildProblem::NoModel);
        return None;
    };
    let first = model.await.map_err(|error| problems.push(BuildProblem::Model(error))).ok();
    let mut others = Vec::with_capacity(fallbacks.len());
    for model in fallbacks {
        others.extend(model.await.map_err(|error| problems.push(BuildProblem::Model(error))).ok());
    }
    first.map(|first| PerModel::new(first, others))
}

/// Worked examples are bound once, so that none can mislead a model.
fn wrong_examples(entries: &[Entry], limits: &Limits) -> Vec<BuildProblem> {
    let (plan, limits) = (outrigger_contract::WirePlan::default(), limits.binding());
    let examples = entries.iter().flat_map(|entry| entry.tool.spec().examples.iter().map(move |one| (entry, one)));
    examples
        .filter_map(|(entry, example)| {
            let error = entry.tool.bind(&example.args, &plan, &limits).err()?;
            let issues = error.issues.iter();
            let problems = issues.map(|one| format!("{}: expected {}, found {}", one.path, one.expected, one.found));
            let problems = problems.collect::<Vec<_>>().join("; ");
            Some(BuildProblem::Example { tool: Arc::clone(&entry.identity), ask: Arc::clone(&example.ask), problems })
        })
        .collect()
}

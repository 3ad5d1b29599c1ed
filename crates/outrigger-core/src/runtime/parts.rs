//! What an agent is made of, as its runs see it.

use std::sync::Arc;

use super::limits::Limits;
use super::models::{AgentModel, PerModel};
use crate::catalog::Catalog;
use crate::handle::Clock;
use crate::middleware::Pipeline;
use crate::question::Ask;
use crate::transcript::Text;

/// How a run that must end with a value asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputMode {
    /// By an output tool, which every model can call.
    #[default]
    Tool,
    /// By the provider's own response schema: the answer itself is the value. Runs of a model that has none fail.
    Native,
}

/// What an agent is made of; shared by its runs.
pub(crate) struct AgentParts {
    pub(crate) name: Text,
    pub(crate) system: Arc<[Text]>,
    pub(crate) models: PerModel<AgentModel>,
    pub(crate) output: OutputMode,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) pipeline: Pipeline,
    pub(crate) asker: Arc<dyn Ask>,
    pub(crate) limits: Limits,
    /// Whether a thread that is damaged or unfinished is refused rather than mended.
    pub(crate) strict: bool,
    pub(crate) clock: Arc<dyn Clock>,
}

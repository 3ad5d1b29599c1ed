//! What an agent is made of, as its runs see it.

use std::sync::Arc;

use super::limits::Limits;
use crate::catalog::{Catalog, Menu};
use crate::handle::Clock;
use crate::middleware::Pipeline;
use crate::model::Model;
use crate::question::Ask;
use crate::transcript::Text;

/// What an agent is made of; shared by its runs.
pub(crate) struct AgentParts {
    pub(crate) name: Text,
    pub(crate) system: Arc<[Text]>,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) menu: Arc<Menu>,
    pub(crate) pipeline: Pipeline,
    pub(crate) asker: Arc<dyn Ask>,
    pub(crate) limits: Limits,
    pub(crate) clock: Arc<dyn Clock>,
}

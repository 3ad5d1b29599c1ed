//! Performs a turn's steps: the driver task, the model call, tool execution, events out.

mod attempt;
mod driver;
mod faults;
mod functions;
mod limits;
mod menus;
mod model_call;
mod models;
mod parts;
mod performer;
mod prepare;
mod prompts;
mod retry;
mod stop;
mod watch;

pub(crate) use driver::drive;
pub(crate) use faults::store_fault;
pub use limits::Limits;
pub(crate) use models::{AgentModel, PerModel, RunModel};
pub(crate) use parts::AgentParts;
pub use parts::OutputMode;
pub(crate) use performer::Performer;
pub(crate) use stop::Stopper;
pub(crate) use watch::SharedTimer;

//! What the model can call: spec, binding, running.

mod context;
mod native;
mod output;
pub(crate) mod prompts;
pub mod returned;
mod spec;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use outrigger_contract::{BindError, Limits, Shape, WirePlan};

pub(crate) use context::ToolPorts;
pub use context::{Progress, ToolContext};
pub use native::{Body, NativeTool};
pub use output::{IntoToolOutput, ToolError, ToolOutput};
pub use spec::{ToolKind, ToolSpec};

pub use crate::model::Example;
pub use tokio_util::sync::CancellationToken;

/// What a body becomes: its output, or why there is none.
pub type BodyFuture = BoxFuture<'static, Result<ToolOutput, ToolError>>;

/// Something the model can call.
///
/// `#[tool]` makes one from a signature; implement it by hand only for tools whose shape is known at run time.
pub trait Tool: Send + Sync {
    /// Name, description and policies.
    fn spec(&self) -> &ToolSpec;

    /// The shape of its arguments. Built when first asked for.
    fn shape(&self) -> Arc<Shape>;

    /// Binds what the model sent, under the plan of the schema it was shown.
    ///
    /// # Errors
    /// Every problem of the arguments, in words the model can act on.
    fn bind(&self, raw: &str, plan: &WirePlan, limits: &Limits) -> Result<Box<dyn BoundCall>, BindError>;
}

/// A call whose arguments have bound.
pub trait BoundCall: Send {
    /// The arguments in canonical form: what hooks, digests and intents see, and what binds again under the canonical
    /// plan.
    fn canonical(&self) -> String;

    /// Runs the body, once.
    fn run(self: Box<Self>, context: ToolContext) -> BodyFuture;
}

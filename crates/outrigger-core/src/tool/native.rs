//! Tools made from Rust signatures.

use std::sync::{Arc, OnceLock};

use outrigger_contract::{BindError, Contract, Limits, Shape, WirePlan};

use super::context::ToolContext;
use super::output::{ToolError, ToolOutput};
use super::spec::ToolSpec;
use super::{BodyFuture, BoundCall, Tool};

/// How a body is called with its typed arguments.
pub enum Body<H, A> {
    /// A future, or a sync body that runs inline.
    Future(fn(Arc<H>, A, ToolContext) -> BodyFuture),
    /// A sync body that blocks its thread and so runs off the executor.
    Blocking(fn(Arc<H>, A, ToolContext) -> Result<ToolOutput, ToolError>),
}

impl<H, A> Clone for Body<H, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H, A> Copy for Body<H, A> {}

/// A tool made from a signature: a harness value, the carrier type of its arguments, and the body.
pub struct NativeTool<H, A> {
    harness: Arc<H>,
    spec: ToolSpec,
    shape: OnceLock<Arc<Shape>>,
    body: Body<H, A>,
}

impl<H, A> NativeTool<H, A> {
    /// The tool. Nothing is built before it is asked for.
    #[must_use]
    pub fn new(harness: Arc<H>, mut spec: ToolSpec, body: Body<H, A>) -> Self {
        spec.blocking = matches!(body, Body::Blocking(_));
        Self { harness, spec, shape: OnceLock::new(), body }
    }
}

impl<H: Send + Sync + 'static, A: Contract> Tool for NativeTool<H, A> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> Arc<Shape> {
        Arc::clone(self.shape.get_or_init(|| Arc::new(outrigger_contract::shape_of::<A>())))
    }

    fn bind(&self, raw: &str, plan: &WirePlan, limits: &Limits) -> Result<Box<dyn BoundCall>, BindError> {
        let bound = outrigger_contract::bind::<A>(raw, plan, limits)?;
        Ok(Box::new(NativeCall { harness: Arc::clone(&self.harness), arguments: bound.value, body: self.body }))
    }
}

struct NativeCall<H, A> {
    harness: Arc<H>,
    arguments: A,
    body: Body<H, A>,
}

impl<H: Send + Sync + 'static, A: Contract> BoundCall for NativeCall<H, A> {
    fn canonical(&self) -> String {
        outrigger_contract::encode(&self.arguments)
    }

    fn run(self: Box<Self>, context: ToolContext) -> BodyFuture {
        let Self { harness, arguments, body } = *self;
        match body {
            Body::Future(body) => body(harness, arguments, context),
            Body::Blocking(body) => Box::pin(async move {
                match tokio::task::spawn_blocking(move || body(harness, arguments, context)).await {
                    Ok(result) => result,
                    Err(stopped) => match stopped.try_into_panic() {
                        // The panic belongs to the call: it goes on here, where the runtime catches it.
                        Ok(panic) => std::panic::resume_unwind(panic),
                        Err(stopped) => Err(ToolError::new("the executor shut down").with_source(stopped)),
                    },
                }
            }),
        }
    }
}

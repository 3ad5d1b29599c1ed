//! The model trait and its encoder, drafts and sealed requests, stream parts, errors.

mod assemble;
mod error;
mod example;
mod line;
mod part;
mod profile;
mod request;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;

pub(crate) use assemble::Assembler;
pub use error::{ModelError, ModelErrorKind, SealError};
pub use example::Example;
pub use line::{MessageLine, RequestLine};
pub use part::Part;
pub use profile::ModelProfile;
pub(crate) use request::WireParts;
pub use request::{RequestDraft, SealedRequest, Size, SizeSource, SizeUnit, ToolBlock};

use crate::handle::RunHandle;
pub use crate::transcript::ModelResponse;
use crate::transcript::{Message, Text};

/// How a model writes things on its wire: pure and synchronous, so that sealing can size a request as it will go out
/// without being able to send it.
pub trait Encode: Send + Sync {
    /// What the model is and takes.
    fn profile(&self) -> &ModelProfile;

    /// One item as it stands in the request's body. A message is encoded without a wrapper for its role: a provider
    /// that merges neighbours joins them when it builds the body.
    fn encode(&self, item: Item<'_>) -> Arc<[u8]>;
}

/// Something that stands in a request.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Item<'a> {
    /// System text.
    System(&'a Text),
    /// A tool.
    Tool(ToolItem<'a>),
    /// A message.
    Message(&'a Message),
    /// The schema that the answer itself must keep.
    Output(ToolItem<'a>),
}

/// A tool as it is declared to a model.
#[derive(Clone, Copy, Debug)]
pub struct ToolItem<'a> {
    /// The name on the wire.
    pub name: &'a str,
    /// What it does.
    pub description: &'a str,
    /// The projected schema, as JSON text.
    pub schema: &'a str,
    /// Whether the provider may be asked to hold the model to the schema.
    pub strict: bool,
    /// Worked examples, for providers that take them.
    pub examples: &'a [Example],
}

/// A language model.
pub trait Model: Encode {
    /// Answers a request, part by part. A stream that ends without [`Part::Finish`] is an error of the stream, not a
    /// short answer. Dropping the stream ends the work behind it.
    fn stream(&self, request: Arc<SealedRequest>, run: RunHandle) -> BoxStream<'static, Result<Part, ModelError>>;
}

/// Something that becomes a model when an agent is built.
pub trait IntoModel {
    /// The model, or why there is none.
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>>;
}

impl IntoModel for Arc<dyn Model> {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        Box::pin(std::future::ready(Ok(self)))
    }
}

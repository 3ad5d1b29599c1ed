//! What the tests are made of: streams as text, parts as lines, an agent whose requests are kept.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use outrigger_core::handle::RunHandle;
use outrigger_core::model::{Encode, IntoModel, Item, Model, ModelError, ModelProfile, Part, SealedRequest};
use outrigger_core::tool::{Body, NativeTool, Tool, ToolOutput, ToolSpec};
use outrigger_core::transcript::Opaque;
use serde_json::Value;

use super::super::Messages;
use crate::wire::sse::{Sse, SseLimits};
use crate::wire::{Decode as _, Protocol};

/// The events of a stream: name and data.
pub(super) fn events(stream: &str) -> Vec<(String, String)> {
    let stream = stream.replace("\r\n", "\n");
    let field = |event: &str, name: &str| {
        let lines = event.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned));
        lines.collect::<Vec<_>>().join("\n")
    };
    let events = stream.split("\n\n").map(|event| (field(event, "event"), field(event, "data")));
    events.filter(|(_, data)| !data.is_empty()).collect()
}

/// What a stream means, and the error that ends it.
pub(super) fn decoded(stream: &str) -> (Vec<Part>, Option<ModelError>) {
    decoded_in(&[stream.as_bytes()])
}

/// What a stream means that comes in these chunks.
pub(super) fn decoded_in(chunks: &[&[u8]]) -> (Vec<Part>, Option<ModelError>) {
    let mut sse = Sse::new(SseLimits::DEFAULT);
    let mut decoder = super::super::decode::Decoder::default();
    let mut parts = Vec::new();
    for chunk in chunks {
        if let Err(error) = sse.feed(chunk, |name, data| decoder.event(name, data, &mut parts)) {
            return (parts, Some(error));
        }
    }
    let told = sse.end(|name, data| decoder.event(name, data, &mut parts));
    let error = told.and_then(|()| decoder.end(&mut parts)).err();
    (parts, error)
}

/// Parts as a person reads them, one a line; signs of life counted.
pub(super) fn told(parts: &[Part], error: Option<&ModelError>) -> String {
    let mut out = String::new();
    for part in parts.iter().filter(|part| **part != Part::Alive) {
        let line = match part {
            Part::Opaque(opaque) => format!("Opaque {} {}", opaque.kind, block(opaque)),
            part => format!("{part:?}"),
        };
        writeln!(out, "{line}").unwrap();
    }
    writeln!(out, "{} signs of life", parts.iter().filter(|part| **part == Part::Alive).count()).unwrap();
    if let Some(error) = error {
        writeln!(out, "{}: {error}", error.kind().as_str()).unwrap();
    }
    out
}

/// The block that an opaque part holds.
pub(super) fn block(opaque: &Opaque) -> String {
    String::from_utf8(STANDARD.decode(opaque.bytes.as_bytes()).unwrap()).unwrap()
}

/// A body, as JSON.
pub(super) fn json(body: crate::wire::Body) -> Value {
    let len = body.len();
    let bytes: Vec<u8> = body.into_pieces().concat();
    assert_eq!(bytes.len() as u64, len);
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{error} in {}", String::from_utf8_lossy(&bytes)))
}

/// A model that answers with given parts and keeps the bodies it would have sent.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) model: Arc<Messages>,
    answers: Arc<Mutex<VecDeque<Vec<Part>>>>,
    bodies: Arc<Mutex<Vec<Value>>>,
}

impl Kept {
    pub(super) fn new(model: Messages, answers: impl IntoIterator<Item = Vec<Part>>) -> Self {
        let answers = Arc::new(Mutex::new(answers.into_iter().collect()));
        Self { model: Arc::new(model), answers, bodies: Arc::default() }
    }

    /// The bodies so far, in order.
    pub(super) fn bodies(&self) -> Vec<Value> {
        self.bodies.lock().unwrap().clone()
    }
}

impl Encode for Kept {
    fn profile(&self) -> &ModelProfile {
        self.model.profile()
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        self.model.encode(item)
    }
}

impl Model for Kept {
    fn stream(&self, request: Arc<SealedRequest>, _: RunHandle) -> BoxStream<'static, Result<Part, ModelError>> {
        self.bodies.lock().unwrap().push(json(self.model.body(&request)));
        let answer = self.answers.lock().unwrap().pop_front();
        let done = || decoded(include_str!("streams/stop_sequence.sse")).0;
        Box::pin(stream::iter(answer.unwrap_or_else(done)).map_ok())
    }
}

/// Every item as a success.
trait MapOk: Sized {
    fn map_ok(self) -> BoxStream<'static, Result<Part, ModelError>>;
}

impl<S: futures_util::Stream<Item = Part> + Send + 'static> MapOk for S {
    fn map_ok(self) -> BoxStream<'static, Result<Part, ModelError>> {
        Box::pin(futures_util::StreamExt::map(self, Ok))
    }
}

impl IntoModel for Kept {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        let model: Arc<dyn Model> = Arc::new(self);
        Box::pin(std::future::ready(Ok(model)))
    }
}

/// A tool that takes any texts and says what it was called with.
pub(super) fn tool(name: &str) -> Arc<dyn Tool> {
    let body = Body::<(), BTreeMap<String, String>>::Future(|_, arguments, _| {
        Box::pin(async move { Ok(ToolOutput::text(format!("{arguments:?}"))) })
    });
    Arc::new(NativeTool::new(Arc::new(()), ToolSpec::new(name, "Does it."), body))
}

//! What the tests are made of: streams as text, parts as lines, an agent whose requests are kept.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use outrigger_core::handle::RunHandle;
use outrigger_core::model::{Encode, IntoModel, Item, Model, ModelError, ModelProfile, Part, SealedRequest};
use outrigger_core::tool::{Body, NativeTool, Tool, ToolOutput, ToolSpec};
use outrigger_core::transcript::{Finish, Text};
use serde_json::Value;

use super::super::{Chat, Decoder, chat};
use crate::openai::Server;
use crate::wire::sse::{Sse, SseError, SseLimits};
use crate::wire::{Decode as _, Protocol as _};

/// The events of a stream: name and data. The stream comes in these chunks.
pub(super) fn events_of(chunks: &[&[u8]]) -> Vec<(String, String)> {
    let mut sse = Sse::new(SseLimits::DEFAULT);
    let mut events = Vec::new();
    let mut keep = |name: &str, data: &str| {
        events.push((name.to_owned(), data.to_owned()));
        Ok::<(), SseError>(())
    };
    chunks.iter().for_each(|chunk| sse.feed(chunk, &mut keep).unwrap());
    sse.end(&mut keep).unwrap();
    events
}

/// The events of a stream that comes at once.
pub(super) fn events(stream: &str) -> Vec<(String, String)> {
    events_of(&[stream.as_bytes()])
}

/// What events mean, and the error that ends them.
pub(super) fn decoded<N: AsRef<str>, D: AsRef<str>>(
    events: impl IntoIterator<Item = (N, D)>,
) -> (Vec<Part>, Option<ModelError>) {
    let mut decoder = Decoder::new("mock");
    let mut parts = Vec::new();
    for (name, data) in events {
        let before = parts.len();
        if let Err(error) = decoder.event(name.as_ref(), data.as_ref(), &mut parts) {
            return (parts, Some(error));
        }
        assert!(parts.len() > before, "an event without a sign of life");
    }
    let error = decoder.end(&mut parts).err();
    (parts, error)
}

/// Parts as a person reads them, one a line; signs of life counted.
pub(super) fn told(parts: &[Part], error: Option<&ModelError>) -> String {
    let mut out = String::new();
    for part in parts.iter().filter(|part| **part != Part::Alive) {
        let line = match part {
            Part::Opaque(opaque) => {
                let json = BASE64_STANDARD.decode(opaque.bytes.as_bytes()).unwrap();
                format!("Opaque {} {}", opaque.kind, String::from_utf8(json).unwrap())
            }
            part => format!("{part:?}"),
        };
        writeln!(out, "{line}").unwrap();
    }
    let alive = parts.iter().filter(|part| **part == Part::Alive).count();
    writeln!(out, "{alive} signs of life").unwrap();
    if let Some(error) = error {
        writeln!(out, "{}: {error}", error.kind().as_str()).unwrap();
    }
    out
}

/// A body, as JSON.
pub(super) fn json(body: crate::wire::Body) -> Value {
    let len = body.len();
    let bytes: Vec<u8> = body.into_pieces().concat();
    assert_eq!(bytes.len() as u64, len);
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{error} in {}", String::from_utf8_lossy(&bytes)))
}

/// A model of this server.
pub(super) fn model_of(server: &str, model: &str) -> Chat {
    chat(model, Server::named(server).unwrap())
}

/// A model that answers with given parts and keeps the bodies it would have sent.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) model: Arc<Chat>,
    answers: Arc<Mutex<VecDeque<Vec<Part>>>>,
    bodies: Arc<Mutex<Vec<Value>>>,
}

impl Kept {
    pub(super) fn new(model: Chat, answers: impl IntoIterator<Item = Vec<Part>>) -> Self {
        let answers = Arc::new(Mutex::new(answers.into_iter().collect()));
        Self { model: Arc::new(model), answers, bodies: Arc::default() }
    }

    /// The bodies so far, in order.
    pub(super) fn bodies(&self) -> Vec<Value> {
        self.bodies.lock().unwrap().clone()
    }

    /// The last body.
    pub(super) fn last(&self) -> Value {
        self.bodies().pop().unwrap()
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
        let answer = self.answers.lock().unwrap().pop_front().unwrap_or_else(|| says("Done."));
        Box::pin(stream::iter(answer.into_iter().map(Ok)))
    }
}

impl IntoModel for Kept {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        let model: Arc<dyn Model> = Arc::new(self);
        Box::pin(std::future::ready(Ok(model)))
    }
}

/// An answer of text.
pub(super) fn says(text: &str) -> Vec<Part> {
    vec![Part::Text(text.into()), Part::Finish(Finish::Stop)]
}

/// An answer of calls: id, name and raw arguments.
pub(super) fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>) -> Vec<Part> {
    let parts = calls.into_iter().enumerate().flat_map(|(index, (id, name, arguments))| {
        let started = Part::CallStarted { index, id: Some(id.into()), name: name.into() };
        [started, Part::CallArguments { index, delta: arguments.into() }]
    });
    parts.chain([Part::Finish(Finish::Calls)]).collect()
}

/// A tool that takes any texts and says this.
pub(super) fn tool(name: &str, output: ToolOutput) -> Arc<dyn Tool> {
    let body = Body::<ToolOutput, BTreeMap<String, String>>::Future(|output, _, _| {
        let output = (*output).clone();
        Box::pin(async move { Ok(output) })
    });
    Arc::new(NativeTool::new(Arc::new(output), ToolSpec::new(name, "Does it."), body))
}

/// The parts with neighbouring texts of one kind joined, and the arguments of each call: what does not depend on how a
/// stream is cut.
pub(super) fn joined(parts: &[Part]) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::new();
    for part in parts {
        let grown = match (out.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) | (Some(Part::Reasoning(before)), Part::Reasoning(text)) => {
                *before = Text::from(format!("{before}{text}"));
                true
            }
            (_, Part::Alive) => true,
            (_, Part::CallArguments { index, delta }) => {
                let same = out.iter_mut().find_map(|part| match part {
                    Part::CallArguments { index: other, delta } if other == index => Some(delta),
                    _ => None,
                });
                same.map(|before| *before = Text::from(format!("{before}{delta}"))).is_some()
            }
            _ => false,
        };
        if !grown {
            out.push(part.clone());
        }
    }
    out
}

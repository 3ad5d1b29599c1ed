//! A protocol as small as one can be: every event is text.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use outrigger_contract::SchemaProfile;
use outrigger_core::agent::Agent;
use outrigger_core::handle::{RunHandle, SystemClock, Timeouts};
use outrigger_core::model::{Encode, Item, Model, ModelError, ModelErrorKind, ModelProfile, Part, SealedRequest};
use outrigger_core::transcript::{Dialect, Finish, ModelName};
use reqwest::header::HeaderMap;

use crate::scripted::{Script, ScriptedModel};
use crate::wire::client::{self, proxy};
use crate::wire::http::{Access, HttpModel};
use crate::wire::key::{Key, KeyHolder};
use crate::wire::{Body, Decode, Protocol};

pub(super) const KEY: &str = "sk-proj-0123/456789+abcdefXYZ";

pub(super) struct Echo(ModelProfile);

struct EchoDecoder {
    done: bool,
}

impl Encode for Echo {
    fn profile(&self) -> &ModelProfile {
        &self.0
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        crate::plain::encode(item)
    }
}

impl Protocol for Echo {
    fn path(&self) -> &'static str {
        "/echo"
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("authorization", "Bearer ")
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("echo-version", "1")]
    }

    fn body(&self, request: &SealedRequest) -> Body {
        let mut body = Body::default();
        body.text("[");
        let mut first = true;
        request.for_each_message(|_, fragment| {
            if !std::mem::take(&mut first) {
                body.text(",");
            }
            body.shared(fragment);
        });
        body.text("]");
        body
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(EchoDecoder { done: false })
    }

    fn refusal(&self, status: u16, body: &str) -> ModelError {
        let kind = match status {
            401 => ModelErrorKind::Unauthorized,
            429 => ModelErrorKind::RateLimited,
            _ => ModelErrorKind::Rejected,
        };
        let text = serde_json::from_str::<String>(body).unwrap_or_else(|_| body.to_owned());
        ModelError::new(kind, format!("{status}: {text}"))
    }
}

impl Decode for EchoDecoder {
    fn event(&mut self, _: &str, data: &str, out: &mut Vec<Part>) -> Result<(), ModelError> {
        match data {
            "[DONE]" => self.done = true,
            "bad" => return Err(ModelError::new(ModelErrorKind::Stream, format!("bad: {KEY}"))),
            text => out.push(Part::Text(text.into())),
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<Part>) -> Result<(), ModelError> {
        if !self.done {
            return Err(ModelError::new(ModelErrorKind::Stream, "cut off"));
        }
        out.push(Part::Finish(Finish::Stop));
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.done
    }
}

/// How a test reaches its server.
pub(super) fn access(url: &str, key: Option<Key>) -> Access {
    Access {
        base: client::base_url(url).unwrap(),
        key: key.map(|key| KeyHolder::open(key, "Bearer ").unwrap()),
        headers: HeaderMap::new(),
        proxy: None,
        roots: Vec::new(),
        keyless: "set ECHO_API_KEY".to_owned(),
    }
}

pub(super) fn through(access: Access, url: &str) -> Access {
    Access { proxy: Some(proxy(url).unwrap()), ..access }
}

pub(super) fn model(access: Access) -> HttpModel<Echo> {
    let name = ModelName { provider: "echo".into(), model: "echo".into() };
    HttpModel::new(Echo(ModelProfile::unknown(name, Dialect::chat(), SchemaProfile::canonical())), access)
}

/// A request that asks for `text`.
pub(super) async fn request(text: &str) -> Arc<SealedRequest> {
    let scripted = ScriptedModel::new(Script::new().text("ok"));
    let agent = Agent::builder().model(scripted.clone()).build().await.unwrap();
    agent.run(text).await.unwrap();
    Arc::clone(&scripted.requests()[0])
}

pub(super) fn run(connect: Duration) -> RunHandle {
    let handle = RunHandle::new("s".into(), "t".into(), Arc::new(SystemClock));
    handle.with_timeouts(Timeouts { connect, ..Timeouts::DEFAULT })
}

/// What came of one request: the parts, and the error that ended them.
pub(super) async fn ask(model: &impl Model) -> (Vec<Part>, Option<ModelError>) {
    let mut stream = model.stream(request("hello").await, run(Duration::from_secs(5)));
    let mut parts = Vec::new();
    while let Some(part) = stream.next().await {
        match part {
            Ok(part) => parts.push(part),
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing follows an error");
                return (parts, Some(error));
            }
        }
    }
    (parts, None)
}

/// The text of the parts.
pub(super) fn text(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(&**text),
        _ => None,
    });
    texts.collect()
}

/// The error of one request, which shows no key.
pub(super) async fn error(model: &impl Model) -> ModelError {
    let (_, error) = ask(model).await;
    let error = error.expect("an error");
    let told = format!("{error} {error:?}");
    assert!(!told.contains("456789"), "{told}");
    error
}

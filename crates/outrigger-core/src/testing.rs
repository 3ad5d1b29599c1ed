//! What the core's own tests are made of: a model that plays parts, tools that misbehave.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};
use outrigger_contract::SchemaProfile;

use crate::handle::RunHandle;
use crate::harness::Harness;
use crate::model::{Encode, IntoModel, Item, Model, ModelError, ModelProfile, Part, SealedRequest};
use crate::tool::{Body, NativeTool, Tool, ToolContext, ToolError, ToolOutput, ToolSpec};
use crate::transcript::{Dialect, Finish, ModelName};

/// One answer, part by part. A pause of the stream stands for a `None`.
pub(crate) type Answer = Vec<Option<Result<Part, ModelError>>>;

/// Plays answers in order, then says `done`.
#[derive(Clone)]
pub(crate) struct TestModel {
    profile: Arc<ModelProfile>,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    endless: bool,
    pub(crate) requests: Arc<Mutex<Vec<Arc<SealedRequest>>>>,
}

impl TestModel {
    pub(crate) fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        let name = ModelName { provider: "test".into(), model: "model".into() };
        let profile = ModelProfile::unknown(name, Dialect::chat(), SchemaProfile::canonical());
        Self {
            profile: Arc::new(profile),
            answers: Arc::new(Mutex::new(answers.into_iter().collect())),
            endless: false,
            requests: Arc::default(),
        }
    }
}

impl TestModel {
    /// The same answers by a model of another profile.
    pub(crate) fn with_profile(mut self, change: impl FnOnce(&mut ModelProfile)) -> Self {
        change(Arc::make_mut(&mut self.profile));
        self
    }

    /// The same answers, after which the stream stays open and silent.
    pub(crate) fn endless(mut self) -> Self {
        self.endless = true;
        self
    }
}

impl Encode for TestModel {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        format!("{item:?}").into_bytes().into()
    }
}

impl Model for TestModel {
    fn stream(&self, request: Arc<SealedRequest>, _: RunHandle) -> BoxStream<'static, Result<Part, ModelError>> {
        self.requests.lock().unwrap().push(request);
        let answer = self.answers.lock().unwrap().pop_front().unwrap_or_else(|| text("done"));
        let parts = stream::iter(answer).filter_map(|part| async move {
            if part.is_none() {
                tokio::task::yield_now().await;
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            part
        });
        if self.endless { Box::pin(parts.chain(stream::pending())) } else { Box::pin(parts) }
    }
}

impl IntoModel for TestModel {
    fn into_model(self) -> BoxFuture<'static, Result<Arc<dyn Model>, ModelError>> {
        let model: Arc<dyn Model> = Arc::new(self);
        Box::pin(std::future::ready(Ok(model)))
    }
}

pub(crate) fn text(text: &str) -> Answer {
    vec![Some(Ok(Part::Text(text.into()))), None, Some(Ok(Part::Finish(Finish::Stop)))]
}

pub(crate) fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, &'a str)>) -> Answer {
    finished(calls, Finish::Calls)
}

pub(crate) fn finished<'a>(calls: impl IntoIterator<Item = (&'a str, &'a str)>, finish: Finish) -> Answer {
    let mut parts: Answer = Vec::new();
    for (index, (name, arguments)) in calls.into_iter().enumerate() {
        parts.push(Some(Ok(Part::CallStarted { index, id: None, name: name.into() })));
        parts.push(None);
        parts.push(Some(Ok(Part::CallArguments { index, delta: arguments.into() })));
    }
    parts.push(Some(Ok(Part::Finish(finish))));
    parts
}

/// Tools that count how often they ran, and do what their name says.
#[derive(Default)]
pub(crate) struct Tricks {
    pub(crate) echoed: AtomicU32,
    pub(crate) now: AtomicU32,
    pub(crate) most: AtomicU32,
    pub(crate) log: Mutex<Vec<String>>,
}

type Arguments = BTreeMap<String, String>;

impl Harness for Tricks {
    fn name(&self) -> &'static str {
        "Tricks"
    }

    fn description(&self) -> &'static str {
        ""
    }

    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>> {
        let spec = |name: &str| ToolSpec::new(name, name);
        let tool = |spec: ToolSpec, body: Body<Self, Arguments>| -> Arc<dyn Tool> {
            Arc::new(NativeTool::new(Arc::clone(&self), spec, body))
        };
        vec![
            tool(spec("echo"), Body::Future(|tricks, arguments, _| Box::pin(echo(tricks, arguments)))),
            tool(spec("panic"), Body::Future(|_, _, _| panic!("on purpose"))),
            tool(spec("fail"), Body::Future(|_, _, _| Box::pin(async { Err(ToolError::new("no luck")) }))),
            tool(spec("slow"), Body::Future(|tricks, arguments, _| Box::pin(slow(tricks, arguments)))),
            tool(
                ToolSpec { parallel: false, ..spec("alone") },
                Body::Future(|tricks, arguments, _| Box::pin(slow(tricks, arguments))),
            ),
            tool(
                ToolSpec { timeout: Some(Duration::from_millis(20)), ..spec("hang") },
                Body::Future(|_, _, cx| Box::pin(hang(cx))),
            ),
            tool(
                ToolSpec { requires_permission: true, ..spec("gated") },
                Body::Future(|tricks, arguments, _| Box::pin(echo(tricks, arguments))),
            ),
            tool(
                ToolSpec { max_output: Some(4), ..spec("loud") },
                Body::Future(|_, _, _| Box::pin(async { Ok(ToolOutput::text("too long")) })),
            ),
            tool(
                ToolSpec { idempotent: true, ..spec("again") },
                Body::Future(|tricks, arguments, _| Box::pin(echo(tricks, arguments))),
            ),
            tool(
                ToolSpec { idempotent: true, ..spec("flaky") },
                Body::Future(|tricks, arguments, cx| Box::pin(flaky(tricks, arguments, cx))),
            ),
            tool(spec("flaky_once"), Body::Future(|tricks, arguments, cx| Box::pin(flaky(tricks, arguments, cx)))),
        ]
    }
}

fn label(arguments: &Arguments) -> String {
    arguments.get("text").cloned().unwrap_or_default()
}

async fn echo(tricks: Arc<Tricks>, arguments: Arguments) -> Result<ToolOutput, ToolError> {
    tricks.echoed.fetch_add(1, Ordering::SeqCst);
    tokio::task::yield_now().await;
    Ok(ToolOutput::text(label(&arguments)))
}

async fn slow(tricks: Arc<Tricks>, arguments: Arguments) -> Result<ToolOutput, ToolError> {
    let label = label(&arguments);
    let now = tricks.now.fetch_add(1, Ordering::SeqCst) + 1;
    tricks.most.fetch_max(now, Ordering::SeqCst);
    tricks.log.lock().unwrap().push(format!("+{label}"));
    tokio::time::sleep(Duration::from_millis(label.len() as u64 * 10)).await;
    tricks.log.lock().unwrap().push(format!("-{label}"));
    tricks.now.fetch_sub(1, Ordering::SeqCst);
    Ok(ToolOutput::text(label))
}

/// Fails as often as `text` is long.
async fn flaky(tricks: Arc<Tricks>, arguments: Arguments, cx: ToolContext) -> Result<ToolOutput, ToolError> {
    tricks.echoed.fetch_add(1, Ordering::SeqCst);
    if cx.attempt() as usize <= label(&arguments).len() {
        return Err(ToolError::new("busy").transient());
    }
    Ok(ToolOutput::text(format!("at attempt {}", cx.attempt())))
}

async fn hang(cx: ToolContext) -> Result<ToolOutput, ToolError> {
    cx.cancellation().cancelled().await;
    Err(ToolError::new("stopped"))
}

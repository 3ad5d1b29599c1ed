//! Wrappers around the model and its attempts (R7–R9).

use std::sync::{Arc, Mutex};

use crate::agent::Agent;
use crate::middleware::{AttemptCx, HookSet, Middleware, ModelCx, ModelFuture, NextAttempt, NextModel};
use crate::model::{ModelError, ModelErrorKind, RequestDraft, SealedRequest};
use crate::testing::{TestModel, text};
use crate::transcript::{
    AssistantMessage, AssistantPart, ContextMessage, Finish, Message, ModelName, ModelResponse, Usage,
};

type Log = Arc<Mutex<Vec<String>>>;

/// Says when it is entered and left, and adds to the draft.
struct Tell(&'static str, Log);

impl Middleware for Tell {
    fn hooks(&self) -> HookSet {
        HookSet::WRAP_MODEL
    }

    fn wrap_model<'a>(&'a self, cx: &'a ModelCx<'a>, mut draft: RequestDraft, next: NextModel<'a>) -> ModelFuture<'a> {
        Box::pin(async move {
            self.1.lock().unwrap().push(format!("+{}", self.0));
            draft.system.push(self.0.into());
            let context = ContextMessage { source: self.0.into(), text: "by the way".into() };
            draft.extra.push(Arc::new(Message::Context(context)));
            let answer = next.run(cx, draft).await;
            self.1.lock().unwrap().push(format!("-{}", self.0));
            answer
        })
    }
}

// R8: wrappers nest, the first registered outermost; R9: the draft is theirs to edit, the thread is not.
#[tokio::test(start_paused = true)]
async fn wrappers_nest_in_order_and_edit_the_draft_alone() {
    let (model, log) = (TestModel::new([text("hi")]), Log::default());
    let builder = Agent::builder().model(model.clone()).instructions("base");
    let builder = builder.middleware(Tell("outer", Arc::clone(&log))).middleware(Tell("inner", Arc::clone(&log)));
    let agent = builder.build().await.unwrap();
    let thread = agent.thread("s", "main");
    assert_eq!(thread.run("go").await.unwrap().text(), "hi");
    assert_eq!(log.lock().unwrap().join(" "), "+outer +inner -inner -outer");
    let request = model.requests.lock().unwrap().remove(0);
    assert_eq!(request.system().join(" "), "base outer inner");
    assert_eq!((request.messages().len(), thread.view().await.unwrap().messages().len()), (3, 2));
}

/// Answers by itself.
struct Instead;

impl Middleware for Instead {
    fn hooks(&self) -> HookSet {
        HookSet::WRAP_MODEL
    }

    fn wrap_model<'a>(&'a self, _: &'a ModelCx<'a>, _: RequestDraft, _: NextModel<'a>) -> ModelFuture<'a> {
        let by = ModelName { provider: "cache".into(), model: "cache".into() };
        let parts = vec![AssistantPart::Text("from the cache".into())];
        let message = Arc::new(AssistantMessage { parts, by, finish: Finish::Stop, partial: false });
        Box::pin(std::future::ready(Ok(ModelResponse { message, usage: Usage::default() })))
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrapper_can_answer_in_place_of_the_model() {
    let model = TestModel::new([]);
    let agent = Agent::builder().model(model.clone()).middleware(Instead).build().await.unwrap();
    assert_eq!(agent.run("go").await.unwrap().text(), "from the cache");
    assert!(model.requests.lock().unwrap().is_empty());
}

/// Tries again once.
struct Again(Mutex<Vec<Arc<SealedRequest>>>);

impl Middleware for Again {
    fn hooks(&self) -> HookSet {
        HookSet::WRAP_ATTEMPT
    }

    fn wrap_attempt<'a>(
        &'a self,
        cx: &'a AttemptCx<'a>,
        request: &'a Arc<SealedRequest>,
        next: NextAttempt<'a>,
    ) -> ModelFuture<'a> {
        Box::pin(async move {
            self.0.lock().unwrap().push(Arc::clone(request));
            match next.run(cx, request).await {
                Err(error) if error.kind() == ModelErrorKind::Unavailable => next.run(cx, request).await,
                answer => answer,
            }
        })
    }
}

// What is tried again is what was sealed: a provider call may have several attempts.
#[tokio::test(start_paused = true)]
async fn another_attempt_sends_the_same_sealed_request() {
    let overloaded = vec![Some(Err(ModelError::new(ModelErrorKind::Unavailable, "503")))];
    let model = TestModel::new([overloaded, text("there")]);
    let agent = Agent::builder().model(model.clone()).middleware(Again(Mutex::default())).build().await.unwrap();
    assert_eq!(agent.run("go").await.unwrap().text(), "there");
    let sent = model.requests.lock().unwrap();
    assert_eq!(sent.len(), 2);
    assert!(Arc::ptr_eq(&sent[0], &sent[1]));
}

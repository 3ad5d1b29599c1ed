//! The turn as a checkpoint: stopped at every step, its outcome heard or lost, everything through JSON.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::run::Start;
use super::super::state::ThreadState;
use super::super::{Agent, BuildProblem};
use crate::catalog::CatalogProblem;
use crate::event::Unheard;
use crate::handle::{RunHandle, SystemClock};
use crate::harness::Harness;
use crate::middleware::{FunctionCx, FunctionFuture, HookSet, Middleware, NextFunction};
use crate::model::Example;
use crate::runtime::Performer;
use crate::session::{MemoryStore, ThreadKey};
use crate::testing::{Answer, TestModel, Tricks, calls, text};
use crate::tool::{Body, NativeTool, ToolSpec};
use crate::transcript::{CallStatus, Dialect, Legality, Message, View};
use crate::turn::{Outcome, Step, Turn};

/// One turn under a hand that performs its steps.
struct Bench {
    performer: Performer,
    turn: Turn,
    tricks: Arc<Tricks>,
}

async fn bench(answers: Vec<Answer>) -> Bench {
    let tricks = Arc::new(Tricks::default());
    let harness = Arc::clone(&tricks) as Arc<dyn Harness>;
    let agent = Agent::builder().model(TestModel::new(answers)).shared_harness(harness).build().await.unwrap();
    let key = ThreadKey { session: "s".into(), thread: "main".into() };
    let state = ThreadState::new(Arc::new(MemoryStore::default()), key.clone());
    let log = state.log(&agent.parts).await.unwrap();
    let run = RunHandle::new(key.session, key.thread, Arc::new(SystemClock));
    let turn = Turn::new(run.turn().clone(), run.run().clone(), "go".into(), agent.parts.limits.turn());
    let (parts, message, events) = (Arc::clone(&agent.parts), "go".into(), Arc::new(Unheard));
    let performer = Start { parts, state, message, run, events, output: None }.performer(log).await.unwrap();
    Bench { performer, turn, tricks }
}

fn answers() -> Vec<Answer> {
    vec![
        calls([("echo", r#"{"text":"a"}"#), ("nothing", "{}"), ("gated", "{}"), ("panic", "{}")]),
        calls([("again", r#"{"text":"b"}"#)]),
        text("end"),
    ]
}

/// What the thread says, without the identities that differ from run to run.
fn said(view: &View) -> Vec<String> {
    view.messages().with(|messages| {
        messages
            .iter()
            .map(|message| match &**message {
                Message::User(_) => "user".to_owned(),
                Message::Assistant(said) => format!("assistant {:?} {}", said.text(), said.calls().count()),
                Message::Results(batch) => {
                    let results =
                        batch.results.iter().map(|result| format!("{:?}", (result.status, result.text_content())));
                    results.collect::<Vec<_>>().join(" ")
                }
                Message::Context(_) => "context".to_owned(),
            })
            .collect()
    })
}

/// A value as it comes back from JSON.
fn through_json<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

async fn played(answers: Vec<Answer>, lose: Option<u32>) -> (Vec<String>, u32, u32) {
    let Bench { performer, mut turn, tricks } = bench(answers).await;
    let mut steps = 0;
    while !matches!(turn.step(), Step::Done(_)) {
        let mut outcome = performer.perform(&turn).await;
        if lose == Some(steps) {
            // The process that heard the outcome is gone; another loads the checkpoint and performs the step again.
            let again = performer.perform(&through_json(&turn)).await;
            assert!(again == outcome || matches!(turn.step(), Step::Model { .. }), "{:?}", turn.step());
            outcome = again;
        }
        turn = through_json(&turn);
        turn.next(through_json(&outcome)).unwrap();
        steps += 1;
    }
    let view = performer.log.view();
    assert!(view.open_calls().is_empty() && view.turn().is_none());
    (said(&view), steps, tricks.echoed.load(Ordering::SeqCst))
}

// The turn alone is the checkpoint: any step may be performed twice, and nothing happens twice.
#[tokio::test(start_paused = true)]
async fn a_step_whose_outcome_was_lost_is_performed_again_and_changes_nothing() {
    let (expected, steps, echoed) = played(answers(), None).await;
    insta::assert_debug_snapshot!(expected);
    assert_eq!((steps, echoed), (13, 2));
    for lose in 0..steps {
        // A model whose answer was lost is asked again; it says the same.
        let mut script = answers();
        if let Some(index) = [1, 6, 10].iter().position(|step| *step == lose) {
            script.insert(index, answers().swap_remove(index));
        }
        let (said, _, ran) = played(script, Some(lose)).await;
        assert_eq!(said, expected, "lost the outcome of step {lose}");
        assert_eq!(ran, echoed, "lost the outcome of step {lose}");
    }
}

// After a crash between intent and outcome, a call runs again only if its tool is idempotent.
#[tokio::test(start_paused = true)]
async fn a_call_whose_body_was_dropped_ends_as_interrupted_or_runs_again_if_it_may() {
    for (tool, expected) in [("echo", CallStatus::Interrupted), ("again", CallStatus::Ok)] {
        let Bench { performer, mut turn, tricks } = bench(vec![calls([(tool, "{}")]), text("end")]).await;
        while !matches!(turn.step(), Step::Tools(_)) {
            let outcome = performer.perform(&turn).await;
            turn.next(outcome).unwrap();
        }
        {
            let mut running = Box::pin(performer.perform(&turn));
            while tricks.echoed.load(Ordering::SeqCst) == 0 {
                assert!(futures_util::poll!(running.as_mut()).is_pending());
                tokio::task::yield_now().await;
            }
        }
        let outcome = performer.perform(&turn).await;
        assert!(matches!(outcome, Outcome::Tools(_)));
        let view = performer.log.settled().await;
        let id = view.messages().with(|messages| match &**messages.last().unwrap() {
            Message::Results(batch) => batch.results[0].call.clone(),
            other => panic!("{other:?}"),
        });
        assert_eq!(view.result(&id).unwrap().status, expected);
        let mut legality = Legality::new(Arc::new(Dialect::chat()));
        view.messages().with(|messages| messages.iter().for_each(|message| legality.push(message)));
        legality.prove(&[]).unwrap();
    }
}

#[tokio::test]
async fn an_outcome_of_another_step_is_refused_and_changes_nothing() {
    let Bench { mut turn, .. } = bench(vec![]).await;
    let before = turn.clone();
    let mismatch = turn.next(Outcome::Answers(vec![])).unwrap_err();
    assert_eq!(mismatch.to_string(), "the turn waits for the outcome of an append, but was given answers");
    assert_eq!(turn, before);
}

struct Twice;

impl Middleware for Twice {
    fn hooks(&self) -> HookSet {
        HookSet::WRAP_FUNCTION
    }

    fn wrap_function<'a>(&'a self, cx: &'a FunctionCx<'a>, next: NextFunction<'a>) -> FunctionFuture<'a> {
        Box::pin(async move {
            next.run(cx).await;
            next.run(cx).await
        })
    }
}

// R11: a wrapper may run what is inside again; each attempt writes its own intent.
#[tokio::test(start_paused = true)]
async fn a_wrapper_that_calls_twice_runs_the_body_twice_and_leaves_one_result() {
    let tricks = Arc::new(Tricks::default());
    let harness = Arc::clone(&tricks) as Arc<dyn Harness>;
    let model = TestModel::new([calls([("echo", r#"{"text":"hi"}"#)]), text("end")]);
    let agent = Agent::builder().model(model).shared_harness(harness).middleware(Twice).build().await.unwrap();
    let thread = agent.thread("s", "main");
    thread.run("go").await.unwrap();
    assert_eq!(tricks.echoed.load(Ordering::SeqCst), 2);
    let view = thread.view().await.unwrap();
    assert_eq!(said(&view)[2], r#"(Ok, "hi")"#);
}

// Everything that is wrong with an agent is told at once.
#[tokio::test]
async fn a_build_tells_all_its_problems() {
    let spec = ToolSpec { examples: vec![Example::new("Say hi", r#"{"text":1}"#)], ..ToolSpec::new("echo", "Echoes.") };
    let body = Body::<(), std::collections::BTreeMap<String, String>>::Future(|_, _, _| unreachable!());
    let error = Agent::builder()
        .harness(Tricks::default())
        .limits(crate::runtime::Limits { tool_timeout: std::time::Duration::ZERO, ..Default::default() })
        .tool(Arc::new(NativeTool::new(Arc::new(()), spec, body)))
        .build()
        .await
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(
        error.problems.as_slice(),
        [
            BuildProblem::Example { .. },
            BuildProblem::ZeroLimit { .. },
            BuildProblem::NoModel,
            BuildProblem::Catalog(CatalogProblem::Duplicate(_))
        ]
    ));
    insta::assert_snapshot!(error);
}

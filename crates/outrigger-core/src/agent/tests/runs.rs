//! What a run promises, whatever its tools, its model and its reader do.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;

use futures_util::StreamExt;

use crate::agent::{Agent, AgentBuilder, RunError};
use crate::event::EventKind;
use crate::harness::Harness;
use crate::model::{ModelError, ModelErrorKind, Part};
use crate::runtime::Limits;
use crate::testing::{Answer, TestModel, Tricks, calls, finished, text};
use crate::transcript::{CallStatus, Dialect, Finish, Legality, Message, StopReason, View};

fn agent_of(model: &TestModel, tricks: &Arc<Tricks>) -> AgentBuilder {
    Agent::builder().model(model.clone()).shared_harness(Arc::clone(tricks) as Arc<dyn Harness>)
}

/// Runs one turn, and tells the agent's thread afterwards.
async fn played(answers: impl IntoIterator<Item = Answer>) -> (Result<StopReason, RunError>, View, Arc<Tricks>) {
    let tricks = Arc::new(Tricks::default());
    let agent = agent_of(&TestModel::new(answers), &tricks).build().await.unwrap();
    let thread = agent.thread("s", "main");
    let result = thread.run("go").await.map(|result| result.stop);
    (result, thread.view().await.unwrap(), tricks)
}

fn results(view: &View) -> Vec<(CallStatus, String)> {
    view.messages().with(|messages| {
        let batches = messages.iter().filter_map(|message| match &**message {
            Message::Results(batch) => Some(batch.results.clone()),
            _ => None,
        });
        batches.flatten().map(|result| (result.status, result.text_content())).collect()
    })
}

fn assert_legal(view: &View) {
    let mut legality = Legality::new(Arc::new(Dialect::chat()));
    view.messages().with(|messages| messages.iter().for_each(|message| legality.push(message)));
    legality.prove(&[]).unwrap();
    assert!(view.open_calls().is_empty() && view.turn().is_none());
}

// C7.2, R2, R3: one terminal result a call, in call order, whatever became of each.
#[tokio::test(start_paused = true)]
async fn every_call_ends_in_one_result_in_call_order() {
    let batch = calls([
        ("slow", r#"{"text":"three"}"#),
        ("panic", "{}"),
        ("ecoh", "{}"),
        ("echo", r#"{"text":7}"#),
        ("fail", "{}"),
        ("hang", "{}"),
        ("gated", "{}"),
        ("loud", "{}"),
        ("Tricks.echo", r#"{"text":"one"}"#),
        ("echo", ""),
    ]);
    let (stop, view, _) = played([batch, text("ok")]).await;
    assert_eq!(stop.unwrap(), StopReason::Answered);
    assert_legal(&view);
    insta::assert_debug_snapshot!(results(&view));
}

// C4.5: only the call that the output limit cut is not run.
#[tokio::test(start_paused = true)]
async fn a_call_cut_by_the_output_limit_is_not_run() {
    let cut = finished([("echo", r#"{"text":"whole"}"#), ("echo", r#"{"text":"cu"#)], Finish::Length);
    let (stop, view, tricks) = played([cut, text("ok")]).await;
    assert_eq!(stop.unwrap(), StopReason::Answered);
    let statuses: Vec<CallStatus> = results(&view).into_iter().map(|(status, _)| status).collect();
    assert_eq!(statuses, [CallStatus::Ok, CallStatus::Truncated]);
    assert_eq!(tricks.echoed.load(Ordering::SeqCst), 1);
}

// R2: up to max_parallel_tools side by side; a tool that must be alone is alone, in its place.
#[tokio::test(start_paused = true)]
async fn exclusive_calls_run_alone_and_the_others_side_by_side() {
    let batch = calls([
        ("slow", r#"{"text":"aaa"}"#),
        ("slow", r#"{"text":"b"}"#),
        ("alone", r#"{"text":"X"}"#),
        ("slow", r#"{"text":"c"}"#),
    ]);
    let (_, _, tricks) = played([batch, text("ok")]).await;
    assert_eq!(tricks.log.lock().unwrap().join(" "), "+aaa +b -b -aaa +X -X +c -c");

    let many: Vec<(&str, &str)> = (0..20).map(|_| ("slow", r#"{"text":"n"}"#)).collect();
    let (_, _, tricks) = played([calls(many), text("ok")]).await;
    assert_eq!(tricks.most.load(Ordering::SeqCst), 8);
}

// R1: each limit ends the turn with its own reason, and the thread stays usable.
#[tokio::test(start_paused = true)]
async fn limits_end_a_turn_with_their_reason() {
    let tricks = Arc::new(Tricks::default());
    let forever = |name: &'static str| (0..100).map(move |_| calls([(name, "{}")]));
    let limits = Limits { max_duration: Duration::from_secs(5), ..Limits::default() };
    for (name, expected, iterations) in [("echo", StopReason::MaxIterations, 50), ("fail", StopReason::ToolErrors, 5)] {
        let agent = agent_of(&TestModel::new(forever(name)), &tricks).build().await.unwrap();
        let result = agent.run("go").await.unwrap();
        assert_eq!((result.stop, result.iterations), (expected, iterations));
    }
    let slow =
        TestModel::new((0..100).map(|_| calls([("slow", r#"{"text":"0123456789012345678901234567890123456789"}"#)])));
    let agent = agent_of(&slow, &tricks).limits(limits).build().await.unwrap();
    let thread = agent.thread("s", "main");
    assert_eq!(thread.run("go").await.unwrap().stop, StopReason::MaxDuration);
    assert_legal(&thread.view().await.unwrap());
}

// R3: a provider's failure is a typed error of the turn; what was said before stays on record.
#[tokio::test(start_paused = true)]
async fn a_model_that_fails_ends_the_turn_with_a_typed_error() {
    let broken = vec![Some(Err(ModelError::new(ModelErrorKind::Rejected, "400: no such field")))];
    let (failed, view, _) = played([calls([("echo", "{}")]), broken]).await;
    let RunError::Failed { fault, result } = failed.unwrap_err() else { panic!("not a failed turn") };
    assert_eq!((&*fault.kind, &*fault.message), ("model.rejected", "400: no such field"));
    assert_eq!((result.stop, result.iterations), (StopReason::Failed, 2));
    assert_legal(&view);
}

// M3: a stream that ends early is an error, not a short answer.
#[tokio::test(start_paused = true)]
async fn a_stream_that_ends_early_is_an_error() {
    let cut_off = || vec![Some(Ok(Part::Text("It is".into())))];
    let (failed, view, _) = played((0..9).map(|_| cut_off())).await;
    let RunError::Failed { fault, .. } = failed.unwrap_err() else { panic!("not a failed turn") };
    assert_eq!(&*fault.kind, "model.stream");
    assert_legal(&view);
}

// R4: cancelling keeps what was streamed, answers every call, and ends the turn on record.
#[tokio::test(start_paused = true)]
async fn cancelling_leaves_a_usable_thread() {
    let tricks = Arc::new(Tricks::default());
    let model = TestModel::new([calls([("slow", r#"{"text":"0123456789"}"#), ("echo", "{}")]), text("again")]);
    let agent = agent_of(&model, &tricks).build().await.unwrap();
    let thread = agent.thread("s", "main");
    let mut stream = thread.stream("go");
    while let Some(event) = stream.next().await {
        if matches!(event.kind, EventKind::ToolCallResult { .. }) {
            stream.cancel();
        }
    }
    assert_eq!(stream.result().await.unwrap().stop, StopReason::Cancelled);
    let view = thread.view().await.unwrap();
    assert_legal(&view);
    let statuses: Vec<CallStatus> = results(&view).into_iter().map(|(status, _)| status).collect();
    assert_eq!(statuses, [CallStatus::Cancelled, CallStatus::Ok]);
    assert_eq!(thread.run("and now?").await.unwrap().text(), "again");
}

// R4: a run dropped at any point is finished by its driver: the thread is legal and the next run is served.
#[tokio::test(start_paused = true)]
async fn a_run_dropped_at_any_point_leaves_a_legal_thread() {
    for polls in 0..200 {
        let tricks = Arc::new(Tricks::default());
        let model = TestModel::new([
            calls([("slow", r#"{"text":"ab"}"#), ("echo", r#"{"text":"x"}"#), ("panic", "{}"), ("gated", "{}")]),
            calls([("again", r#"{"text":"y"}"#)]),
            text("end"),
        ]);
        let agent = agent_of(&model, &tricks).build().await.unwrap();
        let thread = agent.thread("s", "main");
        let mut run = Box::pin(thread.run("go"));
        let mut ended = false;
        for _ in 0..polls {
            // One poll of the run, then one turn of everything it woke.
            ended = futures_util::poll!(run.as_mut()).is_ready();
            if ended {
                break;
            }
            tokio::time::advance(Duration::from_millis(1)).await;
            tokio::task::yield_now().await;
        }
        drop(run);
        thread.run("and now?").await.unwrap();
        assert_legal(&thread.view().await.unwrap());
        if ended {
            return;
        }
    }
    panic!("the run never ended by itself");
}

// R6: runs on one thread follow each other.
#[tokio::test(start_paused = true)]
async fn a_second_run_on_a_busy_thread_waits() {
    let tricks = Arc::new(Tricks::default());
    let model = TestModel::new([calls([("slow", r#"{"text":"abc"}"#)]), text("first"), text("second")]);
    let agent = agent_of(&model, &tricks).build().await.unwrap();
    let (one, two) = (agent.thread("s", "main"), agent.thread("s", "main"));
    let (first, second) = tokio::join!(one.run("1"), two.run("2"));
    assert_eq!((first.unwrap().text(), second.unwrap().text()), ("first", "second"));
    assert_legal(&one.view().await.unwrap());
}

// R12: the stream tells everything in order, and ends with the run.
#[tokio::test(start_paused = true)]
async fn the_stream_of_a_run_is_in_order_and_complete() {
    let tricks = Arc::new(Tricks::default());
    let model = TestModel::new([calls([("echo", r#"{"text":"hi"}"#)]), text("bye")]);
    let agent = agent_of(&model, &tricks).name("tester").build().await.unwrap();
    let events: Vec<_> = agent.stream("go").collect().await;
    let sequence: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(sequence, (1..=events.len() as u64).collect::<Vec<_>>());
    let told: Vec<String> = events
        .iter()
        .map(|event| {
            format!("{} {}", event.iteration, serde_json::to_value(&event.kind).unwrap()["type"].as_str().unwrap())
        })
        .collect();
    insta::assert_debug_snapshot!(told);
}

#[tokio::test]
async fn an_empty_message_is_refused() {
    let (refused, view, _) = {
        let tricks = Arc::new(Tricks::default());
        let agent = agent_of(&TestModel::new([]), &tricks).build().await.unwrap();
        let thread = agent.thread("s", "main");
        let refused = thread.run(" \n").await;
        (refused, thread.view().await.unwrap(), tricks)
    };
    assert!(matches!(refused, Err(RunError::EmptyInput)));
    assert_eq!(view.sequence(), 0);
}

#[test]
fn a_run_without_an_executor_is_refused() {
    let mut build = Box::pin(Agent::builder().model(TestModel::new([])).build());
    let waker = futures_util::task::noop_waker();
    let Poll::Ready(agent) = build.as_mut().poll(&mut std::task::Context::from_waker(&waker)) else {
        panic!("building waits for nothing here");
    };
    let agent = agent.unwrap();
    let mut run = Box::pin(agent.run("go"));
    let refused = run.as_mut().poll(&mut std::task::Context::from_waker(&waker));
    assert!(matches!(refused, Poll::Ready(Err(RunError::NoRuntime))));
}

// M1: what someone should know of a model stands in the agent's report, under the model's name.
#[tokio::test]
async fn a_models_notes_are_in_the_report() {
    let model = TestModel::new([]).with_profile(|profile| profile.notes = vec!["nothing is known of it".into()]);
    let agent = agent_of(&model, &Arc::default()).build().await.unwrap();
    let told: Vec<(&str, &str)> = agent.describe().notes.iter().map(|note| (&*note.source, &*note.message)).collect();
    assert!(told.contains(&("test:model", "nothing is known of it")), "{told:?}");
}

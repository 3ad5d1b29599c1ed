//! Retry, time-outs and fallbacks (M5, M6, R11).

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt;

use crate::agent::{Agent, AgentBuilder, RunError};
use crate::event::{Event, EventKind};
use crate::harness::Harness;
use crate::model::{ModelError, ModelErrorKind, Part};
use crate::runtime::Limits;
use crate::testing::{Answer, TestModel, Tricks, calls, text};
use crate::transcript::{CallStatus, Finish, Message, ModelName, StopReason, UserMessage};

fn failing(kind: ModelErrorKind) -> Answer {
    vec![Some(Ok(Part::Text("half an ".into()))), Some(Err(ModelError::new(kind, "out of luck")))]
}

fn named(model: &str, answers: impl IntoIterator<Item = Answer>) -> TestModel {
    let name = ModelName { provider: "test".into(), model: model.into() };
    TestModel::new(answers).with_profile(|profile| profile.name = name)
}

async fn events(builder: AgentBuilder) -> (Vec<Event>, Result<(StopReason, String, String), RunError>) {
    let mut stream = builder.build().await.unwrap().stream("go");
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        events.push(event);
    }
    let result = stream.result().await;
    (events, result.map(|turn| (turn.stop, turn.text().to_owned(), turn.model.model.to_string())))
}

/// Retries as a line each: attempt, kind, who is asked next.
fn retries(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| match &event.kind {
        EventKind::Retry { attempt, kind, model, .. } => Some(format!("{attempt} {kind} {}", model.model)),
        _ => None,
    };
    events.iter().filter_map(line).collect()
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_may_pass_is_tried_again_and_its_text_does_not_count() {
    let model =
        TestModel::new([failing(ModelErrorKind::Stream), failing(ModelErrorKind::Unavailable), text("an answer")]);
    let (events, result) = events(Agent::builder().model(model.clone())).await;
    assert_eq!(result.unwrap().1, "an answer");
    assert_eq!(retries(&events), ["1 stream model", "2 unavailable model"]);
    // A retry names the attempt whose text is void; the text that counts belongs to another.
    let spans = |wanted: fn(&EventKind) -> bool| -> Vec<String> {
        let of_kind = events.iter().filter(|event| wanted(&event.kind));
        of_kind.filter_map(|event| event.span.as_ref().map(ToString::to_string)).collect()
    };
    assert_eq!(spans(|kind| matches!(kind, EventKind::TextDelta { .. })), ["model_1.1", "model_1.2", "model_1.3"]);
    assert_eq!(spans(|kind| matches!(kind, EventKind::Retry { .. })), ["model_1.1", "model_1.2"]);
    // What was sealed is what is sent again.
    let requests = model.requests.lock().unwrap();
    assert!(requests.iter().all(|request| Arc::ptr_eq(request, &requests[0])));
}

#[tokio::test(start_paused = true)]
async fn the_attempts_are_bounded_and_the_last_failure_is_told() {
    let model = TestModel::new((0..9).map(|_| failing(ModelErrorKind::RateLimited)));
    let limits = Limits { retries: 2, ..Limits::default() };
    let (events, result) = events(Agent::builder().model(model.clone()).limits(limits)).await;
    let RunError::Failed { fault, .. } = result.unwrap_err() else { panic!("not a failed turn") };
    assert_eq!((&*fault.kind, &*fault.message), ("model.rate_limited", "out of luck"));
    assert_eq!((retries(&events).len(), model.requests.lock().unwrap().len()), (2, 3));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_the_turn_has_no_time_for_is_not_begun() {
    let error = ModelError::new(ModelErrorKind::RateLimited, "in an hour").with_retry_after(Duration::from_secs(3600));
    let started = tokio::time::Instant::now();
    let (_, result) = events(Agent::builder().model(TestModel::new([vec![Some(Err(error))]]))).await;
    assert!(matches!(result, Err(RunError::Failed { .. })));
    assert_eq!(started.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn cancelling_ends_the_wait_for_another_attempt() {
    let model = TestModel::new((0..9).map(|_| failing(ModelErrorKind::Connect)));
    let mut stream = Agent::builder().model(model).build().await.unwrap().stream("go");
    while let Some(event) = stream.next().await {
        if matches!(event.kind, EventKind::Retry { .. }) {
            stream.cancel();
        }
    }
    assert_eq!(stream.result().await.unwrap().stop, StopReason::Cancelled);
}

/// A model that says `parts`, and then nothing more for ever.
fn silent_after(parts: Vec<Part>) -> Answer {
    parts.into_iter().map(|part| Some(Ok(part))).collect()
}

async fn given_up(parts: Vec<Part>, limits: Limits) -> (String, Duration) {
    let model = TestModel::new([silent_after(parts)]).endless();
    let started = tokio::time::Instant::now();
    let limits = Limits { retries: 0, ..limits };
    let (_, result) = events(Agent::builder().model(model).limits(limits)).await;
    let RunError::Failed { fault, .. } = result.unwrap_err() else { panic!("not a failed turn") };
    (format!("{}: {fault}", fault.kind), started.elapsed())
}

// M6: first byte, idle between chunks, total. A sign of life begins the idle time anew.
#[tokio::test(start_paused = true)]
async fn a_silent_model_is_given_up() {
    let seconds = Duration::from_secs;
    let (told, after) = given_up(vec![], Limits::default()).await;
    insta::assert_snapshot!(told, @"model.timed_out: the model did not answer within 120s (first_byte_timeout)");
    assert_eq!(after, seconds(120));
    let (told, after) = given_up(vec![Part::Alive, Part::Text("so".into())], Limits::default()).await;
    insta::assert_snapshot!(told, @"model.timed_out: the model fell silent in the middle of its answer within 60s (idle_timeout)");
    assert_eq!(after, seconds(60));
    let limits = Limits { attempt_timeout: seconds(50), ..Limits::default() };
    let (told, after) = given_up(vec![Part::Alive], limits).await;
    insta::assert_snapshot!(told, @"model.timed_out: the model was not done with its answer within 50s (attempt_timeout)");
    assert_eq!(after, seconds(50));
}

#[tokio::test(start_paused = true)]
async fn the_next_model_answers_when_one_fails_for_good() {
    let first = named("first", [calls([("echo", r#"{"text":"one"}"#)]), failing(ModelErrorKind::Unauthorized)]);
    let second = named("second", [failing(ModelErrorKind::Overflow)]);
    let third = named("third", [calls([("echo", r#"{"text":"two"}"#)]), text("done by the third")]);
    let models = [first.clone(), second.clone(), third.clone()];
    let builder = Agent::builder().model(first).fallback(second).fallback(third).harness(Tricks::default());
    let (events, result) = events(builder).await;
    assert_eq!(result.unwrap(), (StopReason::Answered, "done by the third".into(), "third".into()));
    assert_eq!(retries(&events), ["1 unauthorized second", "1 overflow third"]);
    // A run does not go back to a model that failed for good, and each was sent what the thread was by then.
    let sent = models.map(|model| -> Vec<usize> {
        model.requests.lock().unwrap().iter().map(|request| request.messages().len()).collect()
    });
    assert_eq!(sent, [vec![1, 3], vec![3], vec![3, 5]]);
}

#[tokio::test(start_paused = true)]
async fn what_another_model_cannot_mend_fails_the_turn() {
    let second = named("second", [text("never asked")]);
    let first = TestModel::new([failing(ModelErrorKind::Script)]);
    let (_, result) = events(Agent::builder().model(first).fallback(second.clone())).await;
    assert!(matches!(result, Err(RunError::Failed { .. })));
    assert!(second.requests.lock().unwrap().is_empty());
}

// R11: a tool that may run twice does, before the model hears of a failure that may pass.
#[tokio::test(start_paused = true)]
async fn an_idempotent_tool_is_tried_again() {
    let batch = calls([
        ("flaky", r#"{"text":"ab"}"#),
        ("flaky", r#"{"text":"abc"}"#),
        ("flaky_once", r#"{"text":"a"}"#),
        ("flaky_once", "{}"),
    ]);
    let tricks = Arc::new(Tricks::default());
    let model = TestModel::new([batch]);
    let agent = Agent::builder().model(model).shared_harness(Arc::clone(&tricks) as Arc<dyn Harness>);
    let thread = agent.build().await.unwrap().thread("s", "main");
    thread.run("go").await.unwrap();
    let view = thread.view().await.unwrap();
    let results = view.messages().with(|messages| match &*messages[2] {
        Message::Results(batch) => {
            batch.results.iter().map(|result| (result.status, result.text_content())).collect::<Vec<_>>()
        }
        other => panic!("no results: {other:?}"),
    });
    let failed = || (CallStatus::Error, "busy".to_owned());
    let ok = |attempt| (CallStatus::Ok, format!("at attempt {attempt}"));
    assert_eq!(results, [ok(3), failed(), failed(), ok(1)]);
    assert_eq!(tricks.echoed.load(Ordering::SeqCst), 3 + 3 + 1 + 1);
}

// M1: a picture alone is something to say; blanks are not.
#[tokio::test]
async fn a_message_may_be_a_picture() {
    let model = TestModel::new([vec![Some(Ok(Part::Text("A cat.".into()))), Some(Ok(Part::Finish(Finish::Stop)))]]);
    let agent = Agent::builder().model(model.clone()).build().await.unwrap();
    let picture = UserMessage::default().image("image/png", "iVBORw0KGgo=");
    assert_eq!(agent.run(picture).await.unwrap().text(), "A cat.");
    assert!(matches!(agent.run(" \n").await, Err(RunError::EmptyInput)));
}

//! Runs that end with a value (C7.3).

use futures_util::StreamExt;

use crate::Contract;
use crate::agent::{Agent, OutputMode, RunError, Thread};
use crate::testing::{Answer, TestModel, Tricks, calls, text};
use crate::transcript::{CallStatus, Message, StopReason};

/// A weather report.
#[derive(Contract, Debug, PartialEq)]
struct Report {
    /// The city.
    city: String,
    /// Degrees of the coming days.
    degrees: Vec<i32>,
}

async fn thread(answers: impl IntoIterator<Item = Answer>) -> (Thread, TestModel) {
    let model = TestModel::new(answers);
    let agent = Agent::builder().model(model.clone()).harness(Tricks::default()).build().await.unwrap();
    (agent.thread("s", "main"), model)
}

async fn statuses(thread: &Thread) -> Vec<CallStatus> {
    thread.view().await.unwrap().messages().with(|messages| {
        let batches = messages.iter().filter_map(|message| match &**message {
            Message::Results(batch) => Some(&batch.results),
            _ => None,
        });
        batches.flatten().map(|result| result.status).collect()
    })
}

const REPORT: &str = r#"{"city":"Oslo","degrees":[3,4]}"#;

#[tokio::test(start_paused = true)]
async fn a_valid_output_ends_the_turn_and_its_siblings_are_not_run() {
    let (thread, model) = thread([calls([("echo", "{}"), ("final_answer", REPORT), ("final_answer", REPORT)])]).await;
    let typed = thread.run_as::<Report>("How is Oslo?").await.unwrap();
    assert_eq!(typed.output, Report { city: "Oslo".into(), degrees: vec![3, 4] });
    assert_eq!((typed.turn.stop, typed.turn.output()), (StopReason::OutputTool, Some(REPORT)));
    assert_eq!(statuses(&thread).await, [CallStatus::Cancelled, CallStatus::Ok, CallStatus::Cancelled]);
    let request = model.requests.lock().unwrap().remove(0);
    assert_eq!(&*request.tools().last().unwrap().name, "final_answer");
    // The tool is that run's alone, and the thread goes on without it.
    thread.run("and now?").await.unwrap();
    let request = model.requests.lock().unwrap().remove(0);
    assert!(request.tools().iter().all(|tool| &*tool.name != "final_answer"));
}

#[tokio::test(start_paused = true)]
async fn an_output_that_does_not_fit_is_answered_and_the_turn_goes_on() {
    let wrong = calls([("final_answer", r#"{"city":"Oslo","degrees":["3"]}"#)]);
    let (thread, _) = thread([wrong, calls([("final_answer", REPORT)])]).await;
    assert_eq!(thread.run_as::<Report>("How is Oslo?").await.unwrap().output.degrees, [3, 4]);
    assert_eq!(statuses(&thread).await, [CallStatus::InvalidArguments, CallStatus::Ok]);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_answers_in_text_is_asked_twice_and_then_fails() {
    let (late, _) = thread([text("Cold."), text("Cold!"), calls([("final_answer", REPORT)])]).await;
    assert_eq!(late.run_as::<Report>("How is Oslo?").await.unwrap().turn.iterations, 3);

    let (never, model) = thread([text("Cold."), text("Cold!"), text("COLD")]).await;
    let RunError::Failed { fault, result } = never.run_as::<Report>("How is Oslo?").await.unwrap_err() else {
        panic!("not a failed turn")
    };
    assert_eq!((&*fault.kind, result.text()), ("output.missing", "COLD"));
    let asked = model.requests.lock().unwrap().pop().unwrap();
    let Message::Context(context) = &*asked.messages().messages().pop().unwrap().clone() else { panic!("not asked") };
    insta::assert_snapshot!(context.text, @r#"Your answer was not recorded. Give it by calling the tool "final_answer", with the whole answer as its arguments."#);
    // The thread is in order, and can be talked on.
    assert_eq!(never.run("well?").await.unwrap().text(), "done");
}

#[tokio::test(start_paused = true)]
async fn streaming_gives_what_is_complete_so_far_and_then_the_value() {
    use crate::model::Part;
    use crate::transcript::Finish;
    let part = |delta: &str| Some(Ok(Part::CallArguments { index: 0, delta: delta.into() }));
    let answer = vec![
        Some(Ok(Part::CallStarted { index: 0, id: None, name: "final_answer".into() })),
        part(r#"{"ci"#),
        part(r#"ty":"Os"#),
        part(r#"lo","degrees":[3"#),
        part(",4]"),
        part("}"),
        Some(Ok(Part::Finish(Finish::Calls))),
    ];
    let (thread, _) = thread([answer]).await;
    let mut stream = thread.stream_as::<Report>("How is Oslo?");
    let mut seen = Vec::new();
    while let Some(document) = stream.next().await {
        seen.push(document);
    }
    let partial = [r"{}", r#"{"city":"Oslo","degrees":[]}"#, r#"{"city":"Oslo","degrees":[3,4]}"#];
    assert_eq!(seen, partial);
    assert_eq!(stream.result().await.unwrap().output.city, "Oslo");
}

#[tokio::test]
async fn a_type_that_is_no_object_is_refused_with_what_to_do() {
    let (thread, _) = thread([]).await;
    let refused = thread.run_as::<Vec<String>>("list them").await.unwrap_err().to_string();
    assert_eq!(
        refused,
        "an output must be a JSON object, and alloc::vec::Vec<alloc::string::String> is not: wrap it in a struct with one field"
    );
}

/// A thread whose model can be held to a response schema, and is.
async fn native(answers: impl IntoIterator<Item = Answer>) -> (Thread, TestModel) {
    let model = TestModel::new(answers).with_profile(|profile| profile.native_output = true);
    let builder = Agent::builder().model(model.clone()).output(OutputMode::Native).harness(Tricks::default());
    (builder.build().await.unwrap().thread("s", "main"), model)
}

#[tokio::test(start_paused = true)]
async fn a_native_output_is_the_answer_itself() {
    let (thread, model) = native([calls([("echo", "{}")]), text(REPORT)]).await;
    let typed = thread.run_as::<Report>("How is Oslo?").await.unwrap();
    assert_eq!((typed.output.degrees, typed.turn.stop), (vec![3, 4], StopReason::OutputTool));
    assert_eq!(typed.turn.output(), Some(REPORT));
    let request = model.requests.lock().unwrap().remove(0);
    assert!(request.output().unwrap().schema.contains("degrees"));
    assert!(request.tools().iter().all(|tool| &*tool.name != "final_answer"));
    thread.run("and now?").await.unwrap();
    assert!(model.requests.lock().unwrap().pop().unwrap().output().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_native_output_that_does_not_fit_is_asked_for_again() {
    let wrong = || text(r#"{"city":"Oslo","degrees":["3"]}"#);
    let (late, model) = native([wrong(), text("Cold."), text(REPORT)]).await;
    assert_eq!(late.run_as::<Report>("How is Oslo?").await.unwrap().turn.iterations, 3);
    let asked = model.requests.lock().unwrap().remove(1);
    let Message::Context(context) = &*asked.messages().messages().pop().unwrap().clone() else { panic!("not asked") };
    insta::assert_snapshot!(context.text);

    let (never, _) = native([wrong(), wrong(), wrong()]).await;
    let RunError::Failed { fault, .. } = never.run_as::<Report>("How is Oslo?").await.unwrap_err() else {
        panic!("not a failed turn")
    };
    insta::assert_snapshot!(fault.to_string());
}

#[tokio::test(start_paused = true)]
async fn a_native_output_streams_what_is_complete() {
    use crate::model::Part;
    use crate::transcript::Finish;
    let part = |delta: &str| Some(Ok(Part::Text(delta.into())));
    let answer =
        vec![part(r#"{"city":"Oslo","de"#), part(r#"grees":[3,4"#), part("]}"), Some(Ok(Part::Finish(Finish::Stop)))];
    let (thread, _) = native([answer]).await;
    let mut stream = thread.stream_as::<Report>("How is Oslo?");
    let mut seen = Vec::new();
    while let Some(document) = stream.next().await {
        seen.push(document);
    }
    assert_eq!(seen, [r#"{"city":"Oslo"}"#, r#"{"city":"Oslo","degrees":[3]}"#, REPORT]);
    assert_eq!(stream.result().await.unwrap().output.city, "Oslo");
}

#[tokio::test]
async fn a_model_without_response_schemas_is_told_when_the_agent_is_built() {
    let built = Agent::builder().model(TestModel::new([])).output(OutputMode::Native).build().await;
    let told = built.err().unwrap().to_string();
    assert_eq!(
        told,
        "the agent cannot be built: test:model cannot be held to a response schema: use `OutputMode::Tool`, which asks for values by a tool"
    );
}

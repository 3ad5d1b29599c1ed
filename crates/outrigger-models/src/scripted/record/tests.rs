//! What is recorded, and that it plays back as it was.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use outrigger_core::agent::{Agent, Limits, RunError};
use outrigger_core::transcript::{AssistantPart, Dialect, Finish, Message, ModelName, Opaque, StopReason, Usage};
use proptest::prelude::*;

use super::*;
use crate::profiles::{anthropic, openai};
use crate::scripted::ScriptedModel;

type Streamed = Vec<Result<Part, (ModelErrorKind, String)>>;

/// A model that streams what it is given, an answer an attempt, then an empty one.
struct Played {
    profile: ModelProfile,
    answers: Mutex<VecDeque<Streamed>>,
}

fn played(schemas: SchemaProfile, answers: impl IntoIterator<Item = Streamed>) -> Arc<dyn Model> {
    let name = ModelName { provider: "played".into(), model: "model".into() };
    let profile = ModelProfile { images: true, ..ModelProfile::unknown(name, Dialect::chat(), schemas) };
    Arc::new(Played { profile, answers: Mutex::new(answers.into_iter().collect()) })
}

impl Encode for Played {
    fn profile(&self) -> &ModelProfile {
        &self.profile
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        crate::plain::encode(item)
    }
}

impl Model for Played {
    fn stream(&self, _: Arc<SealedRequest>, _: RunHandle) -> BoxStream<'static, Result<Part, ModelError>> {
        let answer = self.answers.lock().unwrap().pop_front().unwrap_or_default();
        Box::pin(stream::iter(answer.into_iter().map(|part| part.map_err(|(kind, text)| ModelError::new(kind, text)))))
    }
}

/// What of a turn a recording must keep.
type Told = (StopReason, Vec<AssistantPart>, Option<(Finish, bool)>, Usage, Option<String>);

/// One iteration on a fresh thread.
async fn turn(model: impl IntoModel) -> Told {
    let limits = Limits { retries: 0, max_iterations: 1.try_into().unwrap(), ..Limits::default() };
    let agent = Agent::builder().model(model).limits(limits).build().await.unwrap();
    let thread = agent.thread("s", "t");
    let (stop, usage, fault) = match thread.run("go").await {
        Ok(result) => (result.stop, result.usage, None),
        Err(RunError::Failed { fault, result }) => (result.stop, result.usage, Some(format!("{} {fault}", fault.kind))),
        Err(other) => panic!("{other}"),
    };
    let view = thread.view().await.unwrap();
    let said = view.messages().with(<[_]>::to_vec).iter().find_map(|message| match &**message {
        Message::Assistant(said) => Some(Arc::clone(said)),
        _ => None,
    });
    let finish = said.as_ref().map(|said| (said.finish, said.partial));
    (stop, said.map(|said| said.parts.clone()).unwrap_or_default(), finish, usage, fault)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-z \n\"{}\\\\é😀]{0,6}", 1 => Just(String::new())]
}

fn arguments() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("{}".to_owned()),
        Just(r#"{ "a" : 1e400, "a": "\ud800", "b": [ {} ] }"#.to_owned()),
        Just(" {\"a\":1}\n".to_owned()),
        Just("{\"cut\": \"of".to_owned()),
        Just("{bad}".to_owned()),
        Just("\"text\"".to_owned()),
        Just("null".to_owned()),
        text(),
    ]
}

/// Parts as a wire makes them: an index names one call, deltas may come late, anything may repeat.
fn parts() -> impl Strategy<Value = Vec<Part>> {
    let id = prop_oneof![Just(None), Just(Some("")), Just(Some("c1")), Just(Some("c2"))];
    let finish = prop_oneof![
        Just(Finish::Stop),
        Just(Finish::Calls),
        Just(Finish::Length),
        Just(Finish::Refused),
        Just(Finish::Unfinished)
    ];
    let part = prop_oneof![
        4 => text().prop_map(|text| vec![Part::Text(text.into())]),
        1 => text().prop_map(|text| vec![Part::Quoted(text.into())]),
        2 => text().prop_map(|text| vec![Part::Reasoning(text.into())]),
        4 => (0..4_usize, id, arguments(), any::<prop::sample::Index>()).prop_map(|(index, id, arguments, at)| {
            let at = arguments.char_indices().map(|(at, _)| at).nth(at.index(arguments.len().max(1))).unwrap_or(0);
            let (one, two) = arguments.split_at(at);
            let delta = |delta: &str| Part::CallArguments { index, delta: delta.into() };
            let started = Part::CallStarted { index, id: id.map(Into::into), name: "tool".into() };
            vec![started, delta(one), Part::Text("".into()), delta(two)]
        }),
        1 => Just(vec![Part::Opaque(Opaque { kind: "signature".into(), bytes: "YQ==".into() })]),
        1 => Just(vec![Part::Alive]),
        1 => (0..9_u64).prop_map(|n| vec![Part::Usage(Usage { input: n, output: 1, cached: 0, reasoning: n })]),
        2 => finish.prop_map(|finish| vec![Part::Finish(finish)]),
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

fn streamed() -> impl Strategy<Value = Streamed> {
    let kinds =
        vec![ModelErrorKind::RateLimited, ModelErrorKind::Overflow, ModelErrorKind::Script, ModelErrorKind::Local];
    let end = prop_oneof![
        4 => Just(vec![Ok(Part::Finish(Finish::Stop))]),
        1 => Just(vec![]),
        1 => (prop::sample::select(kinds), text()).prop_map(|fault| vec![Err(fault)]),
    ];
    (parts(), end).prop_map(|(parts, end)| parts.into_iter().map(Ok).chain(end).collect())
}

/// How many cases a property runs: 1,000, or as many as `OUTRIGGER_CASES` says.
fn config() -> ProptestConfig {
    let cases = std::env::var("OUTRIGGER_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1000);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    // M8: what a model streamed, played back from its script as text, is the same.
    #[test]
    fn what_is_played_back_is_what_was_streamed(streamed in streamed()) {
        let executor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        executor.block_on(async {
            let recording = Recording::new();
            let first = turn(recording.of(played(SchemaProfile::canonical(), [streamed]))).await;
            let script = recording.script().to_json();
            let again = turn(ScriptedModel::new(Script::parse(&script).unwrap())).await;
            assert_eq!(first, again, "{script}");
        });
    }
}

fn said(text: &str) -> Streamed {
    vec![Ok(Part::Text(text.into())), Ok(Part::Finish(Finish::Stop))]
}

// M8: the file is written to be read and edited: plain answers are plain steps.
#[tokio::test(start_paused = true)]
async fn a_recording_reads_like_a_script_somebody_wrote() {
    let call = |index, id: Option<&str>, arguments: &str| {
        let started = Part::CallStarted { index, id: id.map(Into::into), name: "current".into() };
        [Ok(started), Ok(Part::CallArguments { index, delta: arguments.into() })]
    };
    let text = |text: &str| Ok(Part::Text(text.into()));
    let finish = |finish| Ok(Part::Finish(finish));
    let usage = Ok(Part::Usage(Usage { input: 120, output: 5, cached: 7, reasoning: 0 }));
    let answers: Vec<Streamed> = vec![
        vec![Err((ModelErrorKind::RateLimited, "429: slow down".into()))],
        vec![text("It "), text("is")],
        [
            vec![text("Let me see.")],
            call(0, Some("c1"), r#"{"city": "Chicago"}"#).into(),
            vec![usage.clone(), finish(Finish::Calls)],
        ]
        .concat(),
        [
            vec![Ok(Part::Reasoning("Hm".into())), Ok(Part::Reasoning(", well.".into()))],
            vec![Ok(Part::Opaque(Opaque { kind: "signature".into(), bytes: "YQ==".into() })), text("First")],
            call(0, None, "{\"city\": \"Chi").into(),
            vec![text("then")],
            call(1, None, "{}").into(),
            vec![finish(Finish::Length)],
        ]
        .concat(),
        vec![text("It is "), text("sunny."), usage, finish(Finish::Stop)],
    ];
    let recording = Recording::new();
    let limits = Limits { retries: 2, ..Limits::default() };
    let model = recording.of(played(openai::strict(), answers));
    let agent = Agent::builder().model(model).limits(limits).build().await.unwrap();
    assert_eq!(agent.run("go").await.unwrap().text(), "It is sunny.");
    insta::assert_snapshot!(recording.script().to_json());
}

/// A model that says a word and then nothing more.
struct Stuck(ModelProfile, Arc<AtomicBool>);

impl Encode for Stuck {
    fn profile(&self) -> &ModelProfile {
        &self.0
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        crate::plain::encode(item)
    }
}

impl Model for Stuck {
    fn stream(&self, _: Arc<SealedRequest>, _: RunHandle) -> BoxStream<'static, Result<Part, ModelError>> {
        self.1.store(true, Ordering::SeqCst);
        Box::pin(stream::iter([Ok(Part::Text("One ".into()))]).chain(stream::pending()))
    }
}

async fn stuck(cancel: bool) -> serde_json::Value {
    let name = ModelName { provider: "stuck".into(), model: "model".into() };
    let profile = ModelProfile::unknown(name, Dialect::chat(), SchemaProfile::canonical());
    let (recording, asked) = (Recording::new(), Arc::new(AtomicBool::new(false)));
    let model: Arc<dyn Model> = Arc::new(Stuck(profile, Arc::clone(&asked)));
    let limits = Limits { retries: 0, ..Limits::default() };
    let agent = Agent::builder().model(recording.of(model)).limits(limits).build().await.unwrap();
    let stream = agent.stream("go");
    while !asked.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    tokio::task::yield_now().await;
    if cancel {
        stream.cancel();
    }
    drop(stream.result().await);
    serde_json::to_value(recording.script().steps).unwrap()
}

// What a person stopped is not tried again when it is played back: the next step belongs to the next question.
#[tokio::test(start_paused = true)]
async fn a_cancelled_attempt_and_a_broken_one_are_told_apart() {
    let fault = serde_json::json!({ "kind": "cancelled", "message": "the run was cancelled" });
    assert_eq!(stuck(true).await, serde_json::json!([{ "parts": [{ "text": "One " }], "error": fault }]));
    assert_eq!(stuck(false).await, serde_json::json!([{ "parts": [{ "text": "One " }, { "drop": true }] }]));
}

#[tokio::test]
async fn every_kind_of_failure_has_its_word() {
    use ModelErrorKind::*;
    for kind in [
        Connect,
        Rejected,
        Unauthorized,
        RateLimited,
        Unavailable,
        Overflow,
        TimedOut,
        Stream,
        Sealing,
        Cancelled,
        Script,
        Local,
        Hook,
    ] {
        let script = format!(r#"{{ "steps": [ {{ "error": {{ "kind": "{}", "message": "no" }} }} ] }}"#, kind.as_str());
        let (_, _, _, _, fault) = turn(ScriptedModel::new(super::Script::parse(&script).unwrap())).await;
        assert_eq!(fault.unwrap(), format!("model.{} no", kind.as_str()));
    }
}

#[tokio::test]
async fn a_recording_is_of_one_schema_dialect() {
    let recording = Recording::new();
    let one = || played(openai::strict(), [said("hi")]);
    Agent::builder().model(recording.of(one())).fallback(recording.of(one())).build().await.unwrap();
    let other = played(anthropic::plain(), []);
    let error = Agent::builder().model(recording.of(other)).build().await.err().unwrap().to_string();
    let told =
        "a recording is of one schema dialect, which is \"openai strict\", and played:model has \"anthropic plain\"";
    assert!(error.contains(told), "{error}");
    let script = Script::parse(r#"{ "profile": "openai-strict", "steps": [ {} ] }"#).unwrap();
    assert_eq!(*ScriptedModel::new(script).profile().schemas, openai::strict());
    let error = Script::parse(r#"{ "profile": "openai-strikt", "steps": [ {} ] }"#).err().unwrap().to_string();
    assert!(error.contains("there is no profile \"openai-strikt\" (did you mean \"openai-strict\"?)"), "{error}");
}

// After each step the file is a whole script.
#[tokio::test]
async fn the_file_is_a_script_after_every_step() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("r.json");
    std::fs::write(&path, "what was there").unwrap();
    let recording = Recording::to_file(&path).unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().contains("\"steps\": []"));
    let model = recording.of(played(SchemaProfile::canonical(), [said("one"), said("two")]));
    let agent = Agent::builder().model(model).build().await.unwrap();
    for count in 1..=2 {
        agent.run("go").await.unwrap();
        assert_eq!(Script::read(&path).unwrap().steps.len(), count);
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_told_and_fails_the_attempt() {
    let directory = tempfile::tempdir().unwrap();
    for (path, why) in [(".", "it is a directory: name a file in it"), ("no/such/r.json", "")] {
        let error = Recording::to_file(&directory.path().join(path)).err().unwrap().to_string();
        assert!(
            error.starts_with("the script ") && error.contains("cannot be written: ") && error.contains(why),
            "{error}"
        );
    }
    let folder = directory.path().join("sub");
    std::fs::create_dir(&folder).unwrap();
    let recording = Recording::to_file(&folder.join("r.json")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let (stop, _, _, _, fault) = turn(recording.of(played(SchemaProfile::canonical(), [said("lost")]))).await;
    assert_eq!(stop, StopReason::Failed);
    let fault = fault.unwrap();
    assert!(fault.starts_with("model.script the script ") && fault.contains("cannot be written"), "{fault}");
    assert!(recording.fault().is_some());
    assert_eq!(recording.script().steps.len(), 1);
}

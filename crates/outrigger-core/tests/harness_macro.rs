//! `#[harness]` and `#[tool]`: what one signature yields, bound and run through [`Tool`].

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use outrigger_core::agent::Agent;
use outrigger_core::contract::{Code, Limits, SchemaProfile, WirePlan, project};
use outrigger_core::harness::Harness;
use outrigger_core::tool::{IntoToolOutput, Tool, ToolContext, ToolError, ToolOutput};
use outrigger_core::transcript::OutputPart;
use outrigger_core::{Contract, harness, tool};
use outrigger_models::scripted::{Script, ScriptedModel};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

#[derive(Contract, Default, Debug, PartialEq)]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Serialize)]
struct Report {
    city: String,
    degrees: i32,
}

#[derive(Debug)]
struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the station is closed")
    }
}

impl std::error::Error for Closed {}

struct Weather {
    degrees: i32,
}

/// Weather reports
/// from one station.
#[harness]
impl Weather {
    /// Gets the current weather for a city.
    #[tool]
    async fn current(
        &self,
        /// The city to look up.
        city: String,
        /// Temperature unit.
        #[arg(default)]
        unit: Unit,
    ) -> Result<Report, Closed> {
        tokio::task::yield_now().await;
        match unit {
            _ if city == "Atlantis" => Err(Closed),
            Unit::Celsius => Ok(Report { city, degrees: self.degrees }),
            Unit::Fahrenheit => Ok(Report { city, degrees: self.degrees * 9 / 5 + 32 }),
        }
    }

    /// Overridden.
    #[tool(
        name = "set-alarm",
        description = "Sets an alarm.",
        requires_permission,
        idempotent,
        read_only,
        parallel = false,
        timeout = "90s",
        max_output = "2KiB",
        example(ask = "Warn me of rain", args = { kind: "rain", above: -1.5, tags: ["a"] }),
        example(ask = "And of storms", args = { kind: "storm" })
    )]
    async fn alarm(
        &self,
        #[arg(rename = "kind")] what: &str,
        above: Option<f64>,
        #[arg(default)] tags: Vec<String>,
    ) -> String {
        format!("{what} {above:?} {tags:?}")
    }

    #[tool]
    fn stop(&self, token: CancellationToken, context: &ToolContext, label: &str) -> String {
        format!("{label} {} {}", token.is_cancelled(), context.tool())
    }

    #[tool(blocking)]
    fn scan(&self, r#type: String, mut count: u8) -> Output {
        count += 1;
        Output(format!("{type} {count}"))
    }

    #[tool]
    fn now() {}

    #[cfg(any())]
    #[tool]
    fn absent(&self, missing: Missing) -> Nothing {}

    #[cfg(not(any()))]
    #[tool]
    fn name(&self) -> &'static str {
        "the tool, not the harness"
    }

    #[expect(dead_code, reason = "a method without `#[tool]` is no tool")]
    fn not_a_tool(&self) {}
}

struct Output(String);

impl IntoToolOutput for Output {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::text(self.0.to_uppercase()))
    }
}

/// Searches the notes.
#[tool(read_only)]
async fn search(
    /// What to look for.
    query: &str,
) -> Vec<String> {
    vec![query.to_owned(), "second".to_owned()]
}

/// A generic harness, under another name.
struct Store<T, const N: usize> {
    held: T,
}

#[harness(name = "Notes", description = "Keeps notes.", vis = pub(self))]
impl<T, const N: usize> Store<T, N>
where
    T: fmt::Debug + Send + Sync + 'static,
{
    #[tool]
    async fn show(&self, again: bool) -> String {
        format!("{:?} {N} {again}", self.held)
    }
}

// Nothing is imported here, and the usual names mean something else.
mod bare {
    pub(crate) struct Result;
    pub(crate) struct Vec;
    pub(crate) struct Box;
    pub(crate) struct String;
    pub(crate) struct Bare(pub(crate) (Result, Vec, Box, String));

    #[::outrigger_core::harness]
    impl Bare {
        #[tool]
        fn size(&self, harness: u8, arguments: &str, context: bool) -> usize {
            let _ = &self.0;
            usize::from(harness) + arguments.len() + usize::from(context)
        }
    }
}

macro_rules! counter {
    ($name:ident, $ty:ty) => {
        struct $name;

        #[harness]
        impl $name {
            #[tool]
            fn count(&self, by: $ty) -> $ty {
                by
            }
        }
    };
}

counter!(Counter, u64);

fn weather() -> Vec<Arc<dyn Tool>> {
    Arc::new(Weather { degrees: 20 }).tools()
}

fn named(tools: &[Arc<dyn Tool>], name: &str) -> Arc<dyn Tool> {
    Arc::clone(tools.iter().find(|tool| &*tool.spec().name == name).unwrap())
}

fn schema(tool: &dyn Tool) -> String {
    let projection = project(&tool.shape(), &SchemaProfile::canonical(), &[], &[]);
    String::from_utf8(projection.schema.to_vec()).unwrap()
}

fn canonical(tool: &dyn Tool, raw: &str) -> String {
    tool.bind(raw, &WirePlan::default(), &Limits::default()).unwrap().canonical()
}

fn codes(tool: &dyn Tool, raw: &str) -> Vec<(String, Code)> {
    let error = tool.bind(raw, &WirePlan::default(), &Limits::default()).err().unwrap();
    error.issues.into_iter().map(|issue| (issue.path, issue.code)).collect()
}

async fn run(tool: &dyn Tool, raw: &str) -> Result<String, String> {
    let call = tool.bind(raw, &WirePlan::default(), &Limits::default()).unwrap();
    let output = call.run(context().await).await.map_err(|error| error.to_string())?;
    match output.parts.first() {
        Some(OutputPart::Text(text)) => Ok(text.to_string()),
        other => panic!("not text: {other:?}"),
    }
}

/// Keeps the context of its last call.
#[derive(Default)]
struct Capture {
    kept: Arc<Mutex<Option<ToolContext>>>,
}

#[harness]
impl Capture {
    #[tool]
    fn capture(&self, context: &ToolContext) {
        *self.kept.lock().unwrap() = Some(context.clone());
    }
}

/// A context as a run makes it.
async fn context() -> ToolContext {
    let capture = Capture::default();
    let kept = Arc::clone(&capture.kept);
    let script = Script::new().call("capture", "{}").text("done");
    let agent = Agent::builder().model(ScriptedModel::new(script)).harness(capture).build().await.unwrap();
    agent.run("go").await.unwrap();
    let context = kept.lock().unwrap().take();
    context.unwrap()
}

// C1.1, C1.2, C1.3: names, order and descriptions come from the block.
#[test]
fn a_block_describes_itself() {
    let harness = Weather { degrees: 20 };
    assert_eq!(Harness::name(&harness), "Weather");
    assert_eq!(harness.description(), "Weather reports from one station.");
    let tools = weather();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.spec().name).collect();
    assert_eq!(names, ["current", "set-alarm", "stop", "scan", "now", "name"]);
    assert_eq!(&*named(&tools, "current").spec().description, "Gets the current weather for a city.");
    assert_eq!(&*named(&tools, "set-alarm").spec().description, "Sets an alarm.");
    assert_eq!(&*named(&tools, "stop").spec().description, "");
}

// C2: the schema is closed, with parameter docs as descriptions.
#[test]
fn a_signature_is_a_closed_schema() {
    let tools = weather();
    assert_eq!(
        schema(&*named(&tools, "current")),
        concat!(
            r#"{"type":"object","properties":{"city":{"type":"string","description":"The city to look up."},"#,
            r#""unit":{"type":"string","enum":["Celsius","Fahrenheit"],"description":"Temperature unit.","#,
            r#""default":"Celsius"}},"required":["city"],"additionalProperties":false}"#
        )
    );
    assert_eq!(
        schema(&*named(&tools, "set-alarm")),
        concat!(
            r#"{"type":"object","properties":{"kind":{"type":"string"},"above":{"type":["number","null"]},"#,
            r#""tags":{"type":"array","items":{"type":"string"},"default":[]}},"required":["kind"],"#,
            r#""additionalProperties":false}"#
        )
    );
    assert_eq!(schema(&*named(&tools, "now")), r#"{"type":"object","properties":{},"additionalProperties":false}"#);
}

// C2: bound arguments have a canonical form, which binds again.
#[test]
fn arguments_bind_to_their_canonical_form() {
    let current = named(&weather(), "current");
    assert_eq!(canonical(&*current, r#"{ "city": "Paris" }"#), r#"{"city":"Paris","unit":"Celsius"}"#);
    assert_eq!(canonical(&*current, r#"{"city":"Paris","unit":"Celsius"}"#), r#"{"city":"Paris","unit":"Celsius"}"#);
    assert_eq!(canonical(&*named(&weather(), "now"), ""), "{}");
    assert_eq!(canonical(&*named(&weather(), "scan"), r#"{"type":"a","count":1}"#), r#"{"type":"a","count":1}"#);
}

// C4.2, C1.7: whatever is not in the schema is refused, a runtime-only parameter too.
#[test]
fn bad_arguments_are_refused_before_the_body() {
    let tools = weather();
    let pair = |path: &str, code| (path.to_owned(), code);
    assert_eq!(
        codes(&*named(&tools, "current"), r#"{"ctiy":"Paris","unit":"Kelvin"}"#),
        [pair("/ctiy", Code::UnknownProperty), pair("/unit", Code::Enum), pair("/city", Code::Missing)]
    );
    assert_eq!(codes(&*named(&tools, "stop"), r#"{"label":"a","token":1}"#), [pair("/token", Code::UnknownProperty)]);
    assert_eq!(
        codes(&*named(&tools, "stop"), r#"{"label":"a","context":{}}"#),
        [pair("/context", Code::UnknownProperty)]
    );
    assert_eq!(
        codes(&*named(&tools, "set-alarm"), r#"{"what":"rain"}"#),
        [pair("/what", Code::UnknownProperty), pair("/kind", Code::Missing)]
    );
}

// C7.1: the body gets its arguments, and its outcome becomes an output.
#[tokio::test]
async fn bodies_run_and_answer() {
    let tools = weather();
    let current = named(&tools, "current");
    assert_eq!(run(&*current, r#"{"city":"Rome"}"#).await.unwrap(), r#"{"city":"Rome","degrees":20}"#);
    assert_eq!(
        run(&*current, r#"{"city":"Rome","unit":"Fahrenheit"}"#).await.unwrap(),
        r#"{"city":"Rome","degrees":68}"#
    );
    assert_eq!(run(&*current, r#"{"city":"Atlantis"}"#).await.unwrap_err(), "the station is closed");
    assert_eq!(run(&*named(&tools, "set-alarm"), r#"{"kind":"rain"}"#).await.unwrap(), "rain None []");
    assert_eq!(run(&*named(&tools, "scan"), r#"{"type":"ab","count":1}"#).await.unwrap(), "AB 2");
    assert_eq!(run(&*named(&tools, "now"), "").await.unwrap(), "Done.");
    assert_eq!(run(&*named(&tools, "name"), "").await.unwrap(), "the tool, not the harness");
}

// C1.7: the context and the token are the call's own.
#[tokio::test]
async fn runtime_parameters_come_from_the_call() {
    let context = context().await;
    let stop = named(&weather(), "stop");
    let bound = stop.bind(r#"{"label":"now"}"#, &WirePlan::default(), &Limits::default()).unwrap();
    assert_eq!(bound.canonical(), r#"{"label":"now"}"#);
    let cancelled = context.cancellation().is_cancelled();
    let output = bound.run(context).await.unwrap();
    assert_eq!(output, ToolOutput::text(format!("now {cancelled} Capture.capture")));
}

// C1.4, C1.8: policies and examples stand in the spec.
#[test]
fn policies_and_examples_stand_in_the_spec() {
    let tools = weather();
    let spec = named(&tools, "set-alarm").spec().clone();
    assert!(spec.requires_permission && spec.idempotent && spec.read_only && !spec.parallel && !spec.blocking);
    assert_eq!((spec.timeout, spec.max_output), (Some(Duration::from_secs(90)), Some(2048)));
    let examples: Vec<(&str, &str)> = spec.examples.iter().map(|example| (&*example.ask, &*example.args)).collect();
    assert_eq!(
        examples,
        [("Warn me of rain", r#"{"kind":"rain","above":-1.5,"tags":["a"]}"#), ("And of storms", r#"{"kind":"storm"}"#)]
    );
    let spec = named(&tools, "current").spec().clone();
    assert!(!spec.requires_permission && !spec.idempotent && !spec.read_only && spec.parallel && !spec.blocking);
    assert_eq!((spec.timeout, spec.max_output), (None, None));
    assert!(named(&tools, "scan").spec().blocking);
}

// C2: arguments can be built, logged, compared and replayed.
#[test]
fn a_carrier_is_an_ordinary_value() {
    let arguments = WeatherCurrentArgs { city: "Paris".to_owned(), unit: Unit::Fahrenheit };
    assert_eq!(format!("{arguments:?}"), r#"{"city":"Paris","unit":"Fahrenheit"}"#);
    let raw = r#"{"unit":"Fahrenheit","city":"Paris"}"#;
    let bound = outrigger_core::contract::bind::<WeatherCurrentArgs>(raw, &WirePlan::default(), &Limits::default());
    assert_eq!(bound.unwrap().value, arguments);
    assert_ne!(WeatherStopArgs { label: "a".to_owned() }, WeatherStopArgs { label: "b".to_owned() });
}

// C1.1: a function keeps its name and gets a namesake among the types.
#[tokio::test]
async fn a_function_is_a_tool_and_stays_a_function() {
    assert_eq!(search("direct").await, ["direct", "second"]);
    let tool = search::tool();
    assert_eq!((&*tool.spec().name, &*tool.spec().description), ("search", "Searches the notes."));
    assert!(tool.spec().read_only);
    assert_eq!(format!("{:?}", SearchArgs { query: "a".to_owned() }), r#"{"query":"a"}"#);
    assert_eq!(run(&*tool, r#"{"query":"a"}"#).await.unwrap(), r#"["a","second"]"#);
}

#[tokio::test]
async fn a_harness_may_be_generic() {
    let store: Arc<Store<Vec<u8>, 3>> = Arc::new(Store { held: vec![1] });
    assert_eq!((store.name(), store.description()), ("Notes", "Keeps notes."));
    let _: fn(StoreShowArgs) -> bool = |arguments| arguments.again;
    assert_eq!(run(&*named(&store.tools(), "show"), r#"{"again":true}"#).await.unwrap(), "[1] 3 true");
}

#[tokio::test]
async fn names_of_the_surroundings_do_not_matter() {
    let bare = bare::Bare((bare::Result, bare::Vec, bare::Box, bare::String));
    let size = named(&Arc::new(bare).tools(), "size");
    assert_eq!(run(&*size, r#"{"harness":1,"arguments":"ab","context":true}"#).await.unwrap(), "4");
    let count = named(&Arc::new(Counter).tools(), "count");
    assert_eq!(run(&*count, r#"{"by":5}"#).await.unwrap(), "5");
}

// The whole way: a model's call goes through an agent to the body and back.
#[tokio::test]
async fn an_agent_calls_the_tools() {
    let script = Script::new().call("current", r#"{"city":"Oslo"}"#).call("search", r#"{"query":"x"}"#).text("Mild.");
    let agent = Agent::builder()
        .model(ScriptedModel::new(script))
        .harness(Weather { degrees: 3 })
        .tool(search::tool())
        .build()
        .await
        .unwrap();
    assert_eq!(agent.run("Oslo?").await.unwrap().text(), "Mild.");
}

//! Menus that unfold: containers, what is visible, recovery (K1–K10, K14, K17, K18).

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::StreamExt;

use crate::agent::{Agent, AgentBuilder, Thread};
use crate::catalog::{Collapsing, Reveal};
use crate::event::EventKind;
use crate::harness::{Collapse, Harness};
use crate::model::SealedRequest;
use crate::testing::{Answer, TestModel, calls, text};
use crate::tool::{Body, NativeTool, Tool, ToolError, ToolOutput, ToolSpec};
use crate::transcript::{CallStatus, Lifetime, Message, View};

/// A harness of tools that answer with their own names, perhaps with another in it.
struct Group {
    name: &'static str,
    tools: Vec<String>,
    inner: Option<Arc<Group>>,
    collapse: Option<Collapse>,
}

fn group(name: &'static str, tools: &[&str]) -> Group {
    let tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
    Group { name, tools, inner: None, collapse: Some(Collapse::default()) }
}

impl Group {
    fn says(mut self, result: &str, instructions: &str) -> Self {
        let said = self.collapse.get_or_insert_default();
        (said.result, said.instructions) = (Some(result.into()), Some(instructions.into()));
        self
    }

    fn lasting(mut self, lifetime: Lifetime) -> Self {
        self.collapse.get_or_insert_default().lifetime = lifetime;
        self
    }

    fn holding(mut self, inner: Group) -> Self {
        self.inner = Some(Arc::new(inner));
        self
    }
}

impl Harness for Group {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        "A group of tools."
    }

    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>> {
        let tool = |name: &String| -> Arc<dyn Tool> {
            let spec = ToolSpec::new(name, &format!("Does {name}."));
            Arc::new(NativeTool::new(
                Arc::new(name.clone()),
                spec,
                Body::Future(|name, arguments, _| Box::pin(did(name, arguments))),
            ))
        };
        self.tools.iter().map(tool).collect()
    }

    fn parts(self: Arc<Self>) -> Vec<Arc<dyn Harness>> {
        self.inner.iter().map(|inner| Arc::clone(inner) as Arc<dyn Harness>).collect()
    }

    fn collapse(&self) -> Option<Collapse> {
        self.collapse.clone()
    }
}

async fn did(name: Arc<String>, arguments: BTreeMap<String, u8>) -> Result<ToolOutput, ToolError> {
    Ok(ToolOutput::text(format!("{name}{arguments:?}")))
}

/// A math harness that collapses, and a clock that does not.
fn math() -> AgentBuilder {
    let clock = Group { collapse: None, ..group("Clock", &["now"]) };
    Agent::builder().harness(group("Math", &["add", "divide"]).says("Mind the zero.", "Show your work.")).harness(clock)
}

async fn thread_of(builder: AgentBuilder, answers: impl IntoIterator<Item = Answer>) -> (Thread, TestModel) {
    let model = TestModel::new(answers);
    let agent = builder.instructions("Be brief.").model(model.clone()).build().await.unwrap();
    (agent.thread("s", "main"), model)
}

/// The tools each request showed.
fn shown(model: &TestModel) -> Vec<String> {
    let names = |request: &Arc<SealedRequest>| {
        request.tools().iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>().join(" ")
    };
    model.requests.lock().unwrap().iter().map(names).collect()
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

// K1, K2, K3, K18: hidden before, a list and the author's words at opening, members and instructions after; the
// container is gone. K4: with the turn it closes.
#[tokio::test(start_paused = true)]
async fn a_container_unfolds_and_folds_again() {
    let (thread, model) = thread_of(math(), [calls([("Math", "{}")]), calls([("add", r#"{"a":1}"#)])]).await;
    thread.run("go").await.unwrap();
    thread.run("again").await.unwrap();
    assert_eq!(shown(&model), ["Math now", "now add divide", "now add divide", "Math now"]);
    let view = thread.view().await.unwrap();
    insta::assert_snapshot!(results(&view)[0].1, @r"
    Math is open. Available now:
    - add: Does add.
    - divide: Does divide.

    Mind the zero.
    ");
    assert_eq!(results(&view)[1], (CallStatus::Ok, r#"add{"a": 1}"#.into()));
    let systems: Vec<String> =
        model.requests.lock().unwrap().iter().map(|request| request.system().join(" | ")).collect();
    assert_eq!(systems, ["Be brief.", "Be brief. | Show your work.", "Be brief. | Show your work.", "Be brief."]);
}

// K4: until closed by hand; what it brought is in a resumed thread.
#[tokio::test(start_paused = true)]
async fn a_thread_container_stays_until_it_is_closed() {
    let builder = Agent::builder().harness(group("Math", &["add"]).lasting(Lifetime::Thread));
    let (thread, model) = thread_of(builder, [calls([("Math", "{}")])]).await;
    thread.run("go").await.unwrap();
    thread.run("again").await.unwrap();
    thread.collapse("Math").await.unwrap();
    thread.collapse("Math").await.unwrap();
    thread.run("and again").await.unwrap();
    assert_eq!(shown(&model), ["Math", "add", "add", "Math"]);
}

// K4: closes after n iterations without a call to a member, across turns.
#[tokio::test(start_paused = true)]
async fn an_idle_container_closes() {
    let builder = Agent::builder()
        .harness(group("Math", &["add"]).lasting(Lifetime::Idle(2)))
        .harness(Group { collapse: None, ..group("Clock", &["now"]) });
    let answers = [
        calls([("Math", "{}")]),
        calls([("now", "{}")]),
        calls([("add", "{}")]),
        calls([("now", "{}")]),
        text("one"),
        text("two"),
    ];
    let (thread, model) = thread_of(builder, answers).await;
    thread.run("go").await.unwrap();
    thread.run("again").await.unwrap();
    assert_eq!(shown(&model), ["Math now", "now add", "now add", "now add", "now add", "Math now"]);
}

// K5: an inner container needs its own opening; closing the outer one closes it.
#[tokio::test(start_paused = true)]
async fn containers_nest() {
    let outer = || {
        let inner = group("Inner", &["deep"]).lasting(Lifetime::Thread);
        Agent::builder().harness(group("Outer", &["flat"]).lasting(Lifetime::Thread).holding(inner))
    };
    let (thread, model) = thread_of(outer(), [calls([("Outer", "{}")]), calls([("Inner", "{}")])]).await;
    thread.run("go").await.unwrap();
    thread.collapse("Outer").await.unwrap();
    thread.run("again").await.unwrap();
    assert_eq!(shown(&model), ["Outer", "flat Inner", "flat deep", "Outer"]);
    // K8: a hidden call opens the whole chain, and runs.
    let (thread, model) = thread_of(outer(), [calls([("deep", "{}")])]).await;
    thread.run("go").await.unwrap();
    assert_eq!(shown(&model), ["Outer", "flat deep"]);
    assert_eq!(results(&thread.view().await.unwrap()), [(CallStatus::Ok, "deep{}".into())]);
}

// K6: disabled, or never: every member visible, its instructions in the request, the container gone.
#[tokio::test(start_paused = true)]
async fn what_does_not_collapse_is_open_for_the_whole_run() {
    let never = Collapsing { never: vec!["Math".into()], ..Collapsing::default() };
    for collapsing in [never, Collapsing { enabled: false, ..Collapsing::default() }] {
        let (thread, model) = thread_of(math().collapsing(collapsing), []).await;
        thread.run("go").await.unwrap();
        assert_eq!(shown(&model), ["add divide now"]);
        assert_eq!(model.requests.lock().unwrap()[0].system().join(" | "), "Be brief. | Show your work.");
    }
    let unknown = Collapsing { never: vec!["Maths".into()], ..Collapsing::default() };
    let built = math().collapsing(unknown).model(TestModel::new([])).build().await;
    insta::assert_snapshot!(built.err().unwrap(), @r#"the agent cannot be built: collapsing.never names "Maths", which is no harness of this agent; did you mean "Math"?"#);
}

// K7: several in one batch; one that is open already; a container beside its member.
#[tokio::test(start_paused = true)]
async fn openings_share_a_batch() {
    let builder = || {
        let lasting = |name, tools: &[&str]| group(name, tools).lasting(Lifetime::Thread);
        Agent::builder().harness(lasting("Math", &["add"])).harness(lasting("Text", &["trim"]))
    };
    let batch = calls([("Math", "{}"), ("Text", r#"{"all":1}"#), ("trim", "{}"), ("Math", "{}"), ("Text", "{}")]);
    let (thread, model) = thread_of(builder(), [batch]).await;
    thread.run("go").await.unwrap();
    assert_eq!(shown(&model), ["Math Text", "add trim"]);
    let told: Vec<String> = results(&thread.view().await.unwrap())
        .iter()
        .map(|(status, text)| format!("{} {}", status.as_str(), text.lines().next().unwrap()))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

// K8, K9, K10, H10: plain and qualified in each spelling, bad arguments, unknown, and off.
#[tokio::test(start_paused = true)]
async fn a_hidden_call_is_recovered() {
    for spelling in ["divide", "Math.divide", "Math/divide", "Math__divide", "Math_divide"] {
        let (thread, model) = thread_of(math(), [calls([(spelling, r#"{"a":4}"#)])]).await;
        thread.run("go").await.unwrap();
        let results = results(&thread.view().await.unwrap());
        assert_eq!(results, [(CallStatus::Ok, r#"divide{"a": 4}"#.to_owned())], "{spelling}");
        assert_eq!(shown(&model)[1], "now add divide");
    }
    let (thread, model) = thread_of(math(), [calls([("divide", r#"{"a":"four"}"#), ("dvide", "{}")])]).await;
    thread.run("go").await.unwrap();
    assert_eq!(shown(&model)[1], "now add divide");
    let off = Collapsing { recovery: false, ..Collapsing::default() };
    let (closed, model) = thread_of(math().collapsing(off), [calls([("divide", "{}")])]).await;
    closed.run("go").await.unwrap();
    assert_eq!(shown(&model)[1], "Math now");
    let mut told = results(&thread.view().await.unwrap());
    told.extend(results(&closed.view().await.unwrap()));
    let told: Vec<String> = told.iter().map(|(status, text)| format!("{}: {text}", status.as_str())).collect();
    insta::assert_snapshot!(told.join("\n\n"));
}

// K14, K18: under `append` nothing moves, and the instructions stand beside the opening.
#[tokio::test(start_paused = true)]
async fn appending_keeps_the_prefix() {
    let append = Collapsing { reveal: Reveal::Append, ..Collapsing::default() };
    let (thread, model) = thread_of(math().collapsing(append), [calls([("Math", "{}")]), text("done")]).await;
    thread.run("go").await.unwrap();
    assert_eq!(shown(&model), ["Math now", "Math now add divide"]);
    let requests = model.requests.lock().unwrap();
    assert_eq!(requests[1].system().join(" | "), "Be brief.");
    let last = requests[1].messages().messages().pop().unwrap();
    let Message::Context(context) = &*last else { panic!("no context") };
    assert_eq!((&*context.source, &*context.text), ("Math", "Show your work."));
}

// K17: what was opened and closed, and what the menu is then.
#[tokio::test(start_paused = true)]
async fn events_tell_how_the_menu_changes() {
    let (thread, _) = thread_of(math(), [calls([("Math", "{}")]), text("done")]).await;
    let mut stream = thread.stream("go");
    let mut told = Vec::new();
    while let Some(event) = stream.next().await {
        match event.kind {
            EventKind::ContainerOpened { name, members, tokens_added, prefix_lost } => {
                assert!(tokens_added > 0 && prefix_lost > 0);
                told.push(format!("{name} opened with {members}"));
            }
            EventKind::ContainerClosed { name } => told.push(format!("{name} closed")),
            EventKind::ToolsVisible { count, tokens } => {
                assert!(tokens > 0);
                told.push(format!("{count} visible"));
            }
            _ => {}
        }
    }
    assert_eq!(told, ["Math opened with 2", "3 visible", "Math closed", "2 visible"]);
}

//! What is talked about: the same for every contestant.

use std::sync::atomic::{AtomicU64, Ordering};

use outrigger::scripted::{Script, ScriptCall, ScriptPart, ScriptStep, ScriptUsage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How many rounds a conversation has before its answer.
pub(crate) const ROUNDS: usize = 20;

/// In how many chunks the long answer comes.
pub(crate) const CHUNKS: usize = 2_000;

pub(crate) const SYSTEM: &str = "You plan walks. Look the weather up before you answer, and answer briefly.";
pub(crate) const PROMPT: &str = "Which day of the next three weeks is best for a walk along the lake in Chicago?";
/// A key as long as real ones: Outrigger takes it out of what comes back.
pub(crate) const KEY: &str = "sk-proj-hT4xW9mQ2vLr7KcZ8nBd5YfJ1sGp3EuA6oNiMwXb";
pub(crate) const TOOL: &str = "forecast";
pub(crate) const TOOL_ABOUT: &str = "Forecasts the weather of one day in a city.";
pub(crate) const CITY_ABOUT: &str = "The city to look up.";
pub(crate) const DAY_ABOUT: &str = "How many days from today.";

const ANSWER: &str = "Take the ninth day: dry, light wind, and 21 degrees by noon.";

/// How often the tool's body ran in this process.
static RUNS: AtomicU64 = AtomicU64::new(0);

/// The body of the tool, which every contestant calls.
pub(crate) fn forecast(city: &str, day: u32) -> String {
    RUNS.fetch_add(1, Ordering::Relaxed);
    format!("{city}, in {day} days: mostly sunny, wind 12 km/h from the south-west, 21 degrees at noon")
}

/// How often the tool's body ran since this was last asked.
pub(crate) fn runs() -> u64 {
    RUNS.swap(0, Ordering::Relaxed)
}

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Play {
    /// Twenty rounds of a request, a call and its result, then a short answer.
    Rounds,
    /// One answer in two thousand chunks.
    Chunks,
}

/// What the server saw of some conversations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) requests: usize,
    pub(crate) messages: usize,
    pub(crate) results: usize,
    /// The messages of the last request, in a form that leaves out what a client may choose.
    pub(crate) last: Vec<Value>,
}

impl Play {
    /// The script of so many conversations.
    pub(crate) fn script(self, conversations: usize) -> Script {
        let steps = match self {
            Self::Rounds => {
                let answer = ScriptStep { text: Some(ANSWER.to_owned()), usage: usage(), ..ScriptStep::default() };
                (0..ROUNDS).map(call).chain([answer]).collect()
            }
            Self::Chunks => {
                let parts = (0..CHUNKS).map(|_| ScriptPart::Text(" and so".to_owned())).collect();
                vec![ScriptStep { parts, usage: usage(), ..ScriptStep::default() }]
            }
        };
        Script { steps: vec![steps; conversations].concat(), ..Script::default() }
    }

    /// What a contestant must have said last.
    pub(crate) fn answer(self) -> String {
        match self {
            Self::Rounds => ANSWER.to_owned(),
            Self::Chunks => " and so".repeat(CHUNKS),
        }
    }

    /// How often the tool runs in a conversation.
    pub(crate) fn rounds(self) -> usize {
        match self {
            Self::Rounds => ROUNDS,
            Self::Chunks => 0,
        }
    }

    /// How many of what a figure is given for there are in a conversation.
    pub(crate) fn units(self) -> usize {
        match self {
            Self::Rounds => ROUNDS,
            Self::Chunks => CHUNKS,
        }
    }

    /// What the server must have seen of so many conversations.
    pub(crate) fn seen(self, conversations: usize) -> Seen {
        let rounds = self.rounds();
        let mut last = vec![json!({ "system": SYSTEM }), json!({ "user": PROMPT })];
        for round in 0..rounds {
            let (day, id) = (day(round), id(round));
            last.push(json!({ "call": TOOL, "id": id, "arguments": { "city": "Chicago", "day": day } }));
            let result =
                format!("Chicago, in {day} days: mostly sunny, wind 12 km/h from the south-west, 21 degrees at noon");
            last.push(json!({ "result": id, "text": result }));
        }
        // The request after n rounds holds n results among 2 + 2n messages.
        let results: usize = (0..=rounds).sum();
        Seen {
            requests: conversations * (rounds + 1),
            messages: conversations * (2 * (rounds + 1) + 2 * results),
            results: conversations * results,
            last,
        }
    }
}

impl Seen {
    /// What these bodies of requests say.
    pub(crate) fn of<'a>(bodies: impl Iterator<Item = &'a Value>) -> Self {
        let mut seen = Self { requests: 0, messages: 0, results: 0, last: Vec::new() };
        for body in bodies {
            let messages = body["messages"].as_array().expect("a list of messages");
            seen.requests += 1;
            seen.messages += messages.len();
            seen.results += messages.iter().filter(|message| message["role"] == "tool").count();
            seen.last = messages.iter().map(plain).collect();
        }
        seen
    }
}

/// A message without what a client may choose: how text is wrapped, how arguments are spaced.
fn plain(message: &Value) -> Value {
    let role = message["role"].as_str().expect("a role");
    match role {
        "system" | "developer" => json!({ "system": text(&message["content"]) }),
        "tool" => json!({ "result": message["tool_call_id"], "text": text(&message["content"]) }),
        "assistant" => {
            let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
            let [call] = calls else { return json!({ "assistant": calls.len() }) };
            let arguments = call["function"]["arguments"].as_str().expect("arguments as text");
            let arguments: Value = serde_json::from_str(arguments).expect("arguments of JSON");
            json!({ "call": call["function"]["name"], "id": call["id"], "arguments": arguments })
        }
        other => json!({ other: text(&message["content"]) }),
    }
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn call(round: usize) -> ScriptStep {
    let arguments = json!({ "city": "Chicago", "day": day(round) }).to_string();
    let call = ScriptCall { id: Some(id(round)), ..ScriptCall::raw(TOOL, &arguments) };
    ScriptStep { calls: vec![call], usage: usage(), ..ScriptStep::default() }
}

fn day(round: usize) -> usize {
    round + 1
}

fn id(round: usize) -> String {
    format!("call_mQ7dXkVz{round:02}")
}

fn usage() -> Option<ScriptUsage> {
    Some(ScriptUsage { input: 1_200, output: 40, ..ScriptUsage::default() })
}

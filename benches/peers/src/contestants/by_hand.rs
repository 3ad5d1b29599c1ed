//! A loop written by hand: what a good engineer has by the evening.

use futures_util::future::BoxFuture;
use reqwest::Client;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Contestant;
use crate::conversation::{CITY_ABOUT, DAY_ABOUT, KEY, PROMPT, SYSTEM, TOOL, TOOL_ABOUT, forecast};

pub(super) fn make(base_url: String) -> BoxFuture<'static, Box<dyn Contestant>> {
    let parameters = json!({
        "type": "object",
        "properties": {
            "city": { "type": "string", "description": CITY_ABOUT },
            "day": { "type": "integer", "minimum": 0, "description": DAY_ABOUT },
        },
        "required": ["city", "day"],
        "additionalProperties": false,
    });
    let tools = json!([{
        "type": "function",
        "function": { "name": TOOL, "description": TOOL_ABOUT, "parameters": parameters },
    }]);
    let client = Client::new();
    let by_hand = ByHand { client, url: format!("{base_url}/chat/completions"), tools };
    Box::pin(async move { Box::new(by_hand) as Box<dyn Contestant> })
}

struct ByHand {
    client: Client,
    url: String,
    tools: Value,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: &'a [Value],
    tools: &'a Value,
    stream: bool,
    stream_options: Value,
}

#[derive(Deserialize)]
struct Chunk {
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Delta,
}

#[derive(Deserialize)]
struct Delta {
    content: Option<String>,
    #[serde(default)]
    tool_calls: Vec<CallDelta>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: usize,
    id: Option<String>,
    function: FunctionDelta,
}

#[derive(Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: u64,
    completion_tokens: u64,
}

#[derive(Default)]
struct Answer {
    text: String,
    calls: Vec<Call>,
    tokens: u64,
}

#[derive(Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct Arguments {
    city: String,
    day: u32,
}

impl Contestant for ByHand {
    fn converse(&self) -> BoxFuture<'_, String> {
        Box::pin(self.answer())
    }
}

impl ByHand {
    async fn answer(&self) -> String {
        let mut messages =
            vec![json!({ "role": "system", "content": SYSTEM }), json!({ "role": "user", "content": PROMPT })];
        let mut tokens = 0;
        loop {
            let answer = self.ask(&messages).await.expect("the provider answers");
            tokens += answer.tokens;
            if answer.calls.is_empty() {
                assert!(tokens > 0);
                return answer.text;
            }
            messages.push(said(&answer));
            for call in &answer.calls {
                messages.push(json!({ "role": "tool", "tool_call_id": call.id, "content": run(call) }));
            }
        }
    }

    async fn ask(&self, messages: &[Value]) -> reqwest::Result<Answer> {
        let request = Request {
            model: "mock",
            messages,
            tools: &self.tools,
            stream: true,
            stream_options: json!({ "include_usage": true }),
        };
        let sent = self.client.post(&self.url).bearer_auth(KEY).json(&request).send();
        let mut response = sent.await?.error_for_status()?;
        let mut answer = Answer::default();
        let (mut buffer, mut is_done) = (Vec::new(), false);
        // To the end of the body, so that the connection serves again.
        while let Some(bytes) = response.chunk().await? {
            buffer.extend_from_slice(&bytes);
            let mut start = 0;
            while let Some(length) = buffer[start..].iter().position(|byte| *byte == b'\n') {
                let line = &buffer[start..start + length];
                start += length + 1;
                match line.strip_prefix(b"data: ") {
                    Some(b"[DONE]") => is_done = true,
                    Some(data) => answer.add(serde_json::from_slice(data).expect("a chunk")),
                    None => {}
                }
            }
            buffer.drain(..start);
        }
        assert!(is_done, "the stream ended early");
        Ok(answer)
    }
}

impl Answer {
    fn add(&mut self, chunk: Chunk) {
        if let Some(usage) = chunk.usage {
            self.tokens += usage.prompt_tokens + usage.completion_tokens;
        }
        for choice in chunk.choices {
            if let Some(text) = choice.delta.content {
                self.text += &text;
            }
            for delta in choice.delta.tool_calls {
                if self.calls.len() <= delta.index {
                    self.calls.resize_with(delta.index + 1, Call::default);
                }
                let call = &mut self.calls[delta.index];
                if let Some(id) = delta.id {
                    call.id = id;
                }
                if let Some(name) = delta.function.name {
                    call.name = name;
                }
                if let Some(arguments) = delta.function.arguments {
                    call.arguments += &arguments;
                }
            }
        }
    }
}

fn said(answer: &Answer) -> Value {
    let calls: Vec<Value> = answer
        .calls
        .iter()
        .map(|call| {
            let function = json!({ "name": call.name, "arguments": call.arguments });
            json!({ "id": call.id, "type": "function", "function": function })
        })
        .collect();
    let text = Some(&answer.text).filter(|text| !text.is_empty());
    json!({ "role": "assistant", "content": text, "tool_calls": calls })
}

fn run(call: &Call) -> String {
    if call.name != TOOL {
        return format!("there is no tool {:?}", call.name);
    }
    match serde_json::from_str::<Arguments>(&call.arguments) {
        Ok(arguments) => forecast(&arguments.city, arguments.day),
        Err(error) => format!("the arguments do not fit: {error}"),
    }
}

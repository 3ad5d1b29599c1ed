//! The script on OpenAI's chat-completions wire.

use outrigger_models::scripted::{ScriptFault, ScriptPart, ScriptStep};
use serde_json::{Value, json};

use crate::frames::{Frames, arguments, finish, id, pieces};

pub(crate) fn frames(step: &ScriptStep) -> Frames {
    let mut frames = Frames::new();
    delta(&mut frames, json!({ "role": "assistant", "content": "" }));
    for part in &step.parts {
        match part {
            ScriptPart::Text(text) => delta(&mut frames, json!({ "content": text })),
            ScriptPart::Reasoning(text) => delta(&mut frames, json!({ "reasoning_content": text })),
            ScriptPart::DelayMs(time) => frames.wait(*time),
            ScriptPart::Raw(bytes) => frames.send(bytes.clone()),
            ScriptPart::Drop(true) => {
                frames.drop();
                return frames;
            }
            _ => {}
        }
    }
    for piece in step.text.iter().flat_map(|text| pieces(text)) {
        delta(&mut frames, json!({ "content": piece }));
    }
    for (index, call) in step.calls.iter().enumerate() {
        let id = id(call, index, "call_");
        let function = json!({ "name": call.name, "arguments": "" });
        delta(
            &mut frames,
            json!({ "tool_calls": [{ "index": index, "id": id, "type": "function", "function": function }] }),
        );
        for piece in pieces(&arguments(call)) {
            delta(&mut frames, json!({ "tool_calls": [{ "index": index, "function": { "arguments": piece } }] }));
        }
    }
    let reason = finish(step, ["stop", "tool_calls", "length", "content_filter"]);
    chunk(&mut frames, json!([{ "index": 0, "delta": {}, "finish_reason": reason }]), Value::Null);
    if let Some(usage) = step.usage {
        let usage = json!({
            "prompt_tokens": usage.input,
            "completion_tokens": usage.output,
            "total_tokens": usage.input + usage.output,
            "prompt_tokens_details": { "cached_tokens": usage.cached },
            "completion_tokens_details": { "reasoning_tokens": usage.reasoning },
        });
        chunk(&mut frames, json!([]), usage);
    }
    frames.send("data: [DONE]\n\n".to_owned());
    frames
}

fn delta(frames: &mut Frames, delta: Value) {
    chunk(frames, json!([{ "index": 0, "delta": delta, "finish_reason": null }]), Value::Null);
}

fn chunk(frames: &mut Frames, choices: Value, usage: Value) {
    let chunk = json!({
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": "mock",
        "choices": choices,
        "usage": usage,
    });
    frames.send(format!("data: {chunk}\n\n"));
}

pub(crate) fn refusal(fault: &ScriptFault) -> String {
    let code = match fault.kind.as_deref() {
        Some("overflow") => "context_length_exceeded",
        _ => "error",
    };
    json!({ "error": { "message": fault.message, "type": "invalid_request_error", "param": null, "code": code } })
        .to_string()
}

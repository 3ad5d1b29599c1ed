//! The script on Anthropic's messages wire.

use outrigger_models::scripted::{ScriptFault, ScriptPart, ScriptStep};
use serde_json::{Value, json};

use crate::frames::{Frames, arguments, finish, id, pieces};

pub(crate) fn frames(step: &ScriptStep) -> Frames {
    let mut writer = Writer { frames: Frames::new(), block: 0 };
    let usage = step.usage.unwrap_or_default();
    let fresh = usage.input.saturating_sub(usage.cached);
    let counted = json!({ "input_tokens": fresh, "cache_read_input_tokens": usage.cached, "output_tokens": 0 });
    writer.event(
        "message_start",
        json!({ "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "mock", "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": counted,
        } }),
    );
    writer.event("ping", json!({}));
    if !writer.parts(step) {
        return writer.frames;
    }
    if let Some(text) = &step.text {
        writer.block(
            json!({ "type": "text", "text": "" }),
            pieces(text).into_iter().map(|piece| json!({ "type": "text_delta", "text": piece })),
        );
    }
    for (index, call) in step.calls.iter().enumerate() {
        let id = id(call, index, "toolu_");
        writer.block(
            json!({ "type": "tool_use", "id": id, "name": call.name, "input": {} }),
            pieces(&arguments(call))
                .into_iter()
                .map(|piece| json!({ "type": "input_json_delta", "partial_json": piece })),
        );
    }
    let reason = finish(step, ["end_turn", "tool_use", "max_tokens", "refusal"]);
    let delta = json!({ "stop_reason": reason, "stop_sequence": null });
    writer.event("message_delta", json!({ "delta": delta, "usage": { "output_tokens": usage.output } }));
    writer.event("message_stop", json!({}));
    writer.frames
}

struct Writer {
    frames: Frames,
    block: usize,
}

impl Writer {
    /// Plays the raw parts. Tells whether the answer goes on.
    fn parts(&mut self, step: &ScriptStep) -> bool {
        for part in &step.parts {
            match part {
                ScriptPart::Text(text) => self.block(
                    json!({ "type": "text", "text": "" }),
                    [json!({ "type": "text_delta", "text": text })].into_iter(),
                ),
                ScriptPart::Reasoning(text) => self.block(
                    json!({ "type": "thinking", "thinking": "", "signature": "" }),
                    [
                        json!({ "type": "thinking_delta", "thinking": text }),
                        json!({ "type": "signature_delta", "signature": "c2lnbmVk" }),
                    ]
                    .into_iter(),
                ),
                ScriptPart::DelayMs(time) => self.frames.wait(*time),
                ScriptPart::Raw(bytes) => self.frames.send(bytes.clone()),
                ScriptPart::Drop(true) => {
                    self.frames.drop();
                    return false;
                }
                _ => {}
            }
        }
        true
    }

    fn block(&mut self, block: Value, deltas: impl Iterator<Item = Value>) {
        let index = self.block;
        self.block += 1;
        self.event("content_block_start", json!({ "index": index, "content_block": block }));
        for delta in deltas {
            self.event("content_block_delta", json!({ "index": index, "delta": delta }));
        }
        self.event("content_block_stop", json!({ "index": index }));
    }

    fn event(&mut self, name: &str, mut data: Value) {
        data["type"] = json!(name);
        self.frames.send(format!("event: {name}\ndata: {data}\n\n"));
    }
}

pub(crate) fn refusal(fault: &ScriptFault) -> String {
    let kind = match (fault.kind.as_deref(), fault.status) {
        (_, Some(401)) => "authentication_error",
        (_, Some(429)) => "rate_limit_error",
        (_, Some(529)) => "overloaded_error",
        (_, Some(500..)) => "api_error",
        _ => "invalid_request_error",
    };
    json!({ "type": "error", "error": { "type": kind, "message": fault.message } }).to_string()
}

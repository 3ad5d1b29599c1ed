//! A step as a stream of parts.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use outrigger_core::model::{ModelError, ModelErrorKind, Part};
use outrigger_core::transcript::{Finish, Opaque};

use super::errors;
use super::script::{ScriptCall, ScriptPart, ScriptStep};

/// What happens next in an answer.
enum Act {
    Wait(Duration),
    Say(Result<Part, ModelError>),
}

/// The answer of the step with this number.
pub(super) fn answer(number: usize, step: ScriptStep) -> BoxStream<'static, Result<Part, ModelError>> {
    let acts = stream::iter(acts(number, step));
    Box::pin(acts.filter_map(|act| async move {
        match act {
            Act::Wait(time) => {
                tokio::time::sleep(time).await;
                None
            }
            Act::Say(part) => Some(part),
        }
    }))
}

fn acts(number: usize, step: ScriptStep) -> Vec<Act> {
    let mut acts = Vec::new();
    if step.delay_ms > 0 {
        acts.push(Act::Wait(Duration::from_millis(step.delay_ms)));
    }
    let mut calls = 0;
    for part in step.parts {
        match part {
            ScriptPart::Text(text) => acts.push(say(Part::Text(text.into()))),
            ScriptPart::Quoted(text) => acts.push(say(Part::Quoted(text.into()))),
            ScriptPart::Call(call) => {
                acts.extend(call_parts(calls, &call).map(say));
                calls = calls.saturating_add(1);
            }
            ScriptPart::Reasoning(text) => acts.push(say(Part::Reasoning(text.into()))),
            ScriptPart::DelayMs(time) => acts.push(Act::Wait(Duration::from_millis(time))),
            ScriptPart::Opaque(opaque) if BASE64_STANDARD.decode(&opaque.bytes).is_err() => {
                acts.push(Act::Say(Err(not_base64(number))));
                return acts;
            }
            ScriptPart::Opaque(opaque) => {
                acts.push(say(Part::Opaque(Opaque { kind: opaque.kind.into(), bytes: opaque.bytes.into() })));
            }
            ScriptPart::Raw(bytes) => {
                acts.push(Act::Say(Err(not_an_event(&bytes))));
                return acts;
            }
            ScriptPart::Drop(true) => return acts,
            ScriptPart::Drop(false) => {}
        }
    }
    if let Some(fault) = &step.error {
        acts.push(Act::Say(Err(errors::scripted(fault))));
        return acts;
    }
    if let Some(text) = step.text {
        acts.push(say(Part::Text(text.into())));
    }
    acts.extend((calls..).zip(&step.calls).flat_map(|(index, call)| call_parts(index, call)).map(say));
    let default = if calls == 0 && step.calls.is_empty() { Finish::Stop } else { Finish::Calls };
    acts.extend(step.usage.map(|usage| say(Part::Usage(usage.into()))));
    acts.push(say(Part::Finish(step.finish.unwrap_or(default))));
    acts
}

fn call_parts(index: usize, call: &ScriptCall) -> [Part; 2] {
    let id = call.id.as_deref().map(Into::into);
    let started = Part::CallStarted { index, id, name: call.name.as_str().into() };
    [started, Part::CallArguments { index, delta: call.text().into() }]
}

fn say(part: Part) -> Act {
    Act::Say(Ok(part))
}

fn not_an_event(bytes: &str) -> ModelError {
    let shown: String = bytes.chars().take(80).collect();
    ModelError::new(ModelErrorKind::Stream, format!("the stream holds bytes that are no event: {shown:?}"))
}

fn not_base64(number: usize) -> ModelError {
    ModelError::new(ModelErrorKind::Script, format!("step {number} of the script has opaque bytes that are not base64"))
}

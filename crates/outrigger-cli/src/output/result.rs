//! The result of a run as `--json` has it.

use outrigger::agent::{RunError, TurnResult};
use outrigger::transcript::{StopReason, Usage};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::failure::Failure;

/// The result of a run as `--json` has it.
#[derive(Debug, Serialize)]
pub(crate) struct ResultLine {
    /// `result`, where events stand before it.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    text: String,
    output: Option<Box<RawValue>>,
    /// Why the turn ended.
    pub(crate) stop: StopReason,
    usage: Usage,
    session: Option<String>,
    thread: Option<String>,
    run: Option<String>,
    iterations: u32,
    model: Option<String>,
    /// What failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Fault>,
}

/// What failed.
#[derive(Debug, Serialize)]
pub(crate) struct Fault {
    kind: String,
    /// What happened, for a person.
    pub(crate) message: String,
    detail: Option<String>,
}

impl ResultLine {
    /// The result of a run that came to an end.
    pub(crate) fn of_run(ended: Result<TurnResult, RunError>) -> Self {
        match ended {
            Ok(result) => Self::of_turn(&result, None),
            Err(RunError::Failed { fault, result }) => {
                let [kind, message] = [&fault.kind, &fault.message].map(ToString::to_string);
                let detail = fault.detail.as_deref().map(str::to_owned);
                Self::of_turn(&result, Some(Fault { kind, message, detail }))
            }
            Err(error) => Self::without_run("run", error.to_string()),
        }
    }

    /// The result where there was no run.
    pub(crate) fn of_failure(failure: &Failure) -> Self {
        Self::without_run(failure.kind(), failure.to_string())
    }

    /// The same, as the last line after events.
    pub(crate) fn after_events(mut self) -> Self {
        self.kind = Some("result");
        self
    }

    fn of_turn(result: &TurnResult, error: Option<Fault>) -> Self {
        Self {
            kind: None,
            text: result.text().to_owned(),
            // Canonical JSON, which always parses.
            output: result.output().and_then(|json| RawValue::from_string(json.to_owned()).ok()),
            stop: result.stop,
            usage: result.usage,
            session: Some(result.session.to_string()),
            thread: Some(result.thread.to_string()),
            run: Some(result.run.to_string()),
            iterations: result.iterations,
            model: Some(format!("{}:{}", result.model.provider, result.model.model)),
            error,
        }
    }

    fn without_run(kind: &str, message: String) -> Self {
        Self {
            kind: None,
            text: String::new(),
            output: None,
            stop: StopReason::Failed,
            usage: Usage::default(),
            session: None,
            thread: None,
            run: None,
            iterations: 0,
            model: None,
            error: Some(Fault { kind: kind.to_owned(), message, detail: None }),
        }
    }
}

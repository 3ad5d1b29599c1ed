//! What the provider says instead of an answer.
//!
//! The kinds: <https://platform.claude.com/docs/en/api/errors>, read 2026-12-01, and `error_type.py` of anthropic
//! 2.14.0. «Its wording can change, so don't match on it», says that of messages; there is no other sign of a request
//! that is too long for the model.

use outrigger_core::model::{ModelError, ModelErrorKind};
use serde::Deserialize;
use serde_json::Value;

/// How messages say that a request does not fit the model's context, in lower case:
/// - «prompt is too long: 200251 tokens > 200000 maximum» (boldsoftware/exe.dev #62), also without the figures
///   (anthropics/claude-code #62560);
/// - «input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, …» (docker/docker-agent #569);
/// - «Input is too long for requested model» (Bedrock; anthropics/claude-code #760);
/// - what other servers of this API say.
const TOO_LONG: [&str; 6] = [
    "prompt is too long",
    "exceed context limit",
    "input is too long",
    "exceeds the context window",
    "exceeds model context window",
    "maximum context length",
];

/// The most characters of a provider's message that are passed on.
const MOST_CHARS: usize = 600;

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    error: Option<Value>,
    #[serde(default)]
    request_id: Option<String>,
}

/// What an error says of itself.
struct Told<'a> {
    kind: &'a str,
    message: &'a str,
}

/// The refusal of a request.
pub(super) fn of_response(status: u16, body: &str) -> ModelError {
    let response: Option<Response> = serde_json::from_str(body).ok();
    let told = response.as_ref().and_then(|response| told(response.error.as_ref()?));
    let request = response.as_ref().and_then(|response| response.request_id.as_deref());
    let request = request.map(|id| format!(" (request {})", shortened(id))).unwrap_or_default();
    match told {
        Some(Told { kind, message }) => {
            let about = if kind.is_empty() { String::new() } else { format!(", {}", shortened(kind)) };
            let message = if message.trim().is_empty() { "no reason given" } else { message };
            let text = format!("the provider answered {status}{about}: {}{request}", shortened(message));
            ModelError::new(kind_of(Some(status), kind, message), text)
        }
        None => {
            let text = format!("the provider answered {status} {}", described(body));
            ModelError::new(kind_of(Some(status), "", body), text)
        }
    }
}

/// The error that ended a stream.
pub(super) fn of_event(error: Option<&Value>) -> ModelError {
    match error.and_then(told) {
        Some(Told { kind, message }) => {
            let text = format!("the provider broke its answer off ({}): {}", shortened(kind), shortened(message));
            ModelError::new(kind_of(None, kind, message), text)
        }
        None => ModelError::new(ModelErrorKind::Unavailable, "the provider broke its answer off without saying why"),
    }
}

/// `{"type", "message"}`; some proxies send a text only.
fn told(error: &Value) -> Option<Told<'_>> {
    if let Some(message) = error.as_str() {
        return Some(Told { kind: "", message });
    }
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
    error.is_object().then(|| Told { kind: text("type"), message: text("message") })
}

fn kind_of(status: Option<u16>, kind: &str, message: &str) -> ModelErrorKind {
    match kind {
        "rate_limit_error" => ModelErrorKind::RateLimited,
        "overloaded_error" | "api_error" => ModelErrorKind::Unavailable,
        "timeout_error" => ModelErrorKind::TimedOut,
        "authentication_error" | "permission_error" => ModelErrorKind::Unauthorized,
        "request_too_large" => ModelErrorKind::Overflow,
        "billing_error" | "not_found_error" => ModelErrorKind::Rejected,
        _ => by_status(status, message),
    }
}

fn by_status(status: Option<u16>, message: &str) -> ModelErrorKind {
    match status {
        Some(401 | 403) => ModelErrorKind::Unauthorized,
        Some(408) => ModelErrorKind::TimedOut,
        Some(413) => ModelErrorKind::Overflow,
        Some(429) => ModelErrorKind::RateLimited,
        Some(409 | 500..) => ModelErrorKind::Unavailable,
        _ if is_too_long(message) => ModelErrorKind::Overflow,
        _ => ModelErrorKind::Rejected,
    }
}

fn is_too_long(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    TOO_LONG.iter().any(|sign| message.contains(sign))
}

/// A body that is no error of the API.
fn described(body: &str) -> String {
    let body = body.trim();
    if body.is_empty() {
        "and said nothing more".to_owned()
    } else if body.starts_with('<') {
        "with a web page, not with an error of the API; is the base URL right?".to_owned()
    } else {
        format!("with: {}", shortened(body))
    }
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(MOST_CHARS) {
        Some(_) => text.chars().take(MOST_CHARS).chain("…".chars()).collect(),
        None => text.to_owned(),
    }
}

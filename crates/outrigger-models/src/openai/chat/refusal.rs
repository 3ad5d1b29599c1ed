//! What a server says instead of an answer, or in the middle of one.

use outrigger_core::model::{ModelError, ModelErrorKind};
use serde_json::Value;

/// Codes and types of a request that does not fit the model's context. `exceed_context_size_error`: llama.cpp
/// (ggml-org/llama.cpp #15780); the other OpenAI's, which most servers took over.
const OVERFLOW_CODES: [&str; 4] =
    ["context_length_exceeded", "exceed_context_size_error", "context_window_exceeded", "string_above_max_length"];

/// How messages say so, in lower case, where there is no code for it:
/// - «This model's maximum context length is 131072 tokens. However, you requested …»: OpenAI, vLLM
///   (vllm-project/vllm #20409), DeepSeek (evalstate/fast-agent #621), OpenRouter's «This endpoint's …»
///   (refly-ai/refly #1177);
/// - «Please reduce the length of the messages or completion»: Groq (OpenHands/OpenHands #1902);
/// - «longer than the maximum model length», «too long to fit into the model»: vLLM (Gabesarch/grounded-rl #16,
///   vllm-project/vllm #12165);
/// - «exceeds the available context size», «Context size has been exceeded»: llama.cpp (ggml-org/llama.cpp #19774);
/// - «the model is loaded with context length of only 32768 tokens», «Cannot truncate prompt with n_keep (15028) >=
///   n_ctx (7424)», «Input length 1581 exceeds context length 1500»: LM Studio (lmstudio-ai/lmstudio-bug-tracker #546,
///   anomalyco/opencode #11141, lmstudio-ai/model-catalog #38);
/// - «prompt too long; exceeded max context length»: Ollama, where it does not cut the prompt silently
///   (ollama/ollama #17944);
/// - «Prompt contains … tokens … too large for model with … maximum context length»: Mistral;
/// - «maximum prompt length is 500000 but the request contains 907154 tokens»: xAI (chenyme/grok2api #693);
/// - «Request too large for …», a request that alone is over the tokens of a minute, so that waiting does not help:
///   Groq (ITSpecialist111/ai_automation_suggester #61), OpenAI. The words of Mistral and of Ollama are remembered.
const OVERFLOW_WORDS: [&str; 17] = [
    "maximum context length",
    "max context length",
    "maximum context size",
    "reduce the length of the messages",
    "longer than the maximum model length",
    "too long to fit into the model",
    "exceeds the available context size",
    "context size has been exceeded",
    "loaded with context length of only",
    "cannot truncate prompt with n_keep",
    "exceed context window",
    "exceeds the context window",
    "exceeds context length",
    "exceeds the model's context",
    "maximum prompt length",
    "prompt is too long",
    "request too large for",
];

/// Codes and words of an account that is used up, for which waiting is of no use.
const QUOTA: [&str; 6] = [
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
    "exceeded your current quota",
    "insufficient balance",
    "insufficient credits",
];

/// The model wrote a call that the server could not read, which another attempt may mend: Groq
/// (<https://console.groq.com/docs/tool-use>, from memory).
const MISWRITTEN: &str = "tool_use_failed";

/// The most characters of a server's message that are passed on.
const MOST_CHARS: usize = 600;

/// What an error says of itself.
#[derive(Debug, Default)]
struct Told {
    message: String,
    /// Its type and its code, where they are words.
    words: Vec<String>,
    status: Option<u16>,
}

/// The refusal of a request.
pub(super) fn of_response(server: &str, status: u16, body: &str) -> ModelError {
    let told = read(body);
    let kind = kind(Some(status), &told, body);
    let said = match told.message.as_str() {
        "" => described(body),
        message => format!("{}: {}", about(&told), shortened(message)),
    };
    let advice = advice(kind, &told, body);
    ModelError::new(kind, sentences(&format!("{server} answered {status}{said}"), advice))
}

/// The error that ended a stream.
pub(super) fn of_event(server: &str, json: &str) -> ModelError {
    let told = read(json);
    let kind = kind(told.status, &told, json);
    let said = match told.message.as_str() {
        "" if json.is_empty() || json.starts_with(['{', '<']) => " and did not say why".to_owned(),
        "" => format!(": {}", shortened(json)),
        message => format!("{}: {}", about(&told), shortened(message)),
    };
    let advice = advice(kind, &told, json);
    ModelError::new(kind, sentences(&format!("{server} broke its answer off{said}"), advice))
}

fn read(json: &str) -> Told {
    let mut told = Told::default();
    if let Ok(value) = serde_json::from_str::<Value>(json) {
        tell(&value, &mut told);
    }
    told
}

/// The forms: `{"error": {…}}`, `{"error": "…"}`, the inner one alone (vLLM, Mistral), `{"detail": …}` (FastAPI) and a
/// list of one (Gemini).
fn tell(value: &Value, told: &mut Told) {
    match value {
        Value::String(text) => told.message.clone_from(text),
        Value::Array(list) => {
            if let Some(first) = list.first() {
                tell(first, told);
            }
        }
        Value::Object(fields) => {
            if let Some(error) = fields.get("error").filter(|error| error.is_object() || error.is_string()) {
                tell(error, told);
            }
            for name in ["message", "detail", "msg"] {
                if told.message.is_empty()
                    && let Some(message) = fields.get(name)
                {
                    told.message = words(message);
                }
            }
            for name in ["type", "code", "status", "statusCode"] {
                match fields.get(name) {
                    Some(Value::String(word)) if !told.words.contains(word) => told.words.push(word.clone()),
                    Some(Value::Number(number)) if told.status.is_none() => {
                        let code = number.as_u64().and_then(|code| u16::try_from(code).ok());
                        told.status = code.filter(|code| (400..600).contains(code));
                    }
                    _ => {}
                }
            }
            upstream(fields.get("metadata"), told);
        }
        _ => {}
    }
}

/// A message as words: Mistral and FastAPI have lists of what is wrong there.
fn words(message: &Value) -> String {
    match message {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// OpenRouter's own message says «Provider returned error»; what the provider said is beside it.
fn upstream(metadata: Option<&Value>, told: &mut Told) {
    let Some(metadata) = metadata else { return };
    let text = |name: &str| metadata.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    if let Some(raw) = text("raw") {
        let provider = text("provider_name").unwrap_or("the provider");
        let inner = read(raw);
        let said = if inner.message.is_empty() { raw } else { &inner.message };
        told.message = format!("{} ({provider}: {said})", told.message);
        told.words.extend(inner.words);
    }
}

fn kind(status: Option<u16>, told: &Told, body: &str) -> ModelErrorKind {
    if is_quota(told, body) || status == Some(402) {
        return ModelErrorKind::Rejected;
    }
    if told.words.iter().any(|word| word == MISWRITTEN) {
        return ModelErrorKind::Unavailable;
    }
    if !matches!(status, Some(401 | 403 | 404)) && is_overflow(told, body) {
        return ModelErrorKind::Overflow;
    }
    match status {
        Some(401 | 403) => ModelErrorKind::Unauthorized,
        Some(408) => ModelErrorKind::TimedOut,
        Some(413) => ModelErrorKind::Overflow,
        Some(429) => ModelErrorKind::RateLimited,
        Some(409 | 425 | 500..) => ModelErrorKind::Unavailable,
        Some(400..) => ModelErrorKind::Rejected,
        _ => by_words(told),
    }
}

/// The kind of an error that came without a status.
fn by_words(told: &Told) -> ModelErrorKind {
    let has = |sign: &str| told.words.iter().any(|word| word.to_ascii_lowercase().contains(sign));
    if has("rate_limit") || has("too_many_requests") || has("resource_exhausted") {
        ModelErrorKind::RateLimited
    } else if has("authentication") || has("permission") || has("invalid_api_key") {
        ModelErrorKind::Unauthorized
    } else if has("timeout") {
        ModelErrorKind::TimedOut
    } else if has("invalid_request") || has("badrequest") {
        ModelErrorKind::Rejected
    } else {
        ModelErrorKind::Unavailable
    }
}

fn is_overflow(told: &Told, body: &str) -> bool {
    let by_code = told.words.iter().any(|word| OVERFLOW_CODES.contains(&word.as_str()));
    by_code || says(told, body, &OVERFLOW_WORDS) || is_too_large_for_mistral(told)
}

fn is_too_large_for_mistral(told: &Told) -> bool {
    let message = told.message.to_ascii_lowercase();
    message.contains("prompt contains") && message.contains("too large for model")
}

fn is_quota(told: &Told, body: &str) -> bool {
    told.words.iter().any(|word| QUOTA.contains(&word.as_str())) || says(told, body, &QUOTA)
}

/// Whether the message has one of these words, or, where there is no message, the body.
fn says(told: &Told, body: &str, signs: &[&str]) -> bool {
    let text = if told.message.is_empty() { body } else { &told.message };
    let text = text.to_ascii_lowercase();
    signs.iter().any(|sign| text.contains(sign))
}

/// What someone can do about it, where the server does not say.
fn advice(kind: ModelErrorKind, told: &Told, body: &str) -> &'static str {
    match kind {
        ModelErrorKind::Rejected if is_quota(told, body) => {
            "The account has nothing left: waiting does not help, adding credit does."
        }
        ModelErrorKind::Unauthorized => "Is the key right, and may it use this model?",
        _ => "",
    }
}

fn sentences(said: &str, advice: &str) -> String {
    if advice.is_empty() { said.to_owned() } else { format!("{}. {advice}", said.trim_end_matches('.')) }
}

fn about(told: &Told) -> String {
    let words: Vec<String> = told.words.iter().map(|word| shortened(word)).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

/// A body that is no error of the API.
fn described(body: &str) -> String {
    let body = body.trim();
    if body.is_empty() {
        " and said nothing more".to_owned()
    } else if body.starts_with('<') {
        " with a web page, not with an error of the API; is the base URL right?".to_owned()
    } else {
        format!(": {}", shortened(body))
    }
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(MOST_CHARS) {
        Some(_) => text.chars().take(MOST_CHARS).chain("…".chars()).collect(),
        None => text.to_owned(),
    }
}

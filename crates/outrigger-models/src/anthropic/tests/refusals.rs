//! What the provider says instead of an answer.

use std::fmt::Write as _;

use crate::wire::Protocol as _;

fn error(kind: &str, message: &str) -> String {
    serde_json::json!({ "type": "error", "error": { "type": kind, "message": message }, "request_id": "req_1" })
        .to_string()
}

// M5: what may be tried again, what must be shortened, and what is for a person to mend.
#[test]
fn refusals_have_the_kind_that_decides_what_happens_next() {
    let invalid = "invalid_request_error";
    let refusals = [
        (400, error(invalid, "prompt is too long: 200251 tokens > 200000 maximum")),
        (400, error(invalid, "Prompt is too long")),
        (
            400,
            error(
                invalid,
                "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or \
                 `max_tokens` and try again",
            ),
        ),
        (400, error(invalid, "Input is too long for requested model.")),
        (400, error(invalid, "max_tokens: 10000 > 4096, which is the maximum allowed number of output tokens")),
        (400, error(invalid, "messages: text content blocks must contain non-whitespace text")),
        (401, error("authentication_error", "invalid x-api-key")),
        (402, error("billing_error", "Your credit balance is too low")),
        (403, error("permission_error", "no access to this model")),
        (404, error("not_found_error", "model: claude-nothing")),
        (409, error("conflict_error", "changed meanwhile")),
        (413, error("request_too_large", "Request exceeds the maximum size")),
        (413, "<html><body>413 Request Entity Too Large</body></html>".to_owned()),
        (429, error("rate_limit_error", "This request would exceed your rate limit")),
        (429, String::new()),
        (500, error("api_error", "Internal server error")),
        (504, error("timeout_error", "Request timed out")),
        (529, error("overloaded_error", "Overloaded")),
        (529, String::new()),
        (502, "<!DOCTYPE html><html>Bad gateway</html>".to_owned()),
        (503, "upstream connect error".to_owned()),
        (400, r#"{"error":"model not found"}"#.to_owned()),
        (400, r#"{"error":{"type":null,"message":7}}"#.to_owned()),
        (418, error("teapot_error", &"x".repeat(900))),
    ];
    let model = super::super::messages("claude-haiku-4-5");
    let mut told = String::new();
    for (status, body) in refusals {
        let error = model.refusal(status, &body);
        let kind = error.kind();
        let again = if kind.is_transient() { ", transient" } else { "" };
        writeln!(told, "{}{again}: {error}", kind.as_str()).unwrap();
    }
    insta::assert_snapshot!(told);
}

// The error that ends a stream has the kinds of refusals; there is no status.
#[test]
fn errors_in_streams_have_the_same_kinds() {
    let kind = |error: serde_json::Value| super::super::refusal::of_event(Some(&error)).kind().as_str();
    let of = |kind: &str, message: &str| serde_json::json!({ "type": kind, "message": message });
    assert_eq!(kind(of("overloaded_error", "Overloaded")), "unavailable");
    assert_eq!(kind(of("api_error", "Internal server error")), "unavailable");
    assert_eq!(kind(of("rate_limit_error", "slow down")), "rate_limited");
    assert_eq!(kind(of("timeout_error", "too slow")), "timed_out");
    assert_eq!(kind(of("authentication_error", "no")), "unauthorized");
    assert_eq!(kind(of("invalid_request_error", "prompt is too long: 2 tokens > 1 maximum")), "overflow");
    assert_eq!(kind(of("invalid_request_error", "no")), "rejected");
    assert_eq!(super::super::refusal::of_event(None).kind().as_str(), "unavailable");
}

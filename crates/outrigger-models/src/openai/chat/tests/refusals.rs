//! What servers say instead of an answer.

use outrigger_core::model::ModelErrorKind;

use super::super::refusal::{of_event, of_response};

/// Answers as they were published or reported: the server, the status, the body.
const REFUSALS: &[(&str, u16, &str)] = &[
    // Overflow, in the words of each (M5). The sources stand at the words.
    (
        "openai",
        400,
        r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
    ),
    (
        "openai",
        400,
        r#"{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}"#,
    ),
    (
        "openai",
        429,
        r#"{"error":{"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#,
    ),
    (
        "vllm",
        400,
        r#"{"object":"error","message":"This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}"#,
    ),
    (
        "vllm",
        400,
        r#"{"object":"error","message":"The decoder prompt (length 10127) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens.","type":"BadRequestError","param":null,"code":400}"#,
    ),
    (
        "vllm",
        500,
        r#"{"detail":"[address=0.0.0.0:43769, pid=1065] The decoder prompt (length 66501) is longer than the maximum model length of 65536."}"#,
    ),
    (
        "llamacpp",
        400,
        r#"{"error":{"code":400,"message":"request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":4390,"n_ctx":4096}}"#,
    ),
    ("llamacpp", 500, r#"{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}"#),
    (
        "ollama",
        400,
        r#"{"error":{"message":"prompt too long; exceeded max context length by 512 tokens","type":"invalid_request_error","param":null,"code":null}}"#,
    ),
    (
        "lmstudio",
        400,
        r#"{"error":"Trying to keep the first 14538 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input"}"#,
    ),
    ("lmstudio", 400, r#"{"error":"Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"}"#),
    (
        "mistral",
        400,
        r#"{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","param":null,"code":"3051"}"#,
    ),
    (
        "deepseek",
        400,
        r#"{"error":{"message":"This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
    ),
    (
        "groq",
        400,
        r#"{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
    ),
    (
        "groq",
        413,
        r#"{"error":{"message":"Request too large for model `llama-3.3-70b-versatile` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}"#,
    ),
    (
        "openrouter",
        400,
        r#"{"error":{"message":"This endpoint's maximum context length is 16384 tokens. However, you requested about 94307 tokens (94307 of text input). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.","code":400,"metadata":{"provider_name":null}}}"#,
    ),
    (
        "openrouter",
        400,
        r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"prompt is too long: 200251 tokens > 200000 maximum\",\"type\":\"invalid_request_error\"}}","provider_name":"Anthropic"}}}"#,
    ),
    (
        "compatible",
        400,
        r#"{"error":{"message":"This model's maximum prompt length is 500000 but the request contains 907154 tokens."}}"#,
    ),
    ("compatible", 413, ""),
    // Keys, quotas, rates.
    (
        "openai",
        401,
        r#"{"error":{"message":"Incorrect API key provided: ***. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
    ),
    (
        "azure",
        401,
        r#"{"statusCode":401,"message":"Access denied due to invalid subscription key or wrong API endpoint."}"#,
    ),
    (
        "openai",
        403,
        r#"{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported","param":null,"type":"request_forbidden"}}"#,
    ),
    ("mistral", 401, r#"{"message":"Unauthorized","request_id":"x"}"#),
    (
        "openai",
        429,
        r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
    ),
    (
        "deepseek",
        402,
        r#"{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}"#,
    ),
    (
        "openrouter",
        402,
        r#"{"error":{"message":"Insufficient credits. Add more using https://openrouter.ai/settings/credits","code":402}}"#,
    ),
    (
        "openai",
        429,
        r#"{"error":{"message":"Rate limit reached for gpt-4o in organization org-x on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#,
    ),
    (
        "mistral",
        429,
        r#"{"object":"error","message":"Service tier capacity exceeded for this model.","type":"service_tier_capacity_exceeded","param":null,"code":"3505"}"#,
    ),
    // Requests that are wrong.
    (
        "mistral",
        422,
        r#"{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error","param":null,"code":null}"#,
    ),
    (
        "compatible",
        422,
        r#"{"detail":[{"loc":["body","messages"],"msg":"field required","type":"value_error.missing"}]}"#,
    ),
    (
        "ollama",
        404,
        r#"{"error":{"message":"model \"nope\" not found, try pulling it first","type":"not_found_error","param":null,"code":null}}"#,
    ),
    (
        "deepseek",
        400,
        r#"{"error":{"message":"The `reasoning_content` in the thinking mode must be passed back to the API.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
    ),
    (
        "compatible",
        400,
        r#"[{"error":{"code":400,"message":"Please ensure that function call turn comes immediately after a user turn.","status":"INVALID_ARGUMENT"}}]"#,
    ),
    (
        "groq",
        400,
        r#"{"error":{"message":"Failed to call a function. Please adjust your prompt.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=look{}>"}}"#,
    ),
    // Servers that are not well.
    ("openai", 408, r#"{"error":{"message":"Request timed out.","type":"timeout","param":null,"code":null}}"#),
    ("openai", 409, r#"{"error":{"message":"Try again.","type":"conflict","param":null,"code":null}}"#),
    (
        "openai",
        500,
        r#"{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}"#,
    ),
    (
        "openai",
        503,
        r#"{"error":{"message":"The engine is currently overloaded, please try again later","type":"overloaded","param":null,"code":null}}"#,
    ),
    ("openrouter", 529, r#"{"error":{"message":"Provider overloaded","code":529}}"#),
    ("groq", 503, r#"{"error":{"message":"Service unavailable","type":"internal_server_error"}}"#),
    ("compatible", 502, "<html>\n<head><title>502 Bad Gateway</title></head></html>"),
    ("compatible", 404, "<!DOCTYPE html><html></html>"),
    ("compatible", 400, ""),
    ("compatible", 500, "upstream connect error or disconnect/reset before headers"),
    ("compatible", 503, "{}"),
    ("compatible", 400, r#"{"error":null}"#),
    ("compatible", 400, r#"{"error":"#),
];

// M5: a kind for each, in the server's own words.
#[test]
fn refusals_are_told_in_the_servers_words() {
    let told = REFUSALS.iter().map(|(server, status, body)| {
        let error = of_response(server, *status, body);
        format!("{}: {error}", error.kind().as_str())
    });
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"));
}

// M5: an account that is used up is not worth a retry, whatever its status.
#[test]
fn a_used_up_account_is_no_rate_limit() {
    let quota = REFUSALS.iter().filter(|(_, _, body)| body.contains("quota") || body.contains("Insufficient"));
    for (server, status, body) in quota {
        let error = of_response(server, *status, body);
        assert_eq!(error.kind(), ModelErrorKind::Rejected, "{error}");
        assert!(error.to_string().ends_with("waiting does not help, adding credit does."), "{error}");
    }
}

// Nothing from outside grows without bound: a message is cut.
#[test]
fn a_long_message_is_cut() {
    let body = serde_json::json!({ "error": { "message": "é".repeat(5000), "code": "x".repeat(5000) } }).to_string();
    for error in [of_response("mock", 400, &body), of_event("mock", &body), of_response("mock", 400, &"é".repeat(5000))]
    {
        assert!(error.to_string().chars().count() < 1300, "{}", error.to_string().chars().count());
    }
}

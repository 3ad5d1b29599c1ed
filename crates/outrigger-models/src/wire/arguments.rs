//! A call's raw argument text, as it may stand in a later request.
//!
//! The thread keeps what the model wrote, byte for byte. Providers take less: history with arguments that are no JSON
//! object is refused as a whole, and so poisons every later request of the thread.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::IgnoredAny;

/// What stands for arguments that are no JSON object.
#[derive(Serialize)]
struct Invalid<'a> {
    invalid_arguments: &'a str,
}

/// The arguments as the text of a JSON object, whatever they are.
///
/// - An object is the text the model wrote, but for lone surrogate escapes: strict parsers refuse a request for one.
///   They become `\ufffd`.
/// - Nothing, blanks and `null` are `{}`: models call tools without parameters so.
/// - Anything else, text cut off by the output limit too, is `{"invalid_arguments": "<the text>"}`, so that the model
///   reads what it sent beside the result that says what is wrong with it.
pub(crate) fn object_text(raw: &str) -> Cow<'_, str> {
    let text = raw.trim();
    if matches!(text, "" | "null") {
        return Cow::Borrowed("{}");
    }
    if is_object(text) {
        return without_lone_surrogates(text);
    }
    // A text of ours always serialises; were that to change, an empty object is still one.
    serde_json::to_string(&Invalid { invalid_arguments: raw }).map_or(Cow::Borrowed("{}"), Cow::Owned)
}

/// Whether the text is one whole JSON object. Builds nothing.
pub(crate) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The same JSON text with `\ufffd` for each escape of half a surrogate pair that has no other half. In JSON text a
/// backslash stands only inside strings, so it need not be parsed.
pub(crate) fn without_lone_surrogates(json: &str) -> Cow<'_, str> {
    let mut mended = String::new();
    let mut rest = json;
    let mut kept = 0_usize;
    while let Some((at, escape)) = next_escape(rest) {
        let after = at.saturating_add(escape.len());
        if escape == Escape::Lone {
            mended.push_str(json.get(kept..offset(json, rest).saturating_add(at)).unwrap_or_default());
            mended.push_str("\\ufffd");
            kept = offset(json, rest).saturating_add(after);
        }
        rest = rest.get(after..).unwrap_or_default();
    }
    if mended.is_empty() {
        return Cow::Borrowed(json);
    }
    mended.push_str(json.get(kept..).unwrap_or_default());
    Cow::Owned(mended)
}

/// Where `rest`, an end of `whole`, begins in it.
fn offset(whole: &str, rest: &str) -> usize {
    whole.len().saturating_sub(rest.len())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// Half a pair without the other.
    Lone,
    /// A whole pair.
    Pair,
    /// One character by its number.
    Unit,
    /// A backslash and one character.
    Short,
}

impl Escape {
    /// How many bytes it has.
    fn len(self) -> usize {
        match self {
            Self::Pair => 12,
            Self::Lone | Self::Unit => 6,
            Self::Short => 2,
        }
    }
}

/// The first escape of a JSON text, and where it is.
fn next_escape(json: &str) -> Option<(usize, Escape)> {
    let at = json.find('\\')?;
    let escape = json.get(at..)?;
    let kind = match unit(escape) {
        None => Escape::Short,
        Some(0xd800..=0xdbff) => match escape.get(6..).and_then(unit) {
            Some(0xdc00..=0xdfff) => Escape::Pair,
            _ => Escape::Lone,
        },
        Some(0xdc00..=0xdfff) => Escape::Lone,
        Some(_) => Escape::Unit,
    };
    Some((at, kind))
}

/// The UTF-16 unit that `\uXXXX` at the text's start names.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    // Field faults, Arguments: an empty string, a null, a scalar, a text that was cut off: none may poison a request.
    #[test]
    fn whatever_a_model_wrote_goes_back_as_an_object() {
        let cases = [
            (r#"{"city": "Chicago"}"#, r#"{"city": "Chicago"}"#),
            (" {\"a\":1,\"a\":20.0}\n", r#"{"a":1,"a":20.0}"#),
            ("", "{}"),
            (" \n", "{}"),
            ("null", "{}"),
            (" null ", "{}"),
            (r#"{"city": "Chi"#, r#"{"invalid_arguments":"{\"city\": \"Chi"}"#),
            (r#"{"a":1}{"a":1}"#, r#"{"invalid_arguments":"{\"a\":1}{\"a\":1}"}"#),
            ("[1]", r#"{"invalid_arguments":"[1]"}"#),
            ("5", r#"{"invalid_arguments":"5"}"#),
            (r#""Chicago""#, r#"{"invalid_arguments":"\"Chicago\""}"#),
        ];
        for (raw, sent) in cases {
            assert_eq!(object_text(raw), sent);
        }
    }

    // M4: no lone surrogates; whole pairs, other escapes and escaped backslashes stay as they are.
    #[test]
    fn lone_surrogates_are_replaced() {
        let cases = [
            (r#"{"a":"\ud83d"}"#, r#"{"a":"\ufffd"}"#),
            (r#"{"a":"\uDE00 and \ud83d\ud83d\ude00!"}"#, r#"{"a":"\ufffd and \ufffd\ud83d\ude00!"}"#),
            (r#"{"a":"\ud83d\n\\ud83d\\"}"#, r#"{"a":"\ufffd\n\\ud83d\\"}"#),
            (r#"{"\udc00":"é\u00e9"}"#, r#"{"\ufffd":"é\u00e9"}"#),
            (r#"{"a":"\ud83d\u0041"}"#, r#"{"a":"\ufffd\u0041"}"#),
        ];
        for (raw, sent) in cases {
            assert_eq!(object_text(raw), sent);
            assert!(serde_json::from_str::<Value>(sent).is_ok(), "{sent}");
        }
        assert!(matches!(object_text(r#"{"a":"\ud83d\ude00\\"}"#), Cow::Borrowed(_)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases()))]

        // M4: any text at all ends as an object that a strict parser takes.
        #[test]
        fn any_text_becomes_an_object(
            raw in prop_oneof![any::<String>(), r#"\{"a":"(\\u(d8|dc|00)0[0-9]|\\\\|\\n|x|😀){0,6}"\}"#]
        ) {
            let sent = object_text(&raw);
            let value: Value = serde_json::from_str(&sent).unwrap();
            prop_assert!(value.is_object());
        }
    }

    fn cases() -> u32 {
        std::env::var("OUTRIGGER_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(256)
    }
}

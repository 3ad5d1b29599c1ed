//! Optional arguments that a small model only repeats from a worked example.
//!
//! Asked for "what is in this directory" after an example with `{"path": "assets"}`, it writes that path again, or
//! makes another of it. A value is an echo if most of its words come from an example's value of the same member, and
//! none of them stands in the conversation.
//! An optional member that is an echo is left out, which its schema allows.

use serde_json::Value;

use crate::schema;

/// The arguments without the optional members that are echoes; as they were if there are none.
pub(crate) fn without<'a>(
    arguments: &str,
    schema: &Value,
    examples: &[Value],
    said: impl Iterator<Item = &'a str>,
) -> String {
    let Ok(Value::Object(members)) = serde_json::from_str::<Value>(arguments) else { return arguments.to_owned() };
    let said: Vec<String> = said.flat_map(words).collect();
    let is_echo = |name: &str, value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return false,
        };
        let words: Vec<String> = words(&text).collect();
        let from = |example: &Value| {
            let value = example.get(name).map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned));
            let known: Vec<String> = value.iter().flat_map(|v| self::words(v)).collect();
            words.iter().filter(|word| known.contains(word)).count() * 2 > words.len()
        };
        !schema::is_required(schema, name) && examples.iter().any(from) && !words.iter().any(|word| said.contains(word))
    };
    if !members.iter().any(|(name, value)| is_echo(name, value)) {
        return arguments.to_owned();
    }
    let kept = members.into_iter().filter(|(name, value)| !is_echo(name, value)).collect();
    schema::spell(&Value::Object(kept), schema)
}

/// Words, for comparison: lower case, and cut at everything that is neither letter nor digit.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn left(arguments: &str, said: &str) -> String {
        let schema = json!({ "properties": { "zone": {}, "lines": {}, "path": {} }, "required": ["path"] });
        let examples = [json!({ "zone": "Europe/Berlin", "lines": 5, "path": "a" })];
        without(arguments, &schema, &examples, std::iter::once(said))
    }

    #[test]
    fn an_optional_value_of_an_example_goes_unless_the_conversation_has_a_word_of_it() {
        assert_eq!(left(r#"{"zone": "Europe/Berlin"}"#, "What time is it?"), "{}");
        assert_eq!(left(r#"{"zone": "Europe/Berlin"}"#, "Time in Berlin?"), r#"{"zone": "Europe/Berlin"}"#);
        assert_eq!(left(r#"{"lines": 5, "path": "b"}"#, "Read b"), r#"{"path": "b"}"#);
        assert_eq!(left(r#"{"lines": 5, "path": "b"}"#, "5 lines of b"), r#"{"lines": 5, "path": "b"}"#);
    }

    #[test]
    fn required_values_and_values_of_its_own_stay() {
        assert_eq!(left(r#"{"path": "a"}"#, "Read it"), r#"{"path": "a"}"#);
        let far = r#"{"zone": "Europe/Isle_of_Man"}"#;
        assert_eq!(left(far, "Time there?"), far);
    }
}

//! What is complete of a JSON document that is still being written.

/// The longest beginning of `raw` that ends with a complete value, with every open array and object closed. `None`
/// before anything has begun.
pub(super) fn complete(raw: &str) -> Option<String> {
    let mut scan = Scan::default();
    raw.bytes().enumerate().for_each(|(at, byte)| scan.take(at, byte));
    let (end, open) = scan.safe?;
    let mut document = raw.get(..end)?.to_owned();
    document.extend(open.iter().rev().map(|opened| if *opened == b'{' { '}' } else { ']' }));
    Some(document)
}

/// How far a document is understood.
#[derive(Default)]
struct Scan {
    /// The brackets that are open, the outermost first.
    open: Vec<u8>,
    token: Token,
    /// Whether a string that begins now is a property's name.
    key: bool,
    /// Where the last complete value ends, and what was open there.
    safe: Option<(usize, Vec<u8>)>,
}

/// What the next byte may belong to.
#[derive(Clone, Copy, Default, PartialEq)]
enum Token {
    /// Nothing.
    #[default]
    Between,
    /// A string.
    Text { escaped: bool },
    /// A number, or a word such as `true`.
    Bare,
}

impl Scan {
    fn take(&mut self, at: usize, byte: u8) {
        match self.token {
            Token::Text { escaped: true } => self.token = Token::Text { escaped: false },
            Token::Text { escaped: false } => match byte {
                b'\\' => self.token = Token::Text { escaped: true },
                b'"' => {
                    self.token = Token::Between;
                    if !self.key {
                        self.is_safe(at.saturating_add(1));
                    }
                }
                _ => {}
            },
            Token::Bare if matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t') => {
                self.token = Token::Between;
                self.is_safe(at);
                self.between(at, byte);
            }
            Token::Bare => {}
            Token::Between => self.between(at, byte),
        }
    }

    fn between(&mut self, at: usize, byte: u8) {
        let after = at.saturating_add(1);
        match byte {
            b'{' | b'[' => {
                self.open.push(byte);
                self.key = byte == b'{';
                self.is_safe(after);
            }
            b'}' | b']' => {
                self.open.pop();
                self.key = false;
                self.is_safe(after);
            }
            b',' => self.key = self.open.last() == Some(&b'{'),
            b':' => self.key = false,
            b'"' => self.token = Token::Text { escaped: false },
            b' ' | b'\n' | b'\r' | b'\t' => {}
            _ => self.token = Token::Bare,
        }
    }

    fn is_safe(&mut self, end: usize) {
        self.safe = Some((end, self.open.clone()));
    }
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::complete;

    #[test]
    fn only_complete_values_are_in_the_document() {
        let raw = r#"{"city":"Chi{\"cago","days":[1,23],"deep":{"a":true},"end":nul"#;
        let seen: Vec<String> = (0..=raw.len()).filter_map(|end| complete(&raw[..end])).collect();
        assert_eq!(seen.first().unwrap(), "{}");
        assert_eq!(seen.last().unwrap(), r#"{"city":"Chi{\"cago","days":[1,23],"deep":{"a":true}}"#);
        assert!(seen.contains(&r#"{"city":"Chi{\"cago","days":[1]}"#.to_owned()));
    }

    fn document() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z\"\\\\{}\\[\\],: é]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map("[a-z\"]{0,3}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    /// Values in a document, containers included.
    fn leaves(value: &Value) -> usize {
        1 + match value {
            Value::Array(items) => items.iter().map(leaves).sum(),
            Value::Object(properties) => properties.values().map(leaves).sum(),
            _ => 0,
        }
    }

    proptest! {
        // C7.3: whatever was streamed so far, the document is JSON, and never has less than the one before.
        #[test]
        fn every_beginning_gives_a_document_that_only_grows(value in document(), pretty in any::<bool>()) {
            let raw = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let mut before = 0;
            for (end, _) in raw.char_indices().chain([(raw.len(), ' ')]) {
                if let Some(document) = complete(&raw[..end]) {
                    let parsed = serde_json::from_str::<Value>(&document);
                    prop_assert!(parsed.is_ok(), "{} -> {}", &raw[..end], document);
                    let now = leaves(&parsed.unwrap());
                    prop_assert!(now >= before, "{} has less than before", document);
                    before = now;
                }
            }
            if value.is_object() || value.is_array() {
                prop_assert_eq!(serde_json::from_str::<Value>(&complete(&raw).unwrap()).unwrap(), value);
            }
        }
    }
}

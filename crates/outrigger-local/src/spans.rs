//! The preference for words of the conversation in free strings.
//!
//! A small model copies badly: asked about `Cargo.lock` it writes `cargo.lock.lock`. The right value nearly always
//! stands in the conversation, so tokens that continue a span of it get a bonus, and so does closing the string where
//! a word ends. Where examples have a file name, a path or an identifier, words that look like one are preferred to others. All
//! of it is a preference only: the grammar decides what is possible, and the model may still disagree.

use std::collections::HashMap;

use serde_json::Value;

use crate::nearness::Kind;

/// Added to the log score of a token that continues a span of the last message.
const BONUS: f32 = 4.0;

/// The same, for older messages.
const OLDER_BONUS: f32 = 2.0;

/// Added at the start of a word that looks like the values of the examples: a file name where there are file names.
const KIND_BONUS: f32 = 4.0;

/// What the cursor stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between values, or in a key.
    Elsewhere,
    /// In a key.
    Key,
    /// In a string that is a value.
    Text,
}

/// Follows JSON text as it is written and knows what of a string value has been written.
#[derive(Debug)]
pub(crate) struct Cursor {
    place: Place,
    /// The string's content so far; nothing once it has an escape in it, since spans are compared as they stand.
    content: Option<Vec<u8>>,
    /// The key last written.
    key: Vec<u8>,
    escaped: bool,
    /// Whether the next string is a key, by level of nesting.
    in_object: Vec<bool>,
    expects_key: bool,
}

impl Cursor {
    pub(crate) fn new() -> Self {
        Self {
            place: Place::Elsewhere,
            content: None,
            key: Vec::new(),
            escaped: false,
            in_object: Vec::new(),
            expects_key: false,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.step(byte);
        }
    }

    fn step(&mut self, byte: u8) {
        if self.place == Place::Elsewhere {
            return self.between(byte);
        }
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => {
                self.escaped = true;
                self.content = None;
            }
            b'"' => {
                if self.place == Place::Key {
                    self.key = self.content.take().unwrap_or_default();
                }
                self.place = Place::Elsewhere;
            }
            _ => {
                if let Some(content) = &mut self.content {
                    content.push(byte);
                }
            }
        }
    }

    fn between(&mut self, byte: u8) {
        match byte {
            b'{' | b'[' => {
                self.in_object.push(byte == b'{');
                self.expects_key = byte == b'{';
            }
            b'}' | b']' => {
                self.in_object.pop();
                self.expects_key = false;
            }
            b':' => self.expects_key = false,
            b',' => self.expects_key = self.in_object.last() == Some(&true),
            b'"' => {
                self.place = if self.expects_key { Place::Key } else { Place::Text };
                self.content = Some(Vec::new());
            }
            _ => {}
        }
    }

    /// Whether a string value is being written.
    pub(crate) fn in_text(&self) -> bool {
        self.place == Place::Text && !self.escaped
    }

    /// The content of the string value that is being written.
    fn text(&self) -> Option<&[u8]> {
        if self.in_text() { self.content.as_deref() } else { None }
    }
}

/// The texts whose spans are preferred.
pub(crate) struct Spans {
    sources: Vec<(Vec<u8>, f32)>,
    /// By member: what values of examples look like, where that is more than plain words.
    kinds: HashMap<Vec<u8>, Vec<Kind>>,
}

/// A span that the string being written is still a start of.
struct Candidate<'s> {
    rest: &'s [u8],
    bonus: f32,
    /// Whether it begins with a word that looks like the values of the examples.
    alike: bool,
}

/// The spans that are still possible.
pub(crate) struct Open<'s> {
    candidates: Vec<Candidate<'s>>,
    started: bool,
}

impl Spans {
    /// `last` is the message being answered, `older` what came before it; `examples` are arguments of the same tool.
    pub(crate) fn new(last: &str, older: &[&str], examples: &[Value]) -> Self {
        let mut sources = vec![(last.as_bytes().to_vec(), BONUS)];
        sources.extend(older.iter().map(|text| (text.as_bytes().to_vec(), OLDER_BONUS)));
        let mut kinds: HashMap<Vec<u8>, Vec<Kind>> = HashMap::new();
        for (name, value) in examples.iter().filter_map(Value::as_object).flatten() {
            let kind = value.as_str().map(Kind::of).filter(|kind| *kind != Kind::Plain);
            kinds.entry(name.as_bytes().to_vec()).or_default().extend(kind);
        }
        Self { sources, kinds }
    }

    /// The spans open at the cursor; nothing where no string value is being written.
    pub(crate) fn open(&self, cursor: &Cursor) -> Option<Open<'_>> {
        let written = cursor.text()?;
        let kinds = self.kinds.get(&cursor.key);
        let mut candidates = Vec::new();
        for (source, bonus) in &self.sources {
            for tail in starts(source).filter_map(|start| source.get(start..)) {
                let Some(rest) = tail.strip_prefix(written) else { continue };
                let alike = kinds.is_some_and(|kinds| kinds.contains(&Kind::of(&first_word(tail))));
                candidates.push(Candidate { rest, bonus: *bonus, alike });
            }
        }
        Some(Open { candidates, started: !written.is_empty() })
    }
}

fn first_word(tail: &[u8]) -> String {
    let word = tail.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    String::from_utf8_lossy(word).into_owned()
}

impl Open<'_> {
    /// What is added to the score of a token with these bytes.
    pub(crate) fn bonus(&self, token: &[u8]) -> f32 {
        let (body, closes) = match token.iter().position(|&b| b == b'"') {
            Some(at) => (token.get(..at).unwrap_or_default(), true),
            None => (token, false),
        };
        if body.contains(&b'\\') || (body.is_empty() && (!closes || !self.started)) {
            return 0.0;
        }
        let fits = |rest: &[u8]| rest.strip_prefix(body).is_some_and(|after| !closes || is_end(after));
        let bonuses = self.candidates.iter().filter(|candidate| fits(candidate.rest));
        bonuses.map(|c| c.bonus + if c.alike { KIND_BONUS } else { 0.0 }).fold(0.0, f32::max)
    }
}

/// Where words start: at the beginning, after white space and after opening marks.
fn starts(source: &[u8]) -> impl Iterator<Item = usize> {
    let opens =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'(' | b'[' | b'<' | b'=' | b':');
    let before = std::iter::once(b' ').chain(source.iter().copied());
    before.zip(source).enumerate().filter(move |&(_, (b, &c))| opens(b) && !c.is_ascii_whitespace()).map(|(at, _)| at)
}

/// Whether a word ends before `after`: at the end, at white space and closing marks, and at sentence marks that white
/// space follows — the dot of `a.txt` is none.
fn is_end(after: &[u8]) -> bool {
    match after {
        [] => true,
        [b'"' | b'\'' | b'`' | b')' | b']' | b'>', ..] => true,
        [b'.' | b',' | b';' | b':' | b'!' | b'?'] => true,
        [b'.' | b',' | b';' | b':' | b'!' | b'?', next, ..] => {
            next.is_ascii_whitespace() || matches!(next, b'"' | b'\'' | b')')
        }
        [first, ..] => first.is_ascii_whitespace(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bonus(source: &str, written: &str, token: &str) -> f32 {
        let spans = Spans::new(source, &[], &[]);
        let mut cursor = Cursor::new();
        cursor.push(written.as_bytes());
        spans.open(&cursor).map_or(-1.0, |open| open.bonus(token.as_bytes()))
    }

    #[test]
    fn words_of_the_question_are_preferred_in_values_only() {
        let ask = "How big is data/a.zip?";
        assert_eq!(bonus(ask, r#"{"path": ""#, "data"), BONUS);
        assert_eq!(bonus(ask, r#"{"path": ""#, "ata"), 0.0);
        assert_eq!(bonus(ask, r#"{""#, "data"), -1.0);
        assert_eq!(bonus(ask, r#"{"path": "data"#, "/a"), BONUS);
        assert_eq!(bonus(ask, r#"{"path": "data"#, ".a"), 0.0);
    }

    #[test]
    fn a_string_closes_where_a_word_ends() {
        let ask = "How big is data/a.zip?";
        assert_eq!(bonus(ask, r#"{"path": "data/a.zip"#, "\"}"), BONUS);
        assert_eq!(bonus(ask, r#"{"path": "data/a"#, "\"}"), 0.0);
        assert_eq!(bonus(ask, r#"{"path": "data/a"#, ".zip\"}"), BONUS);
        assert_eq!(bonus(ask, r#"{"path": ""#, "\"}"), 0.0);
    }

    #[test]
    fn words_that_look_like_the_examples_are_preferred() {
        let examples = [serde_json::json!({ "path": "a.py" }), serde_json::json!({ "path": "b/c.md", "lines": 3 })];
        let spans = Spans::new("the first lines of NEWS.md", &[], &examples);
        let mut cursor = Cursor::new();
        cursor.push(br#"{"path": ""#);
        let open = spans.open(&cursor).unwrap();
        assert_eq!((open.bonus(b"NEWS"), open.bonus(b"first")), (BONUS + KIND_BONUS, BONUS));
    }

    #[test]
    fn the_second_value_of_an_object_is_a_value_too() {
        assert_eq!(bonus("find x in src", r#"{"text": "x", "path": ""#, "src"), BONUS);
        assert_eq!(bonus("find x in src", r#"{"text": "x", ""#, "src"), -1.0);
    }
}

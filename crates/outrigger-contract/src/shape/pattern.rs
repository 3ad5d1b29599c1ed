//! Regular expressions that mean the same here and in the reader of a schema.

use std::fmt;
use std::sync::{Arc, OnceLock};

use regex::Regex;

/// A regular expression, compiled when it is first used and shared by all clones.
#[derive(Clone)]
pub struct Pattern(Arc<Inner>);

struct Inner {
    source: String,
    compiled: OnceLock<Option<Regex>>,
}

/// A pattern this crate cannot run in linear time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern `{pattern}` cannot be used: {reason}")]
pub struct PatternError {
    /// The pattern.
    pub pattern: String,
    /// Why, in the words of the engine.
    pub reason: String,
}

impl Pattern {
    /// A pattern that has been checked before, as the macros do; one that does not compile matches nothing.
    #[must_use]
    pub fn trusted(source: &str) -> Self {
        Self(Arc::new(Inner { source: source.to_owned(), compiled: OnceLock::new() }))
    }

    /// Compiles a pattern from outside.
    ///
    /// # Errors
    ///
    /// If it is no regular expression, needs look-around or back-references, or grows too large.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        let compiled =
            compile(source).map_err(|error| PatternError { pattern: source.to_owned(), reason: error.to_string() })?;
        Ok(Self(Arc::new(Inner { source: source.to_owned(), compiled: OnceLock::from(Some(compiled)) })))
    }

    /// The pattern as it stands in a schema.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Whether the pattern is found in the text.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        let compiled = self.0.compiled.get_or_init(|| compile(&self.0.source).ok());
        compiled.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.0.source)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.source == other.0.source
    }
}

fn compile(source: &str) -> Result<Regex, regex::Error> {
    regex::RegexBuilder::new(&ecma_classes(source)).size_limit(1 << 20).build()
}

/// Writes ECMA-262's classes out, since in Rust the same escapes mean every script's digits, letters and spaces.
fn ecma_classes(source: &str) -> String {
    const SPACE: &str =
        r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('d') if in_class => out.push_str("0-9"),
                Some('w') if in_class => out.push_str("0-9A-Za-z_"),
                Some('s') if in_class => out.push_str(SPACE),
                Some('d') => out.push_str("[0-9]"),
                Some('D') => out.push_str("[^0-9]"),
                Some('w') => out.push_str("[0-9A-Za-z_]"),
                Some('W') => out.push_str("[^0-9A-Za-z_]"),
                Some('s') => out.extend(["[", SPACE, "]"]),
                Some('S') => out.extend(["[^", SPACE, "]"]),
                Some('b') if !in_class => out.push_str(r"(?-u:\b)"),
                Some('B') if !in_class => out.push_str(r"(?-u:\B)"),
                Some('/') => out.push('/'),
                Some(other) => out.extend(['\\', other]),
                None => out.push('\\'),
            },
            '.' if !in_class => out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            '[' if !in_class => {
                in_class = true;
                out.push('[');
                // ECMA-262 knows no nested classes: a second bracket is an ordinary character.
            }
            '[' => out.push_str(r"\["),
            ']' => {
                in_class = false;
                out.push(']');
            }
            '&' | '~' if in_class => out.extend(['\\', c]),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::new(pattern).unwrap().is_match(text)
    }

    #[test]
    fn classes_mean_what_ecma_262_says() {
        assert!(matches(r"^\d+$", "42"));
        assert!(!matches(r"^\d+$", "٤٢"));
        assert!(!matches(r"^\w$", "é"));
        assert!(matches(r"^[\w.]+$", "a.b"));
        assert!(matches(r"^\s$", "\u{FEFF}"));
        assert!(!matches("^.$", "\u{2028}"));
    }

    #[test]
    fn look_around_is_refused() {
        assert!(Pattern::new("(?=a)b").is_err());
    }

    #[test]
    fn a_pattern_is_found_anywhere_unless_anchored() {
        assert!(matches("b", "abc"));
        assert!(!matches("^b", "abc"));
        assert!(!matches("b$", "b\n"));
    }
}

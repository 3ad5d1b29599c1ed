//! Writing JSON text.

use std::fmt::{self, Display, Write as _};

/// Writes one compact JSON document. Separators come by themselves.
#[derive(Debug, Default)]
pub struct Writer {
    out: String,
}

impl Writer {
    /// The text written so far.
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    /// Opens an object.
    pub fn begin_object(&mut self) {
        self.out.push('{');
    }

    /// Closes an object.
    pub fn end_object(&mut self) {
        self.out.push('}');
    }

    /// Opens an array.
    pub fn begin_array(&mut self) {
        self.out.push('[');
    }

    /// Closes an array.
    pub fn end_array(&mut self) {
        self.out.push(']');
    }

    /// Writes a key; its value must follow.
    pub fn key(&mut self, key: &str) {
        if !self.out.ends_with('{') {
            self.out.push(',');
        }
        self.string(key);
        self.out.push(':');
    }

    /// Makes ready for the next item of an array; its value must follow.
    pub fn item(&mut self) {
        if !self.out.ends_with('[') {
            self.out.push(',');
        }
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.out.push_str("null");
    }

    /// Writes `true` or `false`.
    pub fn boolean(&mut self, value: bool) {
        self.out.push_str(if value { "true" } else { "false" });
    }

    /// Writes an integer of any width.
    pub fn integer(&mut self, value: impl Display) {
        self.display(format_args!("{value}"));
    }

    /// Writes a float with as many digits as tell it apart; JSON has no other than finite ones, so those become
    /// `null`.
    pub fn float(&mut self, value: f64) {
        if value.is_finite() {
            self.display(format_args!("{value:?}"));
        } else {
            self.null();
        }
    }

    /// Writes a single-precision float, as [`Self::float`].
    pub fn single(&mut self, value: f32) {
        if value.is_finite() {
            self.display(format_args!("{value:?}"));
        } else {
            self.null();
        }
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) {
        self.out.push('"');
        if !text.bytes().any(|byte| needs_escape(char::from(byte))) {
            self.out.push_str(text);
            self.out.push('"');
            return;
        }
        for piece in text.split_inclusive(needs_escape) {
            let mut chars = piece.chars();
            match chars.next_back() {
                Some(last) if needs_escape(last) => {
                    self.out.push_str(chars.as_str());
                    self.escape(last);
                }
                _ => self.out.push_str(piece),
            }
        }
        self.out.push('"');
    }

    /// Writes a value that is JSON text already.
    pub fn raw(&mut self, json: &str) {
        self.out.push_str(json);
    }

    fn escape(&mut self, c: char) {
        match c {
            '"' => self.out.push_str("\\\""),
            '\\' => self.out.push_str("\\\\"),
            '\n' => self.out.push_str("\\n"),
            '\r' => self.out.push_str("\\r"),
            '\t' => self.out.push_str("\\t"),
            other => self.display(format_args!("\\u{:04x}", u32::from(other))),
        }
    }

    fn display(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.out.write_fmt(text);
    }
}

fn needs_escape(c: char) -> bool {
    c == '"' || c == '\\' || c < ' '
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_come_by_themselves() {
        let mut out = Writer::default();
        out.begin_object();
        out.key("a");
        out.begin_array();
        out.item();
        out.integer(1);
        out.item();
        out.begin_array();
        out.end_array();
        out.item();
        out.float(1e300);
        out.end_array();
        out.key("b\n");
        out.string("\"é\u{1}\"");
        out.end_object();
        assert_eq!(out.finish(), r#"{"a":[1,[],1e300],"b\n":"\"é\u0001\""}"#);
    }
}

//! Strings: borrowed from the text unless escapes force a copy.

use std::borrow::Cow;

use super::{Reader, Refused};
use crate::Code;

/// A string token, and whether half a surrogate pair stood in it and was replaced.
pub(crate) struct Unquoted<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) lone_surrogate: bool,
}

impl<'a> Reader<'a> {
    /// Takes a string.
    ///
    /// # Errors
    ///
    /// If something else comes next, or the string is not well formed.
    #[inline]
    pub fn string(&mut self) -> Result<Cow<'a, str>, Refused> {
        if self.peek() != Some(b'"') {
            return Err(self.refuse(Code::Type));
        }
        let start = self.at + 1;
        if self.plain_run(start) == Some(b'"') {
            let text = self.text.get(start..self.at).unwrap_or_default();
            self.at += 1;
            return Ok(Cow::Borrowed(text));
        }
        let unquoted = self.escaped(start)?;
        if unquoted.lone_surrogate {
            return Err(self.refuse(Code::Surrogate));
        }
        Ok(unquoted.text)
    }

    /// Takes a string even with half a surrogate pair in it, for the second reading.
    pub(crate) fn unquoted(&mut self) -> Result<Unquoted<'a>, Refused> {
        if self.peek() != Some(b'"') {
            return Err(self.refuse(Code::Type));
        }
        let start = self.at + 1;
        if self.plain_run(start) == Some(b'"') {
            let text = self.text.get(start..self.at).unwrap_or_default();
            self.at += 1;
            return Ok(Unquoted { text: Cow::Borrowed(text), lone_surrogate: false });
        }
        self.escaped(start)
    }

    /// Moves from `start` to the next quote, backslash or control character and returns it.
    #[inline]
    fn plain_run(&mut self, start: usize) -> Option<u8> {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let run = rest.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < 0x20);
        self.at = start + run.unwrap_or(rest.len());
        self.bytes.get(self.at).copied()
    }

    /// The rest of a string that needs a copy; the reader stands at the first special character.
    fn escaped(&mut self, start: usize) -> Result<Unquoted<'a>, Refused> {
        let mut text = String::new();
        let mut lone_surrogate = false;
        let mut run = start;
        loop {
            let special = self.plain_run(self.at);
            text.push_str(self.text.get(run..self.at).unwrap_or_default());
            match special {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Unquoted { text: Cow::Owned(text), lone_surrogate });
                }
                Some(b'\\') => {
                    self.at += 1;
                    let c = self.escape()?;
                    lone_surrogate |= c.is_none();
                    text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                    run = self.at;
                }
                _ => return Err(self.refuse(Code::NotJson)),
            }
        }
    }

    /// The character an escape stands for; `None` for half a surrogate pair.
    fn escape(&mut self) -> Result<Option<char>, Refused> {
        let c = match self.bytes.get(self.at) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return Err(self.refuse(Code::NotJson)),
        };
        self.at += 1;
        Ok(Some(c))
    }

    fn unicode_escape(&mut self) -> Result<Option<char>, Refused> {
        let high = self.hex4()?;
        if !(0xD800..0xDC00).contains(&high) {
            return Ok(char::from_u32(high));
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if !rest.starts_with(b"\\u") {
            return Ok(None);
        }
        let before = self.at;
        self.at += 2;
        let low = self.hex4()?;
        if !(0xDC00..0xE000).contains(&low) {
            self.at = before;
            return Ok(None);
        }
        Ok(char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)))
    }

    fn hex4(&mut self) -> Result<u32, Refused> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.bytes.get(self.at).and_then(|&byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.refuse(Code::NotJson));
            };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
    }
}

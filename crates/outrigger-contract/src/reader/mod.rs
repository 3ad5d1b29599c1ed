//! A strict pull parser over the raw text. Values are read straight into their types: nothing is built in between, and
//! nothing is allocated but what the values themselves need.

mod number;
mod skip;
mod string;

use std::borrow::Cow;

use crate::plan::{Plan, WirePlan};
use crate::{Code, Contract, Limits};

pub(crate) use number::{integer_of, number_of};
pub(crate) use string::Unquoted;

/// Reads one document.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Levels entered.
    depth: u32,
    max_depth: u32,
    wire: &'a WirePlan,
    taken: Vec<(&'a str, &'a str)>,
}

/// A document does not fit. Only the place and the kind are kept: the text is read again to say what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Byte offset into the text.
    pub at: usize,
    /// What kind of problem stopped the reading.
    pub code: Code,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`.
    #[must_use]
    pub fn new(text: &'a str, wire: &'a WirePlan, limits: &Limits) -> Self {
        Self { text, bytes: text.as_bytes(), at: 0, depth: 0, max_depth: limits.depth, wire, taken: Vec::new() }
    }

    /// Reads the whole text as one value.
    ///
    /// # Errors
    ///
    /// If the value does not fit, or something follows it.
    pub fn document<T: Contract>(&mut self) -> Result<T, Refused> {
        let plan = Plan::root(self.wire);
        let value = T::read(self, plan)?;
        self.end()?;
        Ok(value)
    }

    /// Properties that the plan takes out of the root, as they were found: name and raw JSON text.
    #[must_use]
    pub fn taken(&self) -> &[(&'a str, &'a str)] {
        &self.taken
    }

    /// A refusal at the current place.
    #[must_use]
    pub fn refuse(&self, code: Code) -> Refused {
        Refused { at: self.at, code }
    }

    /// The first byte of the next token, without taking it.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.at).copied() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                byte => return byte,
            }
        }
    }

    /// Takes a `null` if it comes next.
    ///
    /// # Errors
    ///
    /// If another word begins with the same letter.
    #[inline]
    pub fn null(&mut self) -> Result<bool, Refused> {
        match self.peek() {
            Some(b'n') => self.word("null").map(|()| true),
            _ => Ok(false),
        }
    }

    /// Takes `true` or `false`.
    ///
    /// # Errors
    ///
    /// If something else comes next.
    pub fn boolean(&mut self) -> Result<bool, Refused> {
        match self.peek() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => Err(self.refuse(Code::Type)),
        }
    }

    /// Enters an object; [`Self::key`] goes through it.
    ///
    /// # Errors
    ///
    /// If something else comes next, or this is one level too many.
    #[inline]
    pub fn object(&mut self) -> Result<(), Refused> {
        self.enter(b'{')
    }

    /// The next key of the object entered last, or `None` and the object is left. `first` is true before the first
    /// call and belongs to the caller.
    ///
    /// # Errors
    ///
    /// If no key comes next.
    #[inline]
    pub fn key(&mut self, first: &mut bool) -> Result<Option<Cow<'a, str>>, Refused> {
        if !self.proceed(first, b'}')? {
            return Ok(None);
        }
        if self.peek() != Some(b'"') {
            return Err(self.refuse(Code::NotJson));
        }
        let key = self.string()?;
        self.colon()?;
        Ok(Some(key))
    }

    /// The next key even with half a surrogate pair in it, for the second reading.
    pub(crate) fn lenient_key(&mut self, first: &mut bool) -> Result<Option<Unquoted<'a>>, Refused> {
        if !self.proceed(first, b'}')? {
            return Ok(None);
        }
        let key = self.unquoted()?;
        self.colon()?;
        Ok(Some(key))
    }

    /// Enters an array; [`Self::item`] goes through it.
    ///
    /// # Errors
    ///
    /// If something else comes next, or this is one level too many.
    #[inline]
    pub fn array(&mut self) -> Result<(), Refused> {
        self.enter(b'[')
    }

    /// Whether another item of the array entered last comes next; if not, the array is left.
    ///
    /// # Errors
    ///
    /// If the array neither goes on nor ends.
    #[inline]
    pub fn item(&mut self, first: &mut bool) -> Result<bool, Refused> {
        self.proceed(first, b']')
    }

    /// Whether the object being read is the document itself.
    pub(crate) fn in_root(&self) -> bool {
        self.depth == 1
    }

    /// Whether the plan takes a property out of the object being read.
    pub(crate) fn is_taken(&self, key: &str) -> bool {
        self.in_root() && self.wire.take.iter().any(|name| name == key)
    }

    /// Takes a property of the root out, if the plan says so; its value is next.
    pub(crate) fn take_out(&mut self, key: &str) -> Result<bool, Refused> {
        if !self.in_root() {
            return Ok(false);
        }
        let Some(name) = self.wire.take.iter().find(|name| *name == key) else {
            return Ok(false);
        };
        if self.taken.iter().any(|(taken, _)| taken == name) {
            return Err(self.refuse(Code::DuplicateKey));
        }
        let raw = self.skip()?;
        self.taken.push((name, raw));
        Ok(true)
    }

    /// Nothing but white space follows.
    pub(crate) fn end(&mut self) -> Result<(), Refused> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.refuse(Code::NotJson)),
        }
    }

    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    pub(crate) fn span(&self, from: usize) -> &'a str {
        self.text.get(from..self.at).unwrap_or_default()
    }

    #[inline]
    fn enter(&mut self, bracket: u8) -> Result<(), Refused> {
        if self.peek() != Some(bracket) {
            return Err(self.refuse(Code::Type));
        }
        if self.depth >= self.max_depth {
            return Err(self.refuse(Code::TooDeep));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// Goes past a comma to what follows it, or past the closing bracket.
    #[inline]
    fn proceed(&mut self, first: &mut bool, close: u8) -> Result<bool, Refused> {
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                self.depth = self.depth.saturating_sub(1);
                Ok(false)
            }
            Some(_) if *first => {
                *first = false;
                Ok(true)
            }
            Some(b',') => {
                self.at += 1;
                match self.peek() {
                    Some(byte) if byte != close => Ok(true),
                    _ => Err(self.refuse(Code::NotJson)),
                }
            }
            _ => Err(self.refuse(Code::NotJson)),
        }
    }

    #[inline]
    fn colon(&mut self) -> Result<(), Refused> {
        match self.peek() {
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.refuse(Code::NotJson)),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Refused> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.refuse(Code::NotJson))
        }
    }
}

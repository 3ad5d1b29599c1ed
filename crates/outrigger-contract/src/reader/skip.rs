//! Passing over values: to find a tag that does not come first, and to take raw text out.

use std::borrow::Cow;
use std::collections::HashSet;

use super::number::number_of;
use super::{Reader, Refused};
use crate::Code;
use crate::contract::Form;

/// A place in a document.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    at: usize,
    depth: u32,
    taken: usize,
}

impl<'a> Reader<'a> {
    /// Passes over one value, checking it as strictly as if it were read, and returns its text.
    ///
    /// # Errors
    ///
    /// If no well-formed value comes next.
    pub fn skip(&mut self) -> Result<&'a str, Refused> {
        self.peek();
        let start = self.at;
        self.pass(true)?;
        Ok(self.span(start))
    }

    /// The string that stands under `tag` in the object that comes next, wherever it stands there; the reader does not
    /// move. What else is in the object is looked at no further than needed: it will be read afterwards.
    ///
    /// # Errors
    ///
    /// If no object with such a property comes next.
    pub fn find_tag(&mut self, tag: &str) -> Result<Cow<'a, str>, Refused> {
        let start = self.mark();
        let found = self.scan_for(tag);
        self.reset(start);
        found
    }

    fn scan_for(&mut self, tag: &str) -> Result<Cow<'a, str>, Refused> {
        self.object()?;
        let mut first = true;
        while let Some(key) = self.key(&mut first)? {
            if key == tag {
                return self.string();
            }
            self.pass(false)?;
        }
        Err(self.refuse(Code::Missing))
    }

    /// Whether the object that comes next has all the properties a form requires and none it does not know; the reader
    /// does not move.
    pub(crate) fn keys_fit(&mut self, form: &Form) -> Result<bool, Refused> {
        let start = self.mark();
        let fits = self.scan_keys(form);
        self.reset(start);
        fits
    }

    fn scan_keys(&mut self, form: &Form) -> Result<bool, Refused> {
        let mut required = 0;
        let mut first = true;
        self.object()?;
        while let Some(key) = self.key(&mut first)? {
            match form.property(&key) {
                Some(property) => required += usize::from(property.required),
                None if form.open || self.is_taken(&key) => {}
                None => return Ok(false),
            }
            self.pass(false)?;
        }
        Ok(required >= form.required_count())
    }

    /// The place to come back to.
    pub(crate) fn mark(&self) -> Mark {
        Mark { at: self.at, depth: self.depth, taken: self.taken.len() }
    }

    pub(crate) fn reset(&mut self, mark: Mark) {
        self.at = mark.at;
        self.depth = mark.depth;
        self.taken.truncate(mark.taken);
    }

    fn pass(&mut self, strictly: bool) -> Result<(), Refused> {
        match self.peek() {
            Some(b'{') => self.pass_object(strictly),
            Some(b'[') => {
                self.array()?;
                let mut first = true;
                while self.item(&mut first)? {
                    self.pass(strictly)?;
                }
                Ok(())
            }
            Some(b'"') => self.string().map(drop),
            Some(b't' | b'f') => self.boolean().map(drop),
            Some(b'n') => self.null().map(drop),
            Some(b'-' | b'0'..=b'9') => self.pass_number(strictly),
            _ => Err(self.refuse(Code::NotJson)),
        }
    }

    fn pass_number(&mut self, strictly: bool) -> Result<(), Refused> {
        let token = self.number()?;
        if strictly && number_of(token).is_none() {
            return Err(self.refuse(Code::Range));
        }
        Ok(())
    }

    fn pass_object(&mut self, strictly: bool) -> Result<(), Refused> {
        let mut seen = HashSet::new();
        self.object()?;
        let mut first = true;
        while let Some(key) = self.key(&mut first)? {
            if strictly && !seen.insert(key) {
                return Err(self.refuse(Code::DuplicateKey));
            }
            self.pass(strictly)?;
        }
        Ok(())
    }
}

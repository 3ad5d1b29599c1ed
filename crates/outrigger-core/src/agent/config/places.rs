//! Where the values of a file stand.

use std::collections::HashMap;

/// A place in a text, for people: both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

/// Where every key and value of a text stands, by JSON Pointer.
#[derive(Clone, Debug, Default)]
pub struct Places {
    found: HashMap<String, Found>,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    key: Place,
    value: Place,
}

impl Places {
    pub(super) fn insert(&mut self, pointer: String, key: Place, value: Place) {
        self.found.insert(pointer, Found { key, value });
    }

    /// Where a value stands; for one that is not there, where the one around it stands.
    #[must_use]
    pub fn value(&self, pointer: &str) -> Place {
        self.nearest(pointer).map_or(Place::START, |found| found.value)
    }

    /// Where the key of a value stands; the value itself where it has none.
    #[must_use]
    pub fn key(&self, pointer: &str) -> Place {
        self.nearest(pointer).map_or(Place::START, |found| found.key)
    }

    fn nearest(&self, mut pointer: &str) -> Option<Found> {
        loop {
            if let Some(found) = self.found.get(pointer) {
                return Some(*found);
            }
            (pointer, _) = pointer.rsplit_once('/')?;
        }
    }
}

impl Place {
    /// The beginning of a text.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// Turns byte offsets into places.
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let after_breaks =
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at.saturating_add(1));
        Self { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    pub(super) fn place(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|index| self.starts.get(index)).copied().unwrap_or(0);
        let offset = self.text.floor_char_boundary(offset);
        let before = self.text.get(start..offset).unwrap_or_default();
        Place { line: number(line), column: number(before.chars().count().saturating_add(1)) }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

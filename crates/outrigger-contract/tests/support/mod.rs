//! Shapes, documents and spoilt documents, made from a stream of choices that proptest generates and shrinks.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub(crate) mod documents;
pub(crate) mod shapes;
pub(crate) mod wire;

/// How many cases a property runs: 1,000, or as many as `OUTRIGGER_CASES` says.
pub(crate) fn cases() -> u32 {
    std::env::var("OUTRIGGER_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1000)
}

/// Decisions, one after the other; when they run out, the smallest.
pub(crate) struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Choices<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(byte) % count.max(1)
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

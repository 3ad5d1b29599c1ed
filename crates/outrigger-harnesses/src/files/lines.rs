//! Lines of a file of any size, in constant memory.

use std::io::{self, Read};

const CHUNK: usize = 64 * 1024;

/// Reads lines, keeping at most `keep` bytes of each, and stops behind `budget` bytes.
pub(super) struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    keep: usize,
    budget: u64,
    ended: bool,
}

/// One line without its end.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// At most as many bytes as are kept.
    pub(super) kept: Vec<u8>,
    /// Bytes the line has.
    pub(super) length: u64,
}

/// How far [`Lines::next`] came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Line(Line),
    /// The end of the file.
    End,
    /// The budget is spent; the file goes on.
    Spent,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(source: R, keep: usize, budget: u64) -> Self {
        let buffer = vec![0; CHUNK];
        Self { source, buffer, start: 0, end: 0, keep, budget, ended: false }
    }

    pub(super) fn next(&mut self) -> io::Result<Next> {
        let mut line = Line::default();
        let mut any = false;
        loop {
            if self.start >= self.end && !self.fill()? {
                return Ok(match (any, self.ended) {
                    // What is left of a line that the budget cut is not passed on as a line.
                    (_, false) => Next::Spent,
                    (true, true) => Next::Line(without_return(line)),
                    (false, true) => Next::End,
                });
            }
            any = true;
            let rest = self.buffer.get(self.start..self.end).unwrap_or_default();
            let (part, step, complete) = match rest.iter().position(|byte| *byte == b'\n') {
                Some(at) => (rest.get(..at).unwrap_or_default(), at.saturating_add(1), true),
                None => (rest, rest.len(), false),
            };
            let room = self.keep.saturating_sub(line.kept.len()).min(part.len());
            line.kept.extend_from_slice(part.get(..room).unwrap_or_default());
            line.length = line.length.saturating_add(part.len() as u64);
            self.start = self.start.saturating_add(step);
            if complete {
                return Ok(Next::Line(without_return(line)));
            }
        }
    }

    /// The bytes at the current place, without moving on: up to one chunk.
    pub(super) fn peek(&mut self) -> io::Result<&[u8]> {
        if self.start >= self.end {
            self.fill()?;
        }
        Ok(self.buffer.get(self.start..self.end).unwrap_or_default())
    }

    /// Bytes that may still be read.
    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    fn fill(&mut self) -> io::Result<bool> {
        let allowed = usize::try_from(self.budget).unwrap_or(CHUNK).min(CHUNK);
        if self.ended || allowed == 0 {
            return Ok(false);
        }
        let space = self.buffer.get_mut(..allowed).unwrap_or_default();
        let read = loop {
            match self.source.read(space) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.start = 0;
        self.end = read;
        self.budget = self.budget.saturating_sub(read as u64);
        self.ended = read == 0;
        Ok(read > 0)
    }
}

fn without_return(mut line: Line) -> Line {
    if line.kept.len() as u64 == line.length && line.kept.last() == Some(&b'\r') {
        line.kept.pop();
        line.length = line.length.saturating_sub(1);
    }
    line
}

/// Text from bytes that may have been cut inside a character: the cut character is dropped,
/// other invalid bytes are replaced. Says whether any were.
pub(super) fn text(bytes: &[u8], cut: bool) -> (String, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), false),
        Err(error) if cut && error.error_len().is_none() => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            (String::from_utf8_lossy(valid).into_owned(), false)
        }
        Err(_) => (String::from_utf8_lossy(bytes).into_owned(), true),
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Lines, Next, text};

    fn all(source: &[u8], keep: usize, budget: u64) -> Vec<Next> {
        let mut lines = Lines::new(source, keep, budget);
        let mut out = Vec::new();
        loop {
            let next = lines.next().unwrap();
            let last = !matches!(next, Next::Line(_));
            out.push(next);
            if last {
                return out;
            }
        }
    }

    fn line(kept: &str, length: u64) -> Next {
        Next::Line(Line { kept: kept.into(), length })
    }

    #[test]
    fn lines_end_with_or_without_a_newline() {
        assert_eq!(all(b"a\r\nb\n\nc", 9, 99), [line("a", 1), line("b", 1), line("", 0), line("c", 1), Next::End]);
        assert_eq!(all(b"", 9, 99), [Next::End]);
    }

    #[test]
    fn a_long_line_is_kept_in_part_and_a_spent_budget_ends_it() {
        assert_eq!(all(b"abcdef\ng", 3, 99), [line("abc", 6), line("g", 1), Next::End]);
        assert_eq!(all(b"a\nbcd\n", 9, 4), [line("a", 1), Next::Spent]);
    }

    #[test]
    fn a_cut_character_is_dropped_and_a_wrong_one_replaced() {
        assert_eq!(text("aé".as_bytes().split_last().unwrap().1, true), ("a".to_owned(), false));
        assert_eq!(text(b"a\xffb", false), ("a\u{fffd}b".to_owned(), true));
    }
}

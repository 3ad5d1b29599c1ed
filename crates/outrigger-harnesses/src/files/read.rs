//! A range of lines of a text file.

use super::lines::{Line, Lines, Next, text};
use super::root::{Root, RootPath};
use super::{FilesError, FilesOptions};
use cap_std::fs::File;
use std::fmt;

/// Bytes at the beginning that decide whether a file is text.
const SNIFFED: usize = 8 * 1024;

/// Lines of a file. As text: the lines, then a note in brackets with the range, the lines there
/// are and where to go on; it serialises as that text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines, joined by newlines.
    pub text: String,
    /// The first line, from 1; 0 when the file is empty.
    pub first: u64,
    /// The last line.
    pub last: u64,
    /// Lines of the whole file, where they could be counted within the bounds.
    pub total: Option<u64>,
    /// Bytes of the whole file.
    pub size: u64,
    /// Lines that were cut because they are too long.
    pub cut: usize,
    /// Whether bytes that are no UTF-8 were replaced.
    pub replaced: bool,
}

pub(super) struct Range {
    pub(super) from: u32,
    pub(super) lines: Option<u32>,
}

pub(super) fn read(root: &Root, path: &RootPath, range: &Range, options: &FilesOptions) -> Result<Excerpt, FilesError> {
    let (file, metadata) = root.open_file(path)?;
    let size = metadata.len();
    let io = |error| root.explain(path, error);
    let mut lines = Lines::new(file, options.max_line_bytes, options.max_scan_bytes);
    if is_binary(lines.peek().map_err(io)?) {
        return Err(FilesError::Binary { path: path.shown(), size });
    }
    let from = u64::from(range.from);
    for passed in 0..from.saturating_sub(1) {
        match lines.next().map_err(io)? {
            Next::Line(_) => {}
            Next::End => return behind(path, range.from, passed, size),
            Next::Spent => {
                let limit = options.max_scan_bytes;
                return Err(FilesError::TooFar { path: path.shown(), from_line: range.from, limit });
            }
        }
    }
    let mut excerpt = Excerpt::new(from, size);
    let end = excerpt.fill(&mut lines, range, options).map_err(io)?;
    if excerpt.text.contains('\0') {
        return Err(FilesError::Binary { path: path.shown(), size });
    }
    if excerpt.last < from {
        return match end {
            Next::End => behind(path, range.from, from.saturating_sub(1), size),
            _ => {
                let limit = options.max_scan_bytes;
                Err(FilesError::TooFar { path: path.shown(), from_line: range.from, limit })
            }
        };
    }
    Ok(excerpt)
}

pub(super) fn is_binary(beginning: &[u8]) -> bool {
    beginning.iter().take(SNIFFED).any(|byte| *byte == 0)
}

fn behind(path: &RootPath, from_line: u32, lines: u64, size: u64) -> Result<Excerpt, FilesError> {
    if lines == 0 && from_line == 1 {
        return Ok(Excerpt { total: Some(0), first: 0, ..Excerpt::new(1, size) });
    }
    Err(FilesError::BehindTheEnd { path: path.shown(), from_line, lines })
}

impl Excerpt {
    fn new(first: u64, size: u64) -> Self {
        let last = first.saturating_sub(1);
        Self { text: String::new(), first, last, total: None, size, cut: 0, replaced: false }
    }

    /// Takes the lines of the range, then counts the lines behind it.
    fn fill(&mut self, lines: &mut Lines<File>, range: &Range, options: &FilesOptions) -> std::io::Result<Next> {
        let wanted = range.lines.map_or(u64::MAX, u64::from);
        let mut full = false;
        let mut seen = self.last;
        loop {
            match lines.next()? {
                Next::Line(line) => {
                    seen = seen.saturating_add(1);
                    full = full || self.count() >= wanted || !self.push(&line, options);
                }
                Next::End => {
                    self.total = Some(seen);
                    return Ok(Next::End);
                }
                other => return Ok(other),
            }
        }
    }

    fn count(&self) -> u64 {
        self.last.saturating_add(1).saturating_sub(self.first)
    }

    /// Adds a line, unless it no longer fits. The first one always does.
    fn push(&mut self, line: &Line, options: &FilesOptions) -> bool {
        let is_cut = line.length > line.kept.len() as u64;
        let (mut shown, replaced) = text(&line.kept, is_cut);
        if is_cut {
            shown.push_str(&format!("… [cut: the line has {} bytes]", line.length));
        }
        let after = self.text.len().saturating_add(shown.len()).saturating_add(1);
        if self.count() > 0 && after > options.max_read_bytes {
            return false;
        }
        if self.count() > 0 {
            self.text.push('\n');
        }
        self.text.push_str(&shown);
        self.last = self.last.saturating_add(1);
        self.cut = self.cut.saturating_add(usize::from(is_cut));
        self.replaced |= replaced;
        true
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.total == Some(0) {
            return f.write_str("[the file is empty]");
        }
        let (first, last) = (self.first, self.last);
        write!(f, "{}\n[lines {first} to {last}", self.text)?;
        match self.total {
            Some(total) if total == last => write!(f, " of {total}, the end of the file")?,
            Some(total) => write!(f, " of {total}; to go on use from_line {}", last.saturating_add(1))?,
            None => write!(f, " of a file of {} bytes; to go on use from_line {}", self.size, last.saturating_add(1))?,
        }
        if self.replaced {
            f.write_str("; bytes that are not UTF-8 are shown as \u{fffd}")?;
        }
        f.write_str("]")
    }
}

super::as_text!(Excerpt);

//! Lines that contain a text, in a file or below a directory.

use super::lines::{Lines, Next, text};
use super::list::{names, shown};
use super::read::is_binary;
use super::root::{Kind, Root, RootPath, open_regular};
use super::{FilesError, FilesOptions};
use cap_fs_ext::DirExt;
use cap_std::fs::{Dir, File};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

/// Characters a text to search for may have.
const MAX_TEXT: usize = 200;
/// Bytes at the beginning of a line that are searched.
const MAX_LINE: usize = 64 * 1024;
/// Characters of a matching line that are shown, and how many of them before the match.
const SHOWN: usize = 200;
const BEFORE: usize = 60;

/// Lines that contain a text, by path and line. As text: `path:line: text`, one a line, then a
/// note in brackets where something was left out; it serialises as that text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matches {
    /// The matching lines.
    pub matches: Vec<Match>,
    /// Files that were searched.
    pub files: usize,
    /// Binary and unreadable files that were passed over.
    pub skipped: usize,
    /// The bound that ended the search before everything was searched.
    pub stopped: Option<Stop>,
}

/// One line of [`Matches`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The file, from the root.
    pub path: String,
    /// The line, from 1.
    pub line: u64,
    /// The line, or the part of it around the match.
    pub text: String,
}

/// Which bound ended a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// Matches found.
    Matches,
    /// Files opened.
    Files,
    /// Bytes read.
    Bytes,
    /// Directories below each other, or entries in one.
    Depth,
    /// Time spent.
    Time,
}

pub(super) fn search(
    root: &Root,
    wanted: &str,
    path: &RootPath,
    options: &FilesOptions,
) -> Result<Matches, FilesError> {
    let found = wanted.chars().count();
    if found == 0 || found > MAX_TEXT || wanted.contains(['\n', '\r', '\0']) {
        return Err(FilesError::SearchText { found, limit: MAX_TEXT });
    }
    let mut search = Search::new(wanted, options);
    let kind = Kind::of(root.metadata(path)?.file_type());
    if kind == Kind::Directory {
        let base = if path.is_root() { String::new() } else { format!("{}/", path.shown()) };
        search.directory(root.open_dir(path)?, base);
    } else {
        let (file, metadata) = root.open_file(path)?;
        let binary = FilesError::Binary { path: path.shown(), size: metadata.len() };
        search.file(file, &path.shown()).map_err(|error| root.explain(path, error))?;
        if search.found.skipped > 0 {
            return Err(binary);
        }
    }
    Ok(search.found)
}

/// A directory that is still to be walked.
struct Waiting {
    parent: Rc<Dir>,
    name: OsString,
    base: String,
    depth: usize,
}

struct Search<'a> {
    wanted: String,
    folded: bool,
    options: &'a FilesOptions,
    started: Instant,
    bytes: u64,
    found: Matches,
}

impl<'a> Search<'a> {
    fn new(wanted: &str, options: &'a FilesOptions) -> Self {
        let folded = !wanted.chars().any(char::is_uppercase);
        let found = Matches { matches: Vec::new(), files: 0, skipped: 0, stopped: None };
        let (wanted, bytes) = (wanted.to_owned(), options.max_search_bytes);
        Self { wanted, folded, options, started: Instant::now(), bytes, found }
    }

    /// Walks without recursion, in the order of names. Only the directories on the way down are
    /// open: one that waits is held as a name below its parent.
    fn directory(&mut self, dir: Dir, base: String) {
        let mut waiting = self.entries(dir, &base, 0);
        while let Some(Waiting { parent, name, base, depth }) = waiting.pop() {
            if depth > self.options.max_depth {
                self.found.stopped.get_or_insert(Stop::Depth);
                continue;
            }
            match parent.open_dir_nofollow(&name) {
                Ok(dir) => waiting.extend(self.entries(dir, &base, depth)),
                Err(_) => self.skip(),
            }
            if self.spent() {
                return;
            }
        }
    }

    /// Searches the files of a directory; returns the directories in it, the first one last.
    fn entries(&mut self, dir: Dir, base: &str, depth: usize) -> Vec<Waiting> {
        let mut below = Vec::new();
        let Ok((names, uncounted)) = names(&dir) else {
            self.skip();
            return below;
        };
        if uncounted {
            self.found.stopped.get_or_insert(Stop::Depth);
        }
        let parent = Rc::new(dir);
        for name in names {
            if self.spent() {
                return Vec::new();
            }
            let path = format!("{base}{}", shown(&name.to_string_lossy()));
            if self.is_directory(&parent, &name, &path) {
                let (parent, base) = (Rc::clone(&parent), format!("{path}/"));
                below.push(Waiting { parent, name, base, depth: depth.saturating_add(1) });
            }
        }
        below.reverse();
        below
    }

    /// Is this a directory to walk? A file is searched at once, a link is not followed.
    fn is_directory(&mut self, dir: &Dir, name: &OsStr, path: &str) -> bool {
        let Ok(metadata) = dir.symlink_metadata(name) else {
            return false;
        };
        match Kind::of(metadata.file_type()) {
            Kind::Directory => name != ".git",
            Kind::File => {
                let regular = |file: &File| file.metadata().is_ok_and(|data| data.is_file());
                let file = open_regular(dir, Path::new(name)).ok().filter(regular);
                if file.is_none_or(|file| self.file(file, path).is_err()) {
                    self.skip();
                }
                false
            }
            _ => false,
        }
    }

    fn skip(&mut self) {
        self.found.skipped = self.found.skipped.saturating_add(1);
    }

    fn file(&mut self, file: File, path: &str) -> std::io::Result<()> {
        let mut lines = Lines::new(file, MAX_LINE, self.bytes);
        if is_binary(lines.peek()?) {
            self.skip();
        } else {
            self.found.files = self.found.files.saturating_add(1);
            self.lines(&mut lines, path)?;
        }
        self.bytes = lines.budget();
        Ok(())
    }

    fn lines(&mut self, lines: &mut Lines<File>, path: &str) -> std::io::Result<()> {
        let mut number = 0_u64;
        loop {
            let line = match lines.next()? {
                Next::Line(line) => line,
                Next::End => return Ok(()),
                Next::Spent => {
                    self.found.stopped = Some(Stop::Bytes);
                    return Ok(());
                }
            };
            number = number.saturating_add(1);
            let (line, _) = text(&line.kept, line.length > line.kept.len() as u64);
            if let Some(at) = self.position(&line) {
                let text = around(&line, at);
                self.found.matches.push(Match { path: path.to_owned(), line: number, text });
            }
            if self.found.matches.len() >= self.options.max_matches {
                self.found.stopped = Some(Stop::Matches);
                return Ok(());
            }
            if number.is_multiple_of(1_024) && self.late() {
                return Ok(());
            }
        }
    }

    /// Characters before the match.
    fn position(&self, line: &str) -> Option<usize> {
        let before = |line: &str| line.split_once(self.wanted.as_str()).map(|(before, _)| before.chars().count());
        if self.folded { before(&line.to_lowercase()) } else { before(line) }
    }

    fn late(&mut self) -> bool {
        let late = self.started.elapsed() >= self.options.max_search_time;
        if late {
            self.found.stopped = Some(Stop::Time);
        }
        late
    }

    fn spent(&mut self) -> bool {
        if matches!(self.found.stopped, Some(Stop::Matches | Stop::Bytes | Stop::Time)) || self.late() {
            return true;
        }
        if self.found.files.saturating_add(self.found.skipped) >= self.options.max_search_files {
            self.found.stopped = Some(Stop::Files);
            return true;
        }
        if self.bytes == 0 {
            self.found.stopped = Some(Stop::Bytes);
            return true;
        }
        false
    }
}

/// The part of a line around a match.
fn around(line: &str, at: usize) -> String {
    let skipped = if at > SHOWN.saturating_sub(BEFORE) { at.saturating_sub(BEFORE) } else { 0 };
    let mut rest = line.chars().skip(skipped);
    let part: String = rest.by_ref().take(SHOWN).collect();
    let (front, back) = (if skipped > 0 { "…" } else { "" }, if rest.next().is_some() { "…" } else { "" });
    format!("{front}{}{back}", shown(part.trim_end()))
}

impl fmt::Display for Matches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.matches.is_empty() {
            write!(f, "no match in {} files", self.files)?;
        }
        for (at, found) in self.matches.iter().enumerate() {
            let end = if at > 0 { "\n" } else { "" };
            write!(f, "{end}{}:{}: {}", found.path, found.line, found.text)?;
        }
        let reason = match self.stopped {
            None => return Ok(()),
            Some(Stop::Matches) => "there may be more matches: search for a longer text or in a directory below",
            Some(Stop::Files) => "not every file was searched: search in a directory below",
            Some(Stop::Bytes) => "not everything was read: search in a directory below",
            Some(Stop::Depth) => "some directories are too deep or too large: search in one of them",
            Some(Stop::Time) => "the time is over: search in a directory below",
        };
        write!(f, "\n[{reason}]")
    }
}

super::as_text!(Matches);

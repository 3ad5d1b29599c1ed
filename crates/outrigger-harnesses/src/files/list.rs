//! What is in a directory.

use super::root::{Kind, Root, RootPath};
use super::{FilesError, FilesOptions};
use cap_std::fs::Dir;
use std::ffi::OsString;
use std::fmt;

/// Entries of one directory that are looked at; above it a listing is no longer complete.
pub(super) const MAX_SCANNED: usize = 100_000;

/// The entries of a directory, sorted by name. As text: one line an entry, `/` behind a
/// directory, the bytes behind a file; it serialises as that text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The entries shown.
    pub entries: Vec<Entry>,
    /// Entries left out.
    pub left_out: usize,
    /// Whether there are still more, uncounted.
    pub uncounted: bool,
}

/// One entry of a [`Listing`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name. Bytes that are no UTF-8 are replaced, control characters escaped.
    pub name: String,
    /// `file`, `directory`, `link`, `pipe`, `socket` or `device`.
    pub kind: &'static str,
    /// Bytes, of a file.
    pub size: Option<u64>,
    /// Whether `name` is the real name, so that it can be used in a path.
    pub named: bool,
}

pub(super) fn list(root: &Root, path: &RootPath, options: &FilesOptions) -> Result<Listing, FilesError> {
    let dir = root.open_dir(path)?;
    let (names, uncounted) = names(&dir).map_err(|error| root.explain(path, error))?;
    let left_out = names.len().saturating_sub(options.max_entries);
    let entries = names.into_iter().take(options.max_entries);
    let entries = entries.map(|name| entry(&dir, &name)).collect();
    Ok(Listing { entries, left_out, uncounted })
}

/// The names in a directory, sorted, and whether there are more.
pub(super) fn names(dir: &Dir) -> std::io::Result<(Vec<OsString>, bool)> {
    let mut names = Vec::new();
    for entry in dir.entries()? {
        if names.len() >= MAX_SCANNED {
            names.sort_unstable();
            return Ok((names, true));
        }
        names.push(entry?.file_name());
    }
    names.sort_unstable();
    Ok((names, false))
}

fn entry(dir: &Dir, name: &OsString) -> Entry {
    let metadata = dir.symlink_metadata(name).ok();
    let kind = metadata.as_ref().map(|metadata| Kind::of(metadata.file_type()));
    let size = metadata.filter(|_| kind == Some(Kind::File)).map(|metadata| metadata.len());
    let shown = shown(&name.to_string_lossy());
    let named = name.to_str() == Some(shown.as_str());
    Entry { name: shown, kind: kind.map_or("unreadable", Kind::name), size, named }
}

/// A name on one line: control characters are escaped.
pub(super) fn shown(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.entries.is_empty() && self.left_out == 0 {
            return f.write_str("the directory is empty");
        }
        for (at, entry) in self.entries.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{entry}")?;
        }
        if self.left_out > 0 {
            let least = if self.uncounted { "at least " } else { "" };
            write!(f, "\n[{least}{} more entries left out: use `search`, or `info` with a name]", self.left_out)?;
        }
        Ok(())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.size) {
            ("directory", _) => write!(f, "{}/", self.name)?,
            (_, Some(1)) => write!(f, "{} (1 byte)", self.name)?,
            (_, Some(size)) => write!(f, "{} ({size} bytes)", self.name)?,
            (kind, None) => write!(f, "{} ({kind})", self.name)?,
        }
        if self.named { Ok(()) } else { f.write_str(" [its real name cannot be written here]") }
    }
}

super::as_text!(Listing);

//! What a path names.

use super::lines::{Lines, Next};
use super::read::is_binary;
use super::root::{Kind, Root, RootPath};
use super::{FilesError, FilesOptions};
use jiff::Timestamp;
use serde::Serialize;

/// Bytes up to which the lines of a file are counted.
const COUNTED: u64 = 1024 * 1024;

/// What a path names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Info {
    /// `file`, `directory`, `pipe`, `socket` or `device`. A link is what it leads to.
    pub kind: &'static str,
    /// Bytes, of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// When it was last changed: ISO 8601, UTC, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Lines, of a text file of at most 1 MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
}

pub(super) fn info(root: &Root, path: &RootPath, _: &FilesOptions) -> Result<Info, FilesError> {
    let metadata = root.metadata(path)?;
    let kind = Kind::of(metadata.file_type());
    let modified = metadata.modified().ok().and_then(|time| {
        let time = Timestamp::try_from(time.into_std()).ok()?;
        Timestamp::from_second(time.as_second()).ok().map(|time| time.to_string())
    });
    let is_file = kind == Kind::File;
    let size = is_file.then_some(metadata.len());
    let lines = if is_file && metadata.len() <= COUNTED { count(root, path) } else { None };
    Ok(Info { kind: kind.name(), size, modified, lines })
}

/// `None` for a file that is binary, unreadable or grows beyond the bound.
fn count(root: &Root, path: &RootPath) -> Option<u64> {
    let (file, _) = root.open_file(path).ok()?;
    let mut lines = Lines::new(file, 0, COUNTED.saturating_add(1));
    if is_binary(lines.peek().ok()?) {
        return None;
    }
    let mut count = 0_u64;
    loop {
        match lines.next().ok()? {
            Next::Line(_) => count = count.saturating_add(1),
            Next::End => return Some(count),
            Next::Spent => return None,
        }
    }
}

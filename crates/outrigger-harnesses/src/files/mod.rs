//! Files below one root directory, to be listed, read and searched.
//!
//! The root is held as an open directory, and every path is resolved below that handle by
//! the system, so neither `..` nor a link nor a race leads outside. All results are bounded by
//! [`FilesOptions`] and say what they left out. The methods block: a host runs them where blocking
//! is allowed.

mod error;
mod info;
mod lines;
mod list;
mod options;
mod read;
mod root;
mod search;

pub use error::FilesError;
pub use info::Info;
pub use list::{Entry, Listing};
pub use options::FilesOptions;
pub use read::Excerpt;
pub use search::{Match, Matches, Stop};

use root::{Root, RootPath};
use std::path::Path;

/// Read access to the files below one directory.
#[derive(Debug)]
pub struct Files {
    root: Root,
    options: FilesOptions,
}

impl Files {
    /// Opens `root` with the default bounds.
    ///
    /// # Errors
    ///
    /// [`FilesError::Root`] when `root` is not a directory that can be opened.
    pub fn new(root: impl AsRef<Path>) -> Result<Self, FilesError> {
        Self::with_options(root, FilesOptions::default())
    }

    /// Opens `root` with these bounds.
    ///
    /// # Errors
    ///
    /// [`FilesError::Root`] when `root` is not a directory that can be opened.
    pub fn with_options(root: impl AsRef<Path>, options: FilesOptions) -> Result<Self, FilesError> {
        Ok(Self { root: Root::open(root.as_ref())?, options })
    }

    /// Lists a directory: names in order, directories with `/`, files with their bytes.
    ///
    /// `path`: The directory, from the root; the root itself when absent.
    ///
    /// # Errors
    ///
    /// The path is outside, missing, no directory, or unreadable.
    pub fn list(&self, path: Option<String>) -> Result<Listing, FilesError> {
        list::list(&self.root, &RootPath::new(path.as_deref().unwrap_or(""))?, &self.options)
    }

    /// Reads lines of a text file.
    ///
    /// `path`: The file, from the root. `from_line`: The first line, from 1; 1 when absent.
    /// `lines`: How many lines; as many as fit when absent.
    ///
    /// # Errors
    ///
    /// The path is outside, missing, no regular file, or binary; or the line is behind the end.
    pub fn read(&self, path: String, from_line: Option<u32>, lines: Option<u32>) -> Result<Excerpt, FilesError> {
        for (argument, value) in [("from_line", from_line), ("lines", lines)] {
            if value == Some(0) {
                return Err(FilesError::Zero { argument });
            }
        }
        let range = read::Range { from: from_line.unwrap_or(1), lines };
        read::read(&self.root, &RootPath::new(&path)?, &range, &self.options)
    }

    /// Finds the lines that contain a text.
    ///
    /// `text`: The text as it stands in the file; capital letters make case count.
    /// `path`: The file or directory to search, from the root; everything when absent.
    ///
    /// # Errors
    ///
    /// The text is empty, too long or has a line break; the path is outside, missing or binary.
    pub fn search(&self, text: String, path: Option<String>) -> Result<Matches, FilesError> {
        let path = RootPath::new(path.as_deref().unwrap_or(""))?;
        search::search(&self.root, &text, &path, &self.options)
    }

    /// Tells what a path is: kind, bytes, date of change, and lines of a small text file.
    ///
    /// `path`: The file or directory, from the root.
    ///
    /// # Errors
    ///
    /// The path is outside or missing.
    pub fn info(&self, path: String) -> Result<Info, FilesError> {
        info::info(&self.root, &RootPath::new(&path)?, &self.options)
    }
}

/// Serialises a result as the text that its `Display` writes.
macro_rules! as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}
use as_text;

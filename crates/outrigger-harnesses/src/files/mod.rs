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

use outrigger_core::harness;
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
}

/// Files below one directory, to be listed, read and searched.
#[harness]
impl Files {
    /// Lists a directory: names in order, `/` behind a directory, the bytes behind a file.
    #[tool(
        blocking,
        read_only,
        idempotent,
        example(ask = "Which files are here?", args = {}),
        example(ask = "List the files in src.", args = { path: "src" }),
        example(ask = "What is in the directory docs/guide?", args = { path: "docs/guide" }),
        example(ask = "Show me the folder tests.", args = { path: "tests" })
    )]
    pub fn list(
        &self,
        /// The directory, from the root; the root itself if left out.
        path: Option<String>,
    ) -> Result<Listing, FilesError> {
        list::list(&self.root, &RootPath::new(path.as_deref().unwrap_or(""))?, &self.options)
    }

    /// Reads lines of a text file. A note at the end says which lines they are and where to go on.
    #[tool(
        blocking,
        read_only,
        idempotent,
        example(ask = "Read README.md.", args = { path: "README.md" }),
        example(ask = "Show me the file src/main.rs.", args = { path: "src/main.rs" }),
        example(ask = "What does Cargo.toml say?", args = { path: "Cargo.toml" }),
        example(ask = "Show the first 10 lines of notes.txt.", args = { path: "notes.txt", lines: 10 }),
        example(ask = "Go on reading server.log at line 201.", args = { path: "server.log", from_line: 201 })
    )]
    pub fn read(
        &self,
        /// The file, from the root.
        path: String,
        /// The first line, counted from 1; 1 if left out.
        #[arg(min = 1)]
        from_line: Option<u32>,
        /// How many lines; as many as fit into 64 KiB if left out.
        #[arg(min = 1)]
        lines: Option<u32>,
    ) -> Result<Excerpt, FilesError> {
        for (argument, value) in [("from_line", from_line), ("lines", lines)] {
            if value == Some(0) {
                return Err(FilesError::Zero { argument });
            }
        }
        let range = read::Range { from: from_line.unwrap_or(1), lines };
        read::read(&self.root, &RootPath::new(&path)?, &range, &self.options)
    }

    /// Finds the lines that contain a text, as `path:line: text`. Capital letters in the text make case count. Patterns
    /// are not understood.
    #[tool(
        blocking,
        read_only,
        idempotent,
        example(ask = "Where is the word timeout used?", args = { text: "timeout" }),
        example(ask = "Find TODO in src.", args = { text: "TODO", path: "src" }),
        example(ask = "Which file mentions fn main?", args = { text: "fn main" }),
        example(ask = "Search docs for install.", args = { text: "install", path: "docs" }),
        example(ask = "Which line of Cargo.toml has version?", args = { text: "version", path: "Cargo.toml" })
    )]
    pub fn search(
        &self,
        /// The text as it stands in the file, on one line.
        #[arg(min_len = 1, max_len = 200)]
        text: String,
        /// The file or directory to search, from the root; everything if left out.
        path: Option<String>,
    ) -> Result<Matches, FilesError> {
        let path = RootPath::new(path.as_deref().unwrap_or(""))?;
        search::search(&self.root, &text, &path, &self.options)
    }

    /// Tells what a path is: kind, bytes, date of the last change, and the lines of a small text file.
    #[tool(
        blocking,
        read_only,
        idempotent,
        example(ask = "How big is Cargo.lock?", args = { path: "Cargo.lock" }),
        example(ask = "When was README.md last changed?", args = { path: "README.md" }),
        example(ask = "How many lines does src/lib.rs have?", args = { path: "src/lib.rs" }),
        example(ask = "Is docs a file or a directory?", args = { path: "docs" })
    )]
    pub fn info(
        &self,
        /// The file or directory, from the root.
        path: String,
    ) -> Result<Info, FilesError> {
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

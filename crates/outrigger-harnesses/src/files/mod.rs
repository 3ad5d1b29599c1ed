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
        example(ask = "List the files.", args = {}),
        example(ask = "What is inside the tests folder?", args = { path: "tests" }),
        example(ask = "Show the directory assets/images", args = { path: "assets/images" }),
        example(ask = "Which folders are here?", args = {}),
        example(ask = "ls lib", args = { path: "lib" }),
        example(ask = "What do we have in the current directory?", args = {}),
        example(ask = "Let me see all that vendor/js contains", args = { path: "vendor/js" })
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
        example(ask = "Read main.py", args = { path: "main.py" }),
        example(ask = "What does the file LICENSE.txt say?", args = { path: "LICENSE.txt" }),
        example(ask = "Give me 5 lines of data/users.csv", args = { path: "data/users.csv", lines: 5 }),
        example(ask = "Show src/app.js from line 10", args = { path: "src/app.js", from_line: 10 }),
        example(ask = "Display the text of package.json", args = { path: "package.json" }),
        example(ask = "Open the file docs/intro.md", args = { path: "docs/intro.md" }),
        example(ask = "I want to see the content of style.css", args = { path: "style.css" })
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
        example(ask = "Search for the word license", args = { text: "license" }),
        example(ask = "Which files contain parse_args?", args = { text: "parse_args" }),
        example(ask = "Look for FIXME in the lib folder", args = { text: "FIXME", path: "lib" }),
        example(ask = "Where does the name Config appear?", args = { text: "Config" }),
        example(ask = "grep main in examples", args = { text: "main", path: "examples" }),
        example(ask = "Who uses open_socket?", args = { text: "open_socket" })
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
        example(ask = "What is the size of photo.png?", args = { path: "photo.png" }),
        example(ask = "How large is the file old/backup.tar.gz?", args = { path: "old/backup.tar.gz" }),
        example(ask = "When did somebody edit notes.md?", args = { path: "notes.md" }),
        example(ask = "What kind of thing is build, a folder?", args = { path: "build" }),
        example(ask = "Does config.yaml exist?", args = { path: "config.yaml" }),
        example(ask = "How many bytes has server.log?", args = { path: "server.log" }),
        example(ask = "When was setup.cfg modified?", args = { path: "setup.cfg" })
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

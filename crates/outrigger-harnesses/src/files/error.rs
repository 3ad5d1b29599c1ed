use std::io;

/// Why a file operation has no result. Each text is written for the model that asked; paths in it
/// are those that came, never the place of the root on the machine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilesError {
    /// The directory given as root cannot be opened. This one is for the host.
    #[error(
        "the root `{root}` cannot be opened as a directory ({source}): give a directory that exists and is readable"
    )]
    Root {
        /// The root as it was given.
        root: String,
        /// The reason.
        source: io::Error,
    },
    /// An absolute path.
    #[error(
        "`{path}` is an absolute path: paths start at the root directory, which is the limit; write `{relative}`, or `.` for the root"
    )]
    Absolute {
        /// The path that came.
        path: String,
        /// The same path from the root.
        relative: String,
    },
    /// A path that leads outside, by `..` or through a link.
    #[error(
        "`{path}` leads outside the root directory, which is the limit: use a path below it, without `..` beyond the root and without links that leave it"
    )]
    Outside {
        /// The path that came.
        path: String,
    },
    /// A path no file can have.
    #[error("`{path}` cannot be a path: it needs at most {limit} bytes and no NUL character")]
    InvalidPath {
        /// The beginning of what came.
        path: String,
        /// Bytes a path may have.
        limit: usize,
    },
    /// Nothing there.
    #[error("`{path}` does not exist{}", did_you_mean(.nearest.as_ref()))]
    NotFound {
        /// The path that came.
        path: String,
        /// A name in the same directory that is written most like it.
        nearest: Option<String>,
    },
    /// A directory where a file belongs.
    #[error("`{path}` is a directory, a file was expected: use `list` to see what is in it")]
    IsDirectory {
        /// The path that came.
        path: String,
    },
    /// A file where a directory belongs.
    #[error("`{path}` is no directory: use `read` for a file, or list the directory it is in")]
    NotDirectory {
        /// The path that came.
        path: String,
    },
    /// A device, a pipe or a socket.
    #[error("`{path}` is a {kind}, only regular files can be read")]
    Special {
        /// The path that came.
        path: String,
        /// What it is.
        kind: &'static str,
    },
    /// A file that is not text.
    #[error("`{path}` is a binary file of {size} bytes, only text can be read: use `info` for its size and date")]
    Binary {
        /// The path that came.
        path: String,
        /// Bytes of the file.
        size: u64,
    },
    /// A first line behind the end of the file.
    #[error("`{path}` has {lines} lines, line {from_line} was asked for: use `from_line` from 1 to {lines}")]
    BehindTheEnd {
        /// The path that came.
        path: String,
        /// The first line asked for.
        from_line: u32,
        /// Lines the file has.
        lines: u64,
    },
    /// A first line so far behind that the file would be read for too long.
    #[error(
        "line {from_line} of `{path}` lies behind the first {limit} bytes, which is as far as a file is read: ask for an earlier line or use `search`"
    )]
    TooFar {
        /// The path that came.
        path: String,
        /// The first line asked for.
        from_line: u32,
        /// Bytes that are read at most.
        limit: u64,
    },
    /// `from_line` or `lines` was zero.
    #[error("`{argument}` is 0: lines count from 1")]
    Zero {
        /// The argument.
        argument: &'static str,
    },
    /// A text to search for that no line can contain.
    #[error(
        "the text to search for has {found} characters: give 1 to {limit} on one line, as they stand in the file; patterns are not understood"
    )]
    SearchText {
        /// Characters that came.
        found: usize,
        /// Characters accepted.
        limit: usize,
    },
    /// The system refused.
    #[error("`{path}` cannot be read: {source}")]
    Io {
        /// The path that came.
        path: String,
        /// The reason.
        source: io::Error,
    },
}

fn did_you_mean(nearest: Option<&String>) -> String {
    nearest.map_or_else(|| ": use `list` to see what is there".to_owned(), |name| format!("; did you mean `{name}`?"))
}

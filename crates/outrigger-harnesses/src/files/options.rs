use std::time::Duration;

/// The bounds of a [`Files`](super::Files) harness. Every result stays within them and says what
/// was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilesOptions {
    /// Entries `list` shows. Default 200.
    pub max_entries: usize,
    /// Bytes of text `read` returns. Default 64 KiB (65,536).
    pub max_read_bytes: usize,
    /// Bytes of one line `read` returns; the rest is cut. Default 2,000.
    pub max_line_bytes: usize,
    /// Bytes of a file `read` goes through to reach a line, and to count the lines behind.
    /// Default 64 MiB (67,108,864).
    pub max_scan_bytes: u64,
    /// Matching lines `search` returns. Default 100.
    pub max_matches: usize,
    /// Files `search` opens. Default 20,000.
    pub max_search_files: usize,
    /// Bytes `search` reads in all. Default 256 MiB (268,435,456).
    pub max_search_bytes: u64,
    /// Directories below each other that `search` enters. Default 32.
    pub max_depth: usize,
    /// Time `search` takes. Default 10 seconds.
    pub max_search_time: Duration,
}

impl Default for FilesOptions {
    fn default() -> Self {
        Self {
            max_entries: 200,
            max_read_bytes: 64 * 1024,
            max_line_bytes: 2_000,
            max_scan_bytes: 64 * 1024 * 1024,
            max_matches: 100,
            max_search_files: 20_000,
            max_search_bytes: 256 * 1024 * 1024,
            max_depth: 32,
            max_search_time: Duration::from_secs(10),
        }
    }
}

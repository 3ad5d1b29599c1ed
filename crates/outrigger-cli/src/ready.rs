//! The ready harnesses as `Harness`. This module goes when they are that themselves.

use outrigger::harness;
use outrigger::harnesses::{self, calculator, clock, files};

pub(crate) struct Calculator(pub(crate) harnesses::Calculator);
pub(crate) struct Clock(pub(crate) harnesses::Clock);
pub(crate) struct Files(pub(crate) harnesses::Files);

/// Exact arithmetic.
#[harness(name = "Calculator", vis = pub(crate))]
impl Calculator {
    /// Calculates an arithmetic expression exactly: + - * / ^ % !, percentages (`12.5% of 640`), functions (sqrt, round,
    /// log, sin, min, max, …) and units (`5 km to miles`). A result that is not exact begins with `approx.`.
    #[tool(read_only, blocking)]
    fn calculate(
        &self,
        /// The expression, such as `(3 + 4) * 5` or `12.5% of 640`.
        expression: String,
    ) -> Result<calculator::Answer, calculator::CalculatorError> {
        self.0.calculate(expression)
    }
}

/// The current date and time.
#[harness(name = "Clock", vis = pub(crate))]
impl Clock {
    /// Tells the current date, time and weekday, in a time zone if one is named.
    #[tool(read_only)]
    fn now(
        &self,
        /// The IANA name of the zone, such as `Europe/Paris`; the local zone if left out.
        time_zone: Option<String>,
    ) -> Result<clock::Now, clock::ClockError> {
        self.0.now(time_zone)
    }
}

/// Files below one directory, to be listed, read and searched.
#[harness(name = "Files", vis = pub(crate))]
impl Files {
    /// Lists a directory: names in order, `/` behind a directory, the bytes behind a file.
    #[tool(read_only, blocking)]
    fn list(
        &self,
        /// The directory, from the root; the root itself if left out.
        path: Option<String>,
    ) -> Result<files::Listing, files::FilesError> {
        self.0.list(path)
    }

    /// Reads lines of a text file. A note at the end says which lines they are and where to go on.
    #[tool(read_only, blocking)]
    fn read(
        &self,
        /// The file, from the root.
        path: String,
        /// The first line, counted from 1; 1 if left out.
        #[arg(min = 1)]
        from_line: Option<u32>,
        /// How many lines; as many as fit into 64 KiB if left out.
        #[arg(min = 1)]
        lines: Option<u32>,
    ) -> Result<files::Excerpt, files::FilesError> {
        self.0.read(path, from_line, lines)
    }

    /// Finds the lines that contain a text, as `path:line: text`. Capital letters in the text make case count. Patterns
    /// are not understood.
    #[tool(read_only, blocking)]
    fn search(
        &self,
        /// The text as it stands in the file, on one line.
        #[arg(min_len = 1, max_len = 200)]
        text: String,
        /// The file or directory to search, from the root; everything if left out.
        path: Option<String>,
    ) -> Result<files::Matches, files::FilesError> {
        self.0.search(text, path)
    }

    /// Tells what a path is: its kind, bytes, date of change, and the lines of a small text file.
    #[tool(read_only, blocking)]
    fn info(
        &self,
        /// The file or directory, from the root.
        path: String,
    ) -> Result<files::Info, files::FilesError> {
        self.0.info(path)
    }
}

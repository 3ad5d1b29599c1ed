//! Threads as files that carry them between stores: JSON Lines, a header and then one record a line, exactly as it is
//! stored.

use std::io::{self, BufRead, Write};

use outrigger_core::session::{ContentHash, Damage, Lineage, Restore, Store, StoreError, ThreadInfo, ThreadKey};
use outrigger_core::transcript::{Envelope, Text, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the first line of a file says it is.
pub const FORMAT: &str = "outrigger.thread";

/// The version files are written in.
pub const VERSION: u64 = 1;

/// The most bytes of a line.
pub const MAX_LINE: usize = 64 << 20;

/// A thread out of a store.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadFile {
    /// The thread it was.
    pub key: ThreadKey,
    /// One JSON text a record.
    pub lines: Vec<Text>,
    /// What a host kept beside it.
    pub metadata: Value,
    /// What it was forked from. The records that it shared are among the lines.
    pub lineage: Option<Lineage>,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u64,
    #[serde(flatten)]
    key: ThreadKey,
    records: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<String>,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    metadata: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lineage: Option<Lineage>,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// A line is not what it should be.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The file cannot be read or written.
    #[error("line {line}: {error}")]
    Io {
        /// The line, from 1.
        line: u64,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The store did not do its part.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ThreadFile {
    /// Takes a thread out of a store, where it stays. One that is damaged is taken as far as it is consistent.
    ///
    /// # Errors
    /// When there is no such thread, or the store cannot read it.
    pub async fn export(store: &dyn Store, key: &ThreadKey) -> Result<(Self, Option<Damage>), StoreError> {
        let info = store.info(key).await?.ok_or_else(|| StoreError::NoThread { key: key.clone() })?;
        let lines = store.lines(key).await?;
        let ThreadInfo { key, metadata, lineage, .. } = info;
        Ok((Self { key, lines: lines.lines, metadata, lineage }, lines.damage))
    }

    /// Puts the thread into a store, under its own name or another. The thread must not exist there. Where it was forked
    /// from is not kept: its records are its own now.
    ///
    /// # Errors
    /// When there is such a thread, or the store cannot take it; then nothing of it is there.
    pub async fn import(
        self,
        store: &dyn Store,
        name: Option<ThreadKey>,
        now: Timestamp,
    ) -> Result<ThreadInfo, StoreError> {
        let key = name.unwrap_or(self.key);
        store.restore(Restore { key, lines: self.lines, metadata: self.metadata, time: now }).await
    }

    /// Writes the file.
    ///
    /// # Errors
    /// When it cannot be written; with the line.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), TransferError> {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            key: self.key.clone(),
            records: self.lines.len() as u64,
            check: Some(check(&self.lines)),
            metadata: self.metadata.clone(),
            lineage: self.lineage.clone(),
        };
        let header = serde_json::to_string(&header).map_err(|error| at(1, error.to_string()))?;
        let lines = std::iter::once(header.as_str()).chain(self.lines.iter().map(|line| &**line));
        for (number, line) in (1..).zip(lines) {
            writeln!(out, "{line}").map_err(|error| TransferError::Io { line: number, error })?;
        }
        out.flush().map_err(|error| TransferError::Io { line: 1, error })
    }

    /// Reads a file and checks all of it: the header, that every line is a record, that none is missing, and that they
    /// are those that were written.
    ///
    /// # Errors
    /// The first line that is wrong, and what is wrong with it.
    pub fn read(input: &mut dyn BufRead) -> Result<Self, TransferError> {
        let first = next_line(input, 1)?.ok_or_else(|| at(1, "the file is empty".to_owned()))?;
        let header = header(&first)?;
        let mut lines: Vec<Text> = Vec::new();
        let mut number = 2;
        while let Some(line) = next_line(input, number)? {
            if lines.len() as u64 >= header.records {
                return Err(at(
                    number,
                    format!("the header says {} records, and here is another line", header.records),
                ));
            }
            if let Err(error) = serde_json::from_str::<Envelope>(&line) {
                return Err(at(number, format!("this is no record: {error}")));
            }
            lines.push(line.into());
            number = number.saturating_add(1);
        }
        if (lines.len() as u64) < header.records {
            let (wanted, found) = (header.records, lines.len());
            return Err(at(number, format!("the header says {wanted} records, and the file ends after {found}")));
        }
        if header.check.is_some_and(|written| written != check(&lines)) {
            let problem = "the lines are not those that were exported: they were edited, moved or exchanged. To import \
                           them as they are, take `check` out of the header";
            return Err(at(1, problem.to_owned()));
        }
        Ok(Self { key: header.key, lines, metadata: header.metadata, lineage: header.lineage })
    }
}

fn header(line: &str) -> Result<Header, TransferError> {
    #[derive(Deserialize)]
    struct Kind {
        format: String,
        version: u64,
    }
    let no_header = |error: serde_json::Error| {
        at(1, format!("this is no header: {error}. A thread's file begins with {{\"format\":\"{FORMAT}\", …}}"))
    };
    let kind: Kind = serde_json::from_str(line).map_err(no_header)?;
    if kind.format != FORMAT {
        return Err(at(1, format!("the format is {:?}, expected {FORMAT:?}", kind.format)));
    }
    if kind.version > VERSION {
        let found = kind.version;
        return Err(at(
            1,
            format!("the format has version {found} and this program knows up to {VERSION}: use a newer program"),
        ));
    }
    serde_json::from_str(line).map_err(no_header)
}

fn at(line: u64, problem: String) -> TransferError {
    TransferError::Line { line, problem }
}

/// The SHA-256 of the lines as they stand in the file.
fn check(lines: &[Text]) -> String {
    let length = lines.iter().map(|line| line.len().saturating_add(1)).sum();
    let mut all = Vec::with_capacity(length);
    for line in lines {
        all.extend_from_slice(line.as_bytes());
        all.push(b'\n');
    }
    ContentHash::of(&all).to_string()
}

/// The next line without its end; nothing at the end of the file.
fn next_line(input: &mut dyn BufRead, number: u64) -> Result<Option<String>, TransferError> {
    let mut line = Vec::new();
    let most = MAX_LINE as u64 + 2;
    let read = io::Read::take(input, most).read_until(b'\n', &mut line);
    if read.map_err(|error| TransferError::Io { line: number, error })? == 0 {
        return Ok(None);
    }
    for end in [b'\n', b'\r'] {
        if line.last() == Some(&end) {
            line.pop();
        }
    }
    if line.len() > MAX_LINE {
        return Err(at(number, format!("the line is longer than {MAX_LINE} bytes")));
    }
    String::from_utf8(line).map(Some).map_err(|error| at(number, format!("this is not text: {}", error.utf8_error())))
}

//! What the model says, as it comes.

use std::io::{self, Write};

use crate::output::style::Tone;
use crate::output::text::harmless;

/// Before each line of reasoning, so that it is told apart without colours too.
const THOUGHT: &str = "~ ";

/// Prints text and reasoning as they come.
pub(super) struct Speech {
    is_terminal: bool,
    line: Line,
}

/// What the line that is printed on holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Empty,
    Text,
    Thought,
}

impl Speech {
    pub(super) fn new(is_terminal: bool) -> Self {
        Self { is_terminal, line: Line::Empty }
    }

    /// Text, on standard output.
    pub(super) fn say(&mut self, text: &str) -> io::Result<()> {
        let text = if self.is_terminal { harmless(text) } else { text.to_owned() };
        if text.is_empty() {
            return Ok(());
        }
        if self.line == Line::Thought {
            self.end_line()?;
        }
        self.line = if text.ends_with('\n') { Line::Empty } else { Line::Text };
        print(&text)
    }

    /// Reasoning, quietly, on standard error.
    pub(super) fn think(&mut self, text: &str) -> io::Result<()> {
        if self.line == Line::Text {
            self.end_line()?;
        }
        let mut told = String::new();
        for line in harmless(text).split_inclusive('\n') {
            // Empty lines between thoughts are only room.
            if self.line == Line::Empty && line.trim().is_empty() {
                continue;
            }
            if self.line == Line::Empty {
                told.push_str(&Tone::Quiet.paint_stderr(THOUGHT));
            }
            told.push_str(&Tone::Quiet.paint_stderr(line.trim_end_matches('\n')));
            self.line = Line::Thought;
            if line.ends_with('\n') {
                told.push('\n');
                self.line = Line::Empty;
            }
        }
        let mut out = io::stderr().lock();
        // Where nobody reads, there is nobody to tell.
        drop(out.write_all(told.as_bytes()).and_then(|()| out.flush()));
        Ok(())
    }

    /// Ends the line that is printed on, if one is.
    pub(super) fn end_line(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.line, Line::Empty) {
            Line::Empty => Ok(()),
            Line::Text => print("\n"),
            Line::Thought => {
                drop(io::stderr().lock().write_all(b"\n"));
                Ok(())
            }
        }
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

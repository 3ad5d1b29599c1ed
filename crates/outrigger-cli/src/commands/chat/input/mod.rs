//! What a person or a program says, line by line.

mod editor;
mod history;
mod plain;

use std::io::{self, IsTerminal};

use tokio::sync::mpsc;

/// The most bytes of one message.
const MAX_SAID: usize = 1 << 20;

/// What came.
#[derive(Debug)]
pub(super) enum Said {
    /// A message or a command, without the line break at its end.
    Line(String),
    /// Ctrl-C, typed where it is no signal.
    Interrupted {
        /// Whether it only threw away what was typed.
        discarded: bool,
    },
    /// Nothing more will come.
    End,
    /// It cannot be read.
    Failed(io::Error),
}

/// Where lines come from: a terminal with an editor, or anything plain.
pub(super) struct Input {
    source: Source,
    /// Whether the editor was asked and has not answered yet.
    asked: bool,
    replies: mpsc::Receiver<Said>,
}

enum Source {
    Editor(std::sync::mpsc::Sender<()>),
    Plain { prompts: bool },
}

impl Input {
    /// An editor where a person sits at a terminal that can be edited on; else lines as they come.
    pub(super) fn open() -> Self {
        let person = io::stdin().is_terminal();
        if person && io::stdout().is_terminal() && editor::can_edit() {
            let (ask, replies) = editor::start();
            return Self { source: Source::Editor(ask), asked: false, replies };
        }
        let prompts = person && io::stderr().is_terminal();
        Self { source: Source::Plain { prompts }, asked: false, replies: plain::start(person) }
    }

    /// Whether lines are edited, so that there are keys to tell of.
    pub(super) fn is_edited(&self) -> bool {
        matches!(self.source, Source::Editor(_))
    }

    /// Waits for what is said next. Cancelling it loses nothing.
    pub(super) async fn next(&mut self) -> Said {
        if !self.asked {
            match &self.source {
                Source::Editor(ask) if ask.send(()).is_err() => return Said::End,
                Source::Editor(_) => self.asked = true,
                Source::Plain { prompts: true } => plain::prompt(),
                Source::Plain { prompts: false } => {}
            }
        }
        let said = self.replies.recv().await.unwrap_or(Said::End);
        self.asked = false;
        said
    }
}

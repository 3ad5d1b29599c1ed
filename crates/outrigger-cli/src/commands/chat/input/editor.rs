//! Lines typed at a terminal, with rustyline.
//!
//! rustyline rather than reedline: it asks the terminal nothing (reedline waits for an answer to where the cursor is,
//! which pipes, multiplexers and tests do not always give), keeps its history by itself, and has a third of the
//! dependencies.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use outrigger::models::PROVIDERS;
use rustyline::completion::Completer;
use rustyline::config::BellStyle;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{
    Behavior, Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Editor, Event, EventContext,
    EventHandler, Helper, KeyCode, KeyEvent, Modifiers, RepeatCount,
};
use tokio::sync::mpsc;

use super::history::{self, KEPT, LONGEST};
use super::{MAX_SAID, Said};
use crate::commands::chat::commands::COMMANDS;
use crate::output::note;
use crate::setup::reason;

/// What stands before what is typed.
const PROMPT: &str = "> ";

/// Terminals that cannot move their cursor.
const PLAIN_TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];

type Lines = Editor<Completion, FileHistory>;

/// Whether the terminal can be edited on.
pub(super) fn can_edit() -> bool {
    let kind = std::env::var("TERM").unwrap_or_default();
    !PLAIN_TERMINALS.iter().any(|plain| plain.eq_ignore_ascii_case(&kind))
}

/// Starts an editor on a thread of its own: reading blocks. It reads a message each time it is asked, so that the
/// terminal is the program's while a turn goes on.
pub(super) fn start() -> (std::sync::mpsc::Sender<()>, mpsc::Receiver<Said>) {
    let (ask, asked) = std::sync::mpsc::channel::<()>();
    let (tell, replies) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut typed = match Typed::new() {
            Ok(typed) => typed,
            Err(error) => {
                drop(tell.blocking_send(failed(error)));
                return;
            }
        };
        while asked.recv().is_ok() {
            if tell.blocking_send(typed.next()).is_err() {
                return;
            }
        }
    });
    (ask, replies)
}

/// What is typed, and where it is kept.
struct Typed {
    lines: Lines,
    history: Option<PathBuf>,
    discarded: Arc<AtomicBool>,
    begun: Begun,
}

impl Typed {
    fn new() -> rustyline::Result<Self> {
        let config = Config::builder()
            .max_history_size(KEPT)?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .color_mode(ColorMode::Disabled)
            .bell_style(BellStyle::None)
            .behavior(Behavior::Stdio)
            .build();
        let mut lines = Lines::with_config(config)?;
        lines.set_helper(Some(Completion));
        let discarded = Arc::new(AtomicBool::new(false));
        let begun = Begun::default();
        let goes_on = GoesOn { begun: Arc::clone(&begun) };
        let key = |code, modifiers| KeyEvent(code, modifiers);
        lines.bind_sequence(key(KeyCode::Enter, Modifiers::ALT), EventHandler::Simple(Cmd::Newline));
        lines.bind_sequence(key(KeyCode::Enter, Modifiers::NONE), EventHandler::Conditional(Box::new(goes_on)));
        let interrupt = Interrupt { discarded: Arc::clone(&discarded) };
        lines.bind_sequence(KeyEvent::ctrl('C'), EventHandler::Conditional(Box::new(interrupt)));
        let history = history::path().and_then(|path| open_history(&mut lines, path));
        Ok(Self { lines, history, discarded, begun })
    }

    fn next(&mut self) -> Said {
        lock(&self.begun).clear();
        let read = self.lines.readline(PROMPT).map(|line| without_backslashes(&line, &lock(&self.begun)));
        match read {
            Ok(line) if line.len() > MAX_SAID => {
                let message = format!("a message has at most {MAX_SAID} bytes, and this one has {}", line.len());
                note(&message);
                Said::Line(String::new())
            }
            Ok(line) => {
                self.keep(&line);
                Said::Line(line)
            }
            Err(ReadlineError::Interrupted) => Said::Interrupted { discarded: self.discarded.load(Ordering::SeqCst) },
            Err(ReadlineError::Eof) => Said::End,
            Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                note("what was typed is not UTF-8 text");
                Said::Line(String::new())
            }
            Err(error) => failed(error),
        }
    }

    /// Keeps a message for the arrow keys. One that cannot be kept is no reason to stop talking.
    fn keep(&mut self, line: &str) {
        if line.trim().is_empty() || line.len() > LONGEST {
            return;
        }
        let added = self.lines.add_history_entry(line);
        let Some(path) = self.history.clone().filter(|_| added.is_ok_and(|added| added)) else { return };
        if let Err(error) = self.lines.append_history(&path) {
            self.history = None;
            note(&format!("what is said is no longer kept in {}: {error}", path.display()));
        }
    }
}

fn open_history(lines: &mut Lines, path: PathBuf) -> Option<PathBuf> {
    let opened = history::prepare(&path).map_err(|error| reason(&error));
    let opened = opened.and_then(|()| lines.load_history(&path).map_err(|error| error.to_string()));
    match opened {
        Ok(()) => Some(path),
        Err(why) => {
            note(&format!("what is said is not kept: {}: {why}", path.display()));
            None
        }
    }
}

fn failed(error: ReadlineError) -> Said {
    Said::Failed(match error {
        ReadlineError::Io(error) => error,
        other => std::io::Error::other(other),
    })
}

/// What stood before the line breaks that a backslash asked for, each with its backslash.
type Begun = Arc<Mutex<Vec<String>>>;

fn lock(begun: &Begun) -> MutexGuard<'_, Vec<String>> {
    begun.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Enter after a backslash begins a new line. The backslash stays until the message is whole, and is told from those
/// that were pasted by what stood before it.
struct GoesOn {
    begun: Begun,
}

impl ConditionalEventHandler for GoesOn {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, typed: &EventContext<'_>) -> Option<Cmd> {
        let at_end = typed.pos() == typed.line().len() && typed.line().ends_with('\\');
        at_end.then(|| {
            lock(&self.begun).push(typed.line().to_owned());
            Cmd::Newline
        })
    }
}

/// The message without the backslashes that only asked for a line break.
fn without_backslashes(line: &str, begun: &[String]) -> String {
    let asked = |at: usize| begun.iter().any(|begun| begun.len() == at.saturating_add(1) && line.starts_with(begun));
    let breaks = |at: usize| line.get(at..).is_some_and(|rest| rest.starts_with("\\\n"));
    line.char_indices().filter(|(at, c)| *c != '\\' || !breaks(*at) || !asked(*at)).map(|(_, c)| c).collect()
}

/// Ctrl-C throws away what was typed, and says whether there was any.
struct Interrupt {
    discarded: Arc<AtomicBool>,
}

impl ConditionalEventHandler for Interrupt {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, typed: &EventContext<'_>) -> Option<Cmd> {
        self.discarded.store(!typed.line().is_empty(), Ordering::SeqCst);
        Some(Cmd::Interrupt)
    }
}

/// Completes commands, and the providers that `/model` takes.
struct Completion;

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Validator for Completion {}

impl Hinter for Completion {
    type Hint = String;
}

impl Completer for Completion {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete(line.get(..at).unwrap_or_default()))
    }
}

/// What may stand at the end of `typed`, and where there it would begin.
fn complete(typed: &str) -> (usize, Vec<String>) {
    if let Some(model) = typed.strip_prefix("/model ") {
        let fits = PROVIDERS.iter().filter(|provider| provider.name.starts_with(model));
        let named = fits.map(|provider| match provider.takes.starts_with(':') {
            true => format!("{}:", provider.name),
            false => provider.name.to_owned(),
        });
        return (typed.len().saturating_sub(model.len()), named.collect());
    }
    let fits = COMMANDS.iter().map(|command| command.name).filter(|name| name.starts_with(typed));
    (0, fits.filter(|_| typed.starts_with('/')).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::{complete, without_backslashes};

    #[test]
    fn only_backslashes_that_asked_for_a_line_go() {
        let begun = ["é\\".to_owned(), "é\\\npasted\\\nb\\".to_owned(), "edited\\".to_owned()];
        assert_eq!(without_backslashes("é\\\npasted\\\nb\\\nc\\", &begun), "é\npasted\\\nb\nc\\");
    }

    #[test]
    fn commands_and_providers_are_completed() {
        assert_eq!(complete("/us"), (0, vec!["/usage".to_owned()]));
        assert_eq!(complete("/model scr"), (7, vec!["scripted:".to_owned()]));
        assert_eq!(complete("/").1.len(), 6);
        for typed in ["", "us", "/nothing", "/model x"] {
            assert!(complete(typed).1.is_empty(), "{typed:?}");
        }
    }
}

//! A run as a person sees it: the answer on standard output, what the tools do on standard error.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};

use outrigger::event::{Event, EventKind};
use outrigger::transcript::{CallId, CallStatus, Text};

use super::style::Tone;
use super::tell_aside;
use super::text::{cut, harmless, one_line};

/// The most characters of arguments or of a result that are shown.
const SHOWN: usize = 200;

/// When text is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// As it comes.
    Live,
    /// Nothing but the last message, when it is whole: what a program reads is the answer alone.
    Whole,
}

/// Tells a run's events.
pub(crate) struct Teller {
    pace: Pace,
    is_terminal: bool,
    /// Text of the iteration that is not printed yet.
    held: String,
    in_line: bool,
    /// The calls of the iteration.
    calls: HashMap<CallId, ShownCall>,
}

#[derive(Default)]
struct ShownCall {
    name: Text,
    arguments: String,
    shown: bool,
}

impl Teller {
    pub(crate) fn new(pace: Pace) -> Self {
        let is_terminal = io::stdout().is_terminal();
        Self { pace, is_terminal, held: String::new(), in_line: false, calls: HashMap::new() }
    }

    /// Tells one event.
    pub(crate) fn tell(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::IterationStarted { .. } => {
                self.put_aside();
                self.calls.clear();
            }
            EventKind::TextDelta { text, .. } => return self.text(text),
            EventKind::ToolCallStarted { call, name } => {
                self.calls.insert(call.clone(), ShownCall { name: name.clone(), ..ShownCall::default() });
            }
            EventKind::ToolCallArguments { call, delta } => {
                if let Some(call) = self.calls.get_mut(call) {
                    call.arguments.push_str(delta);
                }
            }
            EventKind::ToolCallBound { call, arguments, .. } => {
                if let Some(open) = self.calls.get_mut(call) {
                    open.arguments = arguments.to_string();
                }
                return self.call(call);
            }
            EventKind::ToolProgress { message, .. } => {
                return self.aside(&format!("… {}", short(message)), Tone::Quiet);
            }
            EventKind::ToolCallResult { call, status, content, .. } => return self.result(call, *status, content),
            EventKind::Missed { count } => return self.aside(&format!("({count} events were missed)"), Tone::Quiet),
            _ => {}
        }
        Ok(())
    }

    /// The end of the run, with the text of its last message.
    pub(crate) fn end(&mut self, answer: &str) -> io::Result<()> {
        self.held.clear();
        self.calls.clear();
        match self.pace {
            Pace::Whole if answer.is_empty() => Ok(()),
            Pace::Whole => super::print_text(answer),
            Pace::Live => self.end_line(),
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        if self.pace == Pace::Whole {
            self.held.push_str(text);
            return Ok(());
        }
        let text = if self.is_terminal { harmless(text) } else { text.to_owned() };
        if !text.is_empty() {
            self.in_line = !text.ends_with('\n');
            print(&text)?;
        }
        Ok(())
    }

    /// What was said before calls is no answer.
    fn put_aside(&mut self) {
        let said = std::mem::take(&mut self.held);
        if !said.trim().is_empty() {
            tell_aside(&Tone::Quiet.paint_stderr(&one_line(&said)));
        }
    }

    fn call(&mut self, id: &CallId) -> io::Result<()> {
        self.put_aside();
        let Some(open) = self.calls.get_mut(id).filter(|open| !open.shown) else { return Ok(()) };
        open.shown = true;
        let line = format!("→ {} {}", one_line(&open.name), short(&open.arguments));
        self.aside(&line, Tone::Quiet)
    }

    fn result(&mut self, id: &CallId, status: CallStatus, content: &str) -> io::Result<()> {
        // Arguments that did not bind are shown as they came.
        self.call(id)?;
        // Results of several calls come as they are ready, so each says whose it is.
        let name = self.calls.get(id).filter(|_| self.calls.len() > 1);
        let name = name.map(|open| format!("{}: ", one_line(&open.name))).unwrap_or_default();
        let tone = if status.is_ok() { Tone::Good } else { Tone::Bad };
        self.aside(&format!("← {name}{} {}", status.as_str(), short(content)), tone)
    }

    fn aside(&mut self, line: &str, tone: Tone) -> io::Result<()> {
        self.end_line()?;
        tell_aside(&tone.paint_stderr(line));
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.in_line) { print("\n") } else { Ok(()) }
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn short(text: &str) -> String {
    cut(&one_line(text), SHOWN)
}

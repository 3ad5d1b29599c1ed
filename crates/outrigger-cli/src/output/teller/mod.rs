//! A run as a person sees it: the answer on standard output, what the tools do on standard error.

mod calls;
mod speech;

use std::io::{self, IsTerminal};

use outrigger::event::{Event, EventKind};
use outrigger::transcript::{CallId, CallStatus, ModelName, Text};

pub(crate) use calls::{Calls, ToldCall};
use speech::Speech;

use super::style::Tone;
use super::text::{cut, fold, one_line};
use super::{columns, tell_aside};

/// The most characters of arguments or of a result that are shown where lines are not cut to a terminal.
const SHOWN: usize = 200;

/// When text is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// As it comes.
    Live,
    /// Nothing but the last message, when it is whole: what a program reads is the answer alone.
    Whole,
}

/// How much is told beside the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Calls and results.
    Brief,
    /// Reasoning as well; calls are numbered, and folded to the width of the terminal.
    Talk,
}

/// Tells the events of runs.
pub(crate) struct Teller {
    pace: Pace,
    detail: Detail,
    speech: Speech,
    /// Text of the iteration that is not printed yet.
    held: String,
    /// The attempt whose text was printed last.
    attempt: Option<Text>,
    /// Who answers.
    model: Option<ModelName>,
    calls: Calls,
}

impl Teller {
    pub(crate) fn new(pace: Pace, detail: Detail) -> Self {
        let speech = Speech::new(io::stdout().is_terminal());
        let (held, calls) = (String::new(), Calls::default());
        Self { pace, detail, speech, held, attempt: None, model: None, calls }
    }

    /// The calls that were told.
    pub(crate) fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Tells one event.
    pub(crate) fn tell(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::IterationStarted { model } => {
                self.put_aside();
                self.calls.begin_iteration();
                self.model = Some(model.clone());
                Ok(())
            }
            EventKind::TextDelta { text, .. } => self.text(text, event.span.as_ref()),
            EventKind::ReasoningDelta { text } if self.detail == Detail::Talk => self.speech.think(text),
            EventKind::ToolCallStarted { call, name } => {
                self.calls.begin(call, name);
                Ok(())
            }
            EventKind::ToolCallArguments { call, delta } => {
                if let Some((_, call)) = self.calls.find(call) {
                    call.arguments.push_str(delta);
                }
                Ok(())
            }
            EventKind::ToolCallBound { call, arguments, .. } => {
                if let Some((_, open)) = self.calls.find(call) {
                    open.arguments = arguments.to_string();
                }
                self.call(call)
            }
            EventKind::ToolProgress { message, .. } => self.aside("…", message, Tone::Quiet),
            EventKind::ToolCallResult { call, name, status, content } => self.result(call, name, *status, content),
            EventKind::Retry { kind, message, wait_ms, model, .. } => {
                self.supersede(event.span.as_ref())?;
                self.retry(kind, message, *wait_ms, model)
            }
            EventKind::Missed { count } => self.aside(&format!("({count} events were missed)"), "", Tone::Quiet),
            _ => Ok(()),
        }
    }

    /// The end of a run, with the text of its last message.
    pub(crate) fn end(&mut self, answer: &str) -> io::Result<()> {
        self.held.clear();
        self.attempt = None;
        match self.pace {
            Pace::Whole if answer.is_empty() => Ok(()),
            Pace::Whole => super::print_text(answer),
            Pace::Live => self.speech.end_line(),
        }
    }

    fn text(&mut self, text: &str, attempt: Option<&Text>) -> io::Result<()> {
        if self.pace == Pace::Whole {
            self.held.push_str(text);
            return Ok(());
        }
        if !text.is_empty() {
            self.attempt = attempt.cloned();
        }
        self.speech.say(text)
    }

    /// What was said before calls is no answer.
    fn put_aside(&mut self) {
        let said = std::mem::take(&mut self.held);
        if !said.trim().is_empty() {
            tell_aside(&Tone::Quiet.paint_stderr(&one_line(&said)));
        }
    }

    /// What a failed attempt said does not count.
    fn supersede(&mut self, attempt: Option<&Text>) -> io::Result<()> {
        self.held.clear();
        self.calls.forget_attempt();
        if attempt.is_some() && self.attempt.take().as_ref() == attempt {
            return self.aside("✗ superseded: the text above does not count", "", Tone::Bad);
        }
        Ok(())
    }

    fn retry(&mut self, kind: &str, message: &str, wait_ms: u64, model: &ModelName) -> io::Result<()> {
        let other = self.model.as_ref().is_some_and(|before| before != model);
        self.model = Some(model.clone());
        let (next, wait) = (format!("{}:{}", model.provider, model.model), seconds(wait_ms));
        let head = if other { format!("! asking {next} ({kind}):") } else { format!("! again in {wait} s ({kind}):") };
        self.aside(&head, message, Tone::Bad)
    }

    fn call(&mut self, id: &CallId) -> io::Result<()> {
        self.put_aside();
        let Some((number, call)) = self.calls.find(id).filter(|(_, call)| !call.told) else { return Ok(()) };
        call.told = true;
        let head = format!("{}→ {}", label(self.detail, number), call.name);
        let arguments = std::mem::take(&mut call.arguments);
        let told = self.aside(&head, &arguments, Tone::Quiet);
        if let Some((_, call)) = self.calls.find(id) {
            call.arguments = arguments;
        }
        told
    }

    fn result(&mut self, id: &CallId, name: &Text, status: CallStatus, content: &Text) -> io::Result<()> {
        // Its start may be among the events that were missed.
        if self.calls.find(id).is_none() {
            self.calls.begin(id, name);
        }
        // Arguments that did not bind are shown as they came.
        self.call(id)?;
        let several = self.detail == Detail::Brief && self.calls.are_several();
        let Some((number, call)) = self.calls.find(id) else { return Ok(()) };
        call.result = Some((status, Text::clone(content)));
        // Results of several calls come as they are ready, so each says whose it is.
        let name = if several { format!("{name}: ") } else { String::new() };
        let tone = if status.is_ok() { Tone::Good } else { Tone::Bad };
        self.aside(&format!("{}← {name}{}", label(self.detail, number), status.as_str()), content, tone)
    }

    fn aside(&mut self, head: &str, text: &str, tone: Tone) -> io::Result<()> {
        self.speech.end_line()?;
        let line = match self.detail {
            Detail::Talk => fold(head, text, columns()),
            Detail::Brief if text.is_empty() => one_line(head),
            Detail::Brief => format!("{} {}", one_line(head), cut(&one_line(text), SHOWN)),
        };
        tell_aside(&tone.paint_stderr(&line));
        Ok(())
    }
}

/// A call's number, where somebody can ask for it.
fn label(detail: Detail, number: usize) -> String {
    match detail {
        Detail::Talk => format!("{number} "),
        Detail::Brief => String::new(),
    }
}

/// Milliseconds as seconds, with the tenth.
fn seconds(wait_ms: u64) -> String {
    format!("{}.{}", wait_ms / 1000, wait_ms % 1000 / 100)
}

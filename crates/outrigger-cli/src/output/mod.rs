//! What is printed. Standard output holds what was asked for and nothing else; everything beside it goes to standard
//! error.

mod progress;
mod result;
mod style;
mod teller;
mod text;

use std::io::{self, Write};

use serde::Serialize;

pub(crate) use progress::watch;
pub(crate) use result::ResultLine;
use style::Tone;
pub(crate) use teller::{Pace, Teller};
pub(crate) use text::{cut, one_line};

/// A value as one line of JSON on standard output.
pub(crate) fn print_line(value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    print_bytes(&line)
}

/// A text, and a line break if it does not end in one.
pub(crate) fn print_text(text: &str) -> io::Result<()> {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    print_bytes(format!("{text}{end}").as_bytes())
}

fn print_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Something to know, on standard error.
pub(crate) fn note(text: &str) {
    say(Tone::Quiet, "note", text);
}

/// Something that is wrong, on standard error. Further lines of `text` belong to the first.
pub(crate) fn error(text: &str) {
    let mut lines = text.lines();
    say(Tone::Bad, "error", lines.next().unwrap_or_default());
    lines.for_each(|line| tell_aside(&one_line(line)));
}

fn say(tone: Tone, label: &str, line: &str) {
    tell_aside(&format!("{} {}", tone.paint_stderr(&format!("{label}:")), one_line(line)));
}

/// A line on standard error.
fn tell_aside(line: &str) {
    // Where nobody reads, there is nobody to tell.
    drop(io::stderr().lock().write_all(format!("{line}\n").as_bytes()));
}

/// A panic of a tool is its call's result, and one of the program a line: never a backtrace.
pub(crate) fn tell_panics_in_a_line() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
        error(&format!("something failed unexpectedly{place}; this is a fault of the program or of a tool"));
    }));
}

//! What is printed. Standard output holds what was asked for and nothing else; everything beside it goes to standard
//! error.

mod progress;
mod result;
mod style;
mod teller;
mod text;

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use serde::Serialize;

pub(crate) use progress::watch;
pub(crate) use result::ResultLine;
use style::Tone;
pub(crate) use teller::{Detail, Pace, Teller, ToldCall};
pub(crate) use text::{cut, fold, harmless, one_line};

/// The columns of a terminal that does not say how many it has.
const COLUMNS: usize = 80;

/// A value as one line of JSON on standard output.
pub(crate) fn print_line(value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    if io::stdout().is_terminal() {
        line = escaped(&line);
    }
    line.push('\n');
    print_bytes(line.as_bytes())
}

/// JSON leaves some control characters as they are; they stand in strings, where they can be escaped.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_control() {
            escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// A text, and a line break if it does not end in one.
pub(crate) fn print_text(text: &str) -> io::Result<()> {
    let text = if io::stdout().is_terminal() { Cow::Owned(harmless(text)) } else { Cow::Borrowed(text) };
    let end = if text.ends_with('\n') { "" } else { "\n" };
    print_bytes(format!("{text}{end}").as_bytes())
}

/// How many columns the terminal has now: standard output's, else that of standard error.
pub(crate) fn columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stdout()).or_else(|| terminal_size::terminal_size_of(io::stderr()));
    size.map_or(COLUMNS, |(terminal_size::Width(columns), _)| usize::from(columns)).max(1)
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

#[cfg(test)]
mod tests {
    use super::escaped;

    // P8: JSON need not escape all that commands a terminal.
    #[test]
    fn json_that_a_person_reads_holds_no_control_character() {
        let json = serde_json::to_string("a\u{9b}1m\u{7f}é\n").unwrap();
        assert_eq!(escaped(&json), r#""a\u009b1m\u007fé\n""#);
        assert_eq!(serde_json::from_str::<String>(&escaped(&json)).unwrap(), "a\u{9b}1m\u{7f}é\n");
    }
}

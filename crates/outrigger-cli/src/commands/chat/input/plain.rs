//! Lines of standard input as they come: from a pipe, a file, or a terminal that cannot be edited on.

use std::io::{self, BufRead, Write};

use tokio::sync::mpsc;

use super::{MAX_SAID, Said};

/// Lines that wait while a turn goes on.
const LINES: usize = 16;

/// Reads lines, on a thread of their own: reading blocks, and nothing may wait for it. Where a person types them, one
/// that ends in a backslash goes on.
pub(super) fn start(person: bool) -> mpsc::Receiver<Said> {
    let (sender, receiver) = mpsc::channel(LINES);
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let said = next(&mut input, person);
            let over = matches!(said, Said::End | Said::Failed(_));
            if sender.blocking_send(said).is_err() || over {
                return;
            }
        }
    });
    receiver
}

/// A sign that a line is waited for.
pub(super) fn prompt() {
    let mut out = io::stderr().lock();
    // Where nobody reads, there is nobody to tell.
    drop(out.write_all(b"> ").and_then(|()| out.flush()));
}

fn next(input: &mut impl BufRead, goes_on: bool) -> Said {
    let mut said = String::new();
    loop {
        let line = match line(input, MAX_SAID.saturating_sub(said.len())) {
            Ok(Some(line)) => line,
            Ok(None) if said.is_empty() => return Said::End,
            Ok(None) => return Said::Line(said),
            Err(error) => return Said::Failed(error),
        };
        match line.strip_suffix('\\').filter(|_| goes_on) {
            Some(begun) => {
                said.push_str(begun);
                said.push('\n');
            }
            None => {
                said.push_str(&line);
                return Said::Line(said);
            }
        }
    }
}

fn line(input: &mut impl BufRead, most: usize) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = io::Read::take(input, most as u64).read_until(b'\n', &mut line)?;
    let text = String::from_utf8_lossy(&line);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok((read > 0).then(|| text.strip_suffix('\r').unwrap_or(text).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, goes_on: bool) -> Vec<String> {
        let mut input = text.as_bytes();
        let lines = std::iter::from_fn(|| match next(&mut input, goes_on) {
            Said::Line(line) => Some(line),
            _ => None,
        });
        lines.collect()
    }

    #[test]
    fn a_program_says_what_it_says_and_a_person_may_go_on() {
        let text = "one\\\r\ntwo\r\n\nthree\\";
        assert_eq!(all(text, false), ["one\\", "two", "", "three\\"]);
        assert_eq!(all(text, true), ["one\ntwo", "", "three\n"]);
    }
}

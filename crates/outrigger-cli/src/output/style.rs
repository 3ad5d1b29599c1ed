//! Colours: on a terminal only, and not where `NO_COLOR` is set.

use std::io::{IsTerminal, stderr};

/// How something sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Beside the point.
    Quiet,
    /// As expected.
    Good,
    /// Not as expected.
    Bad,
}

impl Tone {
    /// The text in this tone's colour, if standard error shows colours.
    pub(crate) fn paint_stderr(self, text: &str) -> String {
        if !stderr().is_terminal() || !allowed() {
            return text.to_owned();
        }
        let code = match self {
            Self::Quiet => "2",
            Self::Good => "32",
            Self::Bad => "31",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

fn allowed() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !refused && !dumb
}

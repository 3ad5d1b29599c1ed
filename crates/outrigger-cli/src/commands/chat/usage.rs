//! Tokens, as `/usage` tells them.

use outrigger::transcript::Usage;

/// The tokens of the last turn and of the thread.
pub(super) fn table(turn: Usage, thread: Usage) -> String {
    let rows = [
        ("", "turn".to_owned(), "thread".to_owned()),
        row("input", turn.input, thread.input),
        row("cached", turn.cached, thread.cached),
        row("output", turn.output, thread.output),
        row("reasoning", turn.reasoning, thread.reasoning),
    ];
    let width = |cell: fn(&(&str, String, String)) -> usize| rows.iter().map(cell).max().unwrap_or(0);
    let (label, left, right) = (width(|row| row.0.len()), width(|row| row.1.len()), width(|row| row.2.len()));
    let lines = rows.iter().map(|(name, turn, thread)| format!("{name:<label$} {turn:>left$} {thread:>right$}\n"));
    lines.collect()
}

fn row(name: &str, turn: u64, thread: u64) -> (&str, String, String) {
    (name, turn.to_string(), thread.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    // M11: the four counts, of the turn and of the thread.
    #[test]
    fn tokens_stand_in_columns() {
        let turn = Usage { input: 120, output: 5, cached: 100, reasoning: 0 };
        let thread = Usage { input: 1_234_567, output: 80, cached: 100, reasoning: 7 };
        insta::assert_snapshot!(table(turn, thread), @"
                  turn  thread
        input      120 1234567
        cached     100     100
        output       5      80
        reasoning    0       7
        ");
    }
}

//! Texts made fit for a terminal.

use unicode_width::UnicodeWidthChar;

/// The text on one line: line breaks become spaces, and no control character is left to move a cursor.
pub(crate) fn one_line(text: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    text.trim_end().chars().filter(|c| !turns_text_around(*c)).map(shown).collect()
}

/// The first so many characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A text on one line of so many columns, after a head that is told in any case. What does not fit is folded, and
/// counted: `… +3 lines`, or `… +20` characters of a text of one line.
pub(crate) fn fold(head: &str, text: &str, columns: usize) -> String {
    let (head, line) = (one_line(head), one_line(text));
    let whole = if line.is_empty() { head } else { format!("{head} {line}") };
    if width(&whole) <= columns {
        return whole;
    }
    // The longest end there can be: what is folded is at most everything.
    let room = columns.saturating_sub(width(&end(text)));
    let shown = within(&whole, room);
    let told = shown.chars().count().saturating_sub(whole.chars().count().saturating_sub(line.chars().count()));
    let hidden: String = text.trim_end().chars().filter(|c| !turns_text_around(*c)).skip(told).collect();
    let folded = if hidden.is_empty() { whole.clone() } else { format!("{shown}{}", end(&hidden)) };
    within(&folded, columns).to_owned()
}

/// How the end of a folded text is told.
fn end(hidden: &str) -> String {
    match hidden.trim_end().lines().count() {
        0 | 1 => format!("… +{}", hidden.chars().count()),
        lines => format!("… +{lines} lines"),
    }
}

/// As much of the text as so many columns hold.
fn within(text: &str, columns: usize) -> &str {
    let mut left = columns;
    let end = text.char_indices().find_map(|(at, c)| match left.checked_sub(c.width().unwrap_or(0)) {
        Some(rest) => {
            left = rest;
            None
        }
        None => Some(at),
    });
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// Without the control characters that command a terminal; line breaks and tabs stay.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

/// Whether a character reorders what stands around it, so that a line shows what is not there.
fn turns_text_around(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // P8: what others wrote cannot command the terminal.
    #[test]
    fn escape_sequences_lose_their_escape() {
        assert_eq!(one_line("a\u{1b}[2Jb\nc\n"), "a [2Jb c");
        assert_eq!(harmless("a\u{1b}]0;x\u{7}\n\tb\u{9b}1m"), "a]0;x\n\tb1m");
        assert_eq!(one_line("rm \u{202e}fdp.exe\u{202c} x"), "rm fdp.exe x");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!((cut("é😀x", 2).as_str(), cut("é😀", 2).as_str()), ("é😀…", "é😀"));
    }

    #[test]
    fn what_is_folded_is_counted() {
        assert_eq!(fold("← ok", "42", 20), "← ok 42");
        assert_eq!(fold("← ok", "0123456789abcdef", 20), "← ok 0123456789… +6");
        assert_eq!(fold("← ok", "one two three\nfour\nfive\n", 20), "← ok one t… +3 lines");
        assert_eq!(fold("← ok", "日本語日本語日本語", 20), "← ok 日本語日本… +4");
        assert_eq!(fold("→ a_very_long_name_of_a_tool", "", 20), "→ a_very_long_name_o");
    }

    proptest! {
        #[test]
        fn a_folded_text_is_one_line_that_fits(text in any::<String>(), head in "[a-z ]{0,30}", columns in 12_usize..90) {
            let folded = fold(&head, &text, columns);
            prop_assert!(width(&folded) <= columns, "{folded:?}");
            prop_assert!(!folded.chars().any(char::is_control));
        }
    }
}

//! Texts made fit for a terminal.

/// The text on one line: line breaks become spaces, and no control character is left to move a cursor.
pub(crate) fn one_line(text: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    text.trim_end().chars().map(shown).collect()
}

/// The first so many characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Without the control characters that command a terminal; line breaks and tabs stay.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // P8: what others wrote cannot command the terminal.
    #[test]
    fn escape_sequences_lose_their_escape() {
        assert_eq!(one_line("a\u{1b}[2Jb\nc\n"), "a [2Jb c");
        assert_eq!(harmless("a\u{1b}]0;x\u{7}\n\tb\u{9b}1m"), "a]0;x\n\tb1m");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!((cut("é😀x", 2).as_str(), cut("é😀", 2).as_str()), ("é😀…", "é😀"));
    }
}

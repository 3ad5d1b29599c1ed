//! Pre-tokenization: cutting text into the pieces that merges never cross.

use regex::Regex;

use crate::error::LocalError;

const SUPPORTED: &str = "the pre-tokenizers gpt-2, smollm, llama-bpe, qwen2 and default";

/// Letters, numbers, other symbols, each with an optional leading space; contractions; runs of white space.
const GPT2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+";
const LLAMA3: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+";
const QWEN2: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+";

/// How a model's text is cut before merging.
pub(crate) struct Splitter {
    pattern: Regex,
    /// Digits are cut out first, each a piece of its own.
    single_digits: bool,
}

impl Splitter {
    /// The splitter that `tokenizer.ggml.pre` names.
    pub(crate) fn named(name: &str) -> Result<Self, LocalError> {
        let (pattern, single_digits) = match name {
            "gpt-2" | "default" => (GPT2, false),
            "smollm" => (GPT2, true),
            "llama-bpe" | "llama3" | "llama-v3" => (LLAMA3, false),
            "qwen2" => (QWEN2, false),
            other => return Err(LocalError::Tokenizer { found: other.to_owned(), supported: SUPPORTED }),
        };
        let pattern =
            Regex::new(pattern).map_err(|e| LocalError::Tokenizer { found: e.to_string(), supported: SUPPORTED })?;
        Ok(Self { pattern, single_digits })
    }

    /// Calls `piece` with every piece of `text`, in order. Together they are the text.
    pub(crate) fn split<'t>(&self, text: &'t str, mut piece: impl FnMut(&'t str)) {
        if !self.single_digits {
            return self.split_run(text, &mut piece);
        }
        let mut rest = text;
        while let Some(at) = rest.find(char::is_numeric) {
            let (run, tail) = rest.split_at(at);
            self.split_run(run, &mut piece);
            let digit = tail.chars().next().map_or(0, char::len_utf8);
            let (digit, tail) = tail.split_at(digit);
            piece(digit);
            rest = tail;
        }
        self.split_run(rest, &mut piece);
    }

    fn split_run<'t>(&self, text: &'t str, piece: &mut impl FnMut(&'t str)) {
        let mut at = 0;
        while let Some(found) = self.pattern.find_at(text, at) {
            let found = give_back_last_space(text, found.start(), found.end());
            piece(text.get(found.clone()).unwrap_or_default());
            at = found.end;
        }
    }
}

/// The published patterns say `\s+(?!\S)` before `\s+`: a run of white space leaves its last character to the word
/// that follows. The regex engine has no look-ahead, so the match is shortened here. Line ends are never given back:
/// where a pattern treats them apart, it has matched them apart.
fn give_back_last_space(text: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let matched = text.get(start..end).unwrap_or_default();
    let more_follows = end < text.len();
    if more_follows && matched.chars().all(char::is_whitespace) && !matched.ends_with(['\n', '\r']) {
        let last = matched.chars().next_back().map_or(0, char::len_utf8);
        if matched.len() > last {
            return start..end - last;
        }
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'t>(name: &str, text: &'t str) -> Vec<&'t str> {
        let mut out = Vec::new();
        Splitter::named(name).unwrap().split(text, |p| out.push(p));
        out
    }

    #[test]
    fn smollm_cuts_every_digit_and_keeps_spaces_with_words() {
        assert_eq!(
            pieces("smollm", "What is 12.5% of 640?"),
            ["What", " is", " ", "1", "2", ".", "5", "%", " of", " ", "6", "4", "0", "?"]
        );
    }

    #[test]
    fn a_run_of_spaces_leaves_one_to_the_next_word() {
        assert_eq!(pieces("gpt-2", "a   b  "), ["a", "  ", " b", "  "]);
    }

    #[test]
    fn qwen_keeps_line_ends_together() {
        assert_eq!(pieces("qwen2", "a\n\n  b"), ["a", "\n\n", " ", " b"]);
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
        let error = Splitter::named("tekken").err().unwrap().to_string();
        assert!(error.contains("tekken") && error.contains("smollm"), "{error}");
    }
}

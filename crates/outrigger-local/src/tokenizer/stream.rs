//! Text out of tokens, one at a time.

/// Gathers token bytes and gives out text as soon as it is complete: a character may be split over several tokens.
#[derive(Debug, Default)]
pub(crate) struct TextStream {
    pending: Vec<u8>,
}

impl TextStream {
    /// Takes the bytes of one token; returns the text that is complete with them.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.pending) {
                Ok(valid) => {
                    text.push_str(valid);
                    self.pending.clear();
                    return text;
                }
                Err(error) => {
                    let valid = self.pending.drain(..error.valid_up_to()).collect::<Vec<u8>>();
                    text.push_str(&String::from_utf8_lossy(&valid));
                    let Some(broken) = error.error_len() else {
                        // The start of a character whose rest is still to come.
                        return text;
                    };
                    self.pending.drain(..broken);
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
        }
    }

    /// What is left at the end of the stream: an unfinished character becomes a replacement character.
    pub(crate) fn finish(&mut self) -> String {
        let rest = String::from_utf8_lossy(&self.pending).into_owned();
        self.pending.clear();
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_split_over_tokens_comes_out_whole() {
        let mut stream = TextStream::default();
        let [a, b, c] = [&"é€".as_bytes()[..1], &"é€".as_bytes()[1..4], &"é€".as_bytes()[4..]];
        assert_eq!(stream.push(a), "");
        assert_eq!(stream.push(b), "é");
        assert_eq!(stream.push(c), "€");
        assert_eq!(stream.finish(), "");
    }

    #[test]
    fn broken_bytes_become_replacement_characters() {
        let mut stream = TextStream::default();
        assert_eq!(stream.push(b"a\xFFb\xE2\x82"), "a\u{FFFD}b");
        assert_eq!(stream.finish(), "\u{FFFD}");
    }
}

//! Decoding arguments under a grammar.

use crate::conversation::Usage;
use crate::error::LocalError;
use crate::grammar::Grammar;
use crate::session::{Session, Sink};
use crate::spans::{Cursor, Spans};
use crate::tokenizer::{TextStream, Tokenizer};

/// How long arguments may become, in tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// From here on whatever closes a string, a list or an object is taken first.
    pub(crate) closing: usize,
    /// Here the call is given up.
    pub(crate) most: usize,
}

impl Limits {
    /// A small model that writes this much has lost its way: it is brought to an end that binds.
    pub(crate) const SMALL: Self = Self { closing: 160, most: 512 };

    /// A larger model may write a whole file.
    pub(crate) const FULL: Self = Self { closing: usize::MAX, most: 16_384 };
}

/// Added to the score of what closes something, past the limit.
const CLOSING_BONUS: f32 = 100.0;

/// The decoding of one JSON text, greedily. The session stands behind what introduces it, and is left behind it.
pub(crate) struct Decoding<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) tokenizer: &'a Tokenizer,
    pub(crate) tool: &'a str,
    pub(crate) spans: Option<&'a Spans>,
    pub(crate) limits: Limits,
    pub(crate) usage: &'a mut Usage,
}

impl Decoding<'_> {
    /// Decodes, giving the text to `show` as it comes.
    pub(crate) fn run(
        &mut self,
        mut grammar: Grammar,
        show: &mut dyn FnMut(&str, &mut Sink<'_>) -> Result<(), LocalError>,
        sink: &mut Sink<'_>,
    ) -> Result<String, LocalError> {
        let mut cursor = Cursor::new();
        let mut stream = TextStream::default();
        let mut arguments = String::new();
        let mut tokens = 0;
        while tokens < self.limits.most {
            let forced = grammar.forced();
            let next = if !forced.is_empty() {
                self.usage.forced += forced.len();
                forced
            } else if grammar.is_finished() {
                return Ok(arguments);
            } else {
                let token = self.pick(&mut grammar, &cursor, tokens >= self.limits.closing)?;
                if self.tokenizer.is_end(token) {
                    return Ok(arguments);
                }
                grammar.follow(token)?;
                vec![token]
            };
            tokens += next.len();
            self.usage.generated += next.len();
            for &token in &next {
                let bytes = self.tokenizer.bytes(token);
                cursor.push(bytes);
                let text = stream.push(bytes);
                show(&text, sink)?;
                arguments.push_str(&text);
            }
            self.session.feed(&next, sink)?;
        }
        Err(LocalError::ArgumentsTooLong { tool: self.tool.to_owned(), limit: self.limits.most })
    }

    /// The best token that the grammar allows.
    fn pick(&self, grammar: &mut Grammar, cursor: &Cursor, closing: bool) -> Result<u32, LocalError> {
        let allowed = grammar.allowed()?;
        let logits = self.session.logits()?;
        let open = self.spans.and_then(|spans| spans.open(cursor));
        let mut best = (f32::NEG_INFINITY, self.tokenizer.end());
        for token in allowed.iter() {
            let Some(&logit) = logits.get(token as usize) else { continue };
            let bytes = self.tokenizer.bytes(token);
            let mut score = logit + open.as_ref().map_or(0.0, |open| open.bonus(bytes));
            // A quote closes only where a string is being written; elsewhere it would open one.
            if closing && bytes.first().is_some_and(|b| if cursor.in_text() { *b == b'"' } else { b"]}".contains(b) }) {
                score += CLOSING_BONUS;
            }
            if score > best.0 {
                best = (score, token);
            }
        }
        Ok(best.1)
    }
}

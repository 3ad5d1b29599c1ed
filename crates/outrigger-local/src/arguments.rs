//! Decoding arguments under a grammar.

use crate::conversation::Usage;
use crate::error::LocalError;
use crate::grammar::Grammar;
use crate::session::{Session, Sink};
use crate::spans::{Cursor, Spans};
use crate::tokenizer::{TextStream, Tokenizer};

/// Arguments longer than this, in tokens, are given up.
const LIMIT: usize = 2048;

/// Decodes one JSON text, greedily, and gives it to `show` as it comes. The session stands behind what introduces it, and is left behind it.
pub(crate) fn decode(
    session: &mut Session,
    tokenizer: &Tokenizer,
    mut grammar: Grammar,
    tool: &str,
    spans: Option<&Spans>,
    usage: &mut Usage,
    show: &mut dyn FnMut(&str, &mut Sink<'_>) -> Result<(), LocalError>,
    sink: &mut Sink<'_>,
) -> Result<String, LocalError> {
    let mut cursor = Cursor::new();
    let mut stream = TextStream::default();
    let mut arguments = String::new();
    let mut tokens = 0;
    while tokens < LIMIT {
        let forced = grammar.forced();
        let next = if !forced.is_empty() {
            usage.forced += forced.len();
            forced
        } else if grammar.is_finished() {
            return Ok(arguments);
        } else {
            let token = pick(session, tokenizer, &mut grammar, spans, &cursor)?;
            if tokenizer.is_end(token) {
                return Ok(arguments);
            }
            grammar.follow(token)?;
            vec![token]
        };
        tokens += next.len();
        usage.generated += next.len();
        for &token in &next {
            let bytes = tokenizer.bytes(token);
            cursor.push(bytes);
            let text = stream.push(bytes);
            show(&text, sink)?;
            arguments.push_str(&text);
        }
        session.feed(&next, sink)?;
    }
    Err(LocalError::ArgumentsTooLong { tool: tool.to_owned(), limit: LIMIT })
}

/// The best token that the grammar allows.
fn pick(
    session: &Session,
    tokenizer: &Tokenizer,
    grammar: &mut Grammar,
    spans: Option<&Spans>,
    cursor: &Cursor,
) -> Result<u32, LocalError> {
    let allowed = grammar.allowed()?;
    let logits = session.logits()?;
    let open = spans.and_then(|spans| spans.open(cursor));
    let mut best = (f32::NEG_INFINITY, tokenizer.end());
    for token in allowed.iter() {
        let Some(&logit) = logits.get(token as usize) else { continue };
        let bonus = open.as_ref().map_or(0.0, |open| open.bonus(tokenizer.bytes(token)));
        if logit + bonus > best.0 {
            best = (logit + bonus, token);
        }
    }
    Ok(best.1)
}

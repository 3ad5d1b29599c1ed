//! Decoding free text.

use crate::conversation::{End, Usage};
use crate::error::LocalError;
use crate::session::{Session, Sink};
use crate::tokenizer::{TextStream, Tokenizer};

/// Divides the score of tokens that the answer has used lately: small models fall into loops under greedy decoding.
const REPETITION_PENALTY: f32 = 1.15;

/// How far back the penalty looks, in tokens.
const REPETITION_WINDOW: usize = 64;

/// Decodes text greedily until the turn ends, `take` wants no more, or `limit` tokens were made.
pub(crate) fn decode(
    session: &mut Session,
    tokenizer: &Tokenizer,
    limit: usize,
    usage: &mut Usage,
    sink: &mut Sink<'_>,
    take: &mut dyn FnMut(&str, &mut Sink<'_>) -> Result<Wish, LocalError>,
) -> Result<End, LocalError> {
    let mut stream = TextStream::default();
    let mut made: Vec<u32> = Vec::new();
    while made.len() < limit {
        let token = pick(&session.logits()?, &made);
        if tokenizer.is_end(token) {
            take(&stream.finish(), sink)?;
            return Ok(End::Complete);
        }
        made.push(token);
        usage.generated += 1;
        // The token is read even if it is the last: the session must stand behind what has been said.
        session.feed(&[token], sink)?;
        if take(&stream.push(tokenizer.bytes(token)), sink)? == Wish::Stop {
            return Ok(End::Complete);
        }
    }
    take(&stream.finish(), sink)?;
    Ok(End::Limit)
}

/// Whether the receiver of text wants more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    More,
    Stop,
}

fn pick(logits: &[f32], made: &[u32]) -> u32 {
    let recent = made.get(made.len().saturating_sub(REPETITION_WINDOW)..).unwrap_or_default();
    let mut best = (f32::NEG_INFINITY, 0);
    for (token, &logit) in (0u32..).zip(logits) {
        // Checked last: most tokens are out of the running before the penalty is looked up.
        if logit > best.0 {
            let logit = if recent.contains(&token) { penalised(logit) } else { logit };
            if logit > best.0 {
                best = (logit, token);
            }
        }
    }
    best.1
}

fn penalised(logit: f32) -> f32 {
    if logit > 0.0 { logit / REPETITION_PENALTY } else { logit * REPETITION_PENALTY }
}

//! Scoring alternatives that are spelled in tokens: the names of tools.

use crate::error::LocalError;
use crate::math;
use crate::session::{Session, Sink};

/// The log probability of each alternative, given that one of them comes next.
///
/// Only the tokens where alternatives part are scored; what they share is followed without being asked about, as under
/// a grammar of nothing but the alternatives. The session is left where it was.
pub(crate) fn score(session: &mut Session, names: &[Vec<u32>], sink: &mut Sink<'_>) -> Result<Vec<f32>, LocalError> {
    let mut scores = vec![0.0; names.len()];
    let all: Vec<usize> = (0..names.len()).collect();
    part(session, names, &all, 0, &mut scores, sink)?;
    Ok(scores)
}

fn part(
    session: &mut Session,
    names: &[Vec<u32>],
    group: &[usize],
    depth: usize,
    scores: &mut [f32],
    sink: &mut Sink<'_>,
) -> Result<(), LocalError> {
    let token_of = |name: usize| names.get(name).and_then(|tokens| tokens.get(depth)).copied();
    let mut tokens: Vec<u32> = group.iter().filter_map(|&name| token_of(name)).collect();
    tokens.sort_unstable();
    tokens.dedup();
    if group.len() < 2 || tokens.is_empty() {
        return Ok(());
    }
    let logits = session.logits()?;
    let logit = |token: u32| logits.get(token as usize).copied().unwrap_or(f32::NEG_INFINITY);
    let total = math::log_sum_exp(tokens.iter().map(|&t| logit(t)));
    let mark = session.mark();
    for &token in &tokens {
        let shared: Vec<usize> = group.iter().copied().filter(|&name| token_of(name) == Some(token)).collect();
        for &name in &shared {
            if let Some(score) = scores.get_mut(name) {
                *score += logit(token) - total;
            }
        }
        if shared.len() > 1 {
            session.feed(&[token], sink)?;
            part(session, names, &shared, depth + 1, scores, sink)?;
            session.rewind(&mark);
        }
    }
    Ok(())
}

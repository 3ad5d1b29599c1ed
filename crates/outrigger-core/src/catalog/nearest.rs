//! The names nearest to one that does not exist.

use crate::transcript::Text;

/// How many names are offered.
const OFFERED: usize = 3;

/// The nearest names, nearest first; none that differs in more than a third of its letters.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a Text>) -> Vec<Text> {
    let wanted = name.to_lowercase();
    let mut scored: Vec<(usize, &Text)> = names
        .map(|candidate| (strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| distance.saturating_mul(3) <= candidate.len().max(wanted.len()))
        .collect();
    scored.sort();
    scored.into_iter().take(OFFERED).map(|(_, name)| name.clone()).collect()
}

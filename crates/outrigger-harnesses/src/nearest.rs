//! Which known name a misspelt one most likely means.

/// The candidates nearest to `written`, best first, at most `count`: by edit distance after case
/// folding, and only those within a third of the length.
pub(crate) fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let written: Vec<char> = written.to_lowercase().chars().take(64).collect();
    let allowed = (written.len() / 3).max(1);
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|candidate| (distance(&written, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(count).map(|(_, candidate)| candidate).collect()
}

/// Levenshtein distance, one row at a time.
fn distance(left: &[char], right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut diagonal = i;
        let mut before = i.saturating_add(1);
        let mut next = vec![before];
        for (b, above) in right.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal.saturating_add(usize::from(a != b));
            diagonal = *above;
            before = replaced.min(above.saturating_add(1)).min(before.saturating_add(1));
            next.push(before);
        }
        row = next;
    }
    row.last().copied().unwrap_or(left.len())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_comes_first_and_far_ones_never() {
        let names = ["sqrt", "sin", "Europe/Paris", "Europe/Prague"];
        assert_eq!(nearest("sqr", names, 3), ["sqrt"]);
        assert_eq!(nearest("europe/pari", names, 1), ["Europe/Paris"]);
        assert_eq!(nearest("banana", names, 3), [""; 0]);
    }
}

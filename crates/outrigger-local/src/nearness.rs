//! How near two questions are, by the runs of characters they share.

use std::collections::HashMap;

/// Lengths of the runs that are compared.
const RUNS: std::ops::RangeInclusive<usize> = 2..=4;

/// Weighted runs of a text.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    weights: HashMap<Vec<char>, f32>,
    norm: f32,
}

/// A collection of texts whose rare runs count more than common ones.
#[derive(Debug)]
pub(crate) struct Corpus {
    texts: f32,
    occurrences: HashMap<Vec<char>, f32>,
}

impl Corpus {
    pub(crate) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut corpus = Self { texts: 0.0, occurrences: HashMap::new() };
        for text in texts {
            corpus.texts += 1.0;
            for run in counts(text).into_keys() {
                *corpus.occurrences.entry(run).or_default() += 1.0;
            }
        }
        corpus
    }

    pub(crate) fn profile(&self, text: &str) -> Profile {
        let mut weights = counts(text);
        for (run, weight) in &mut weights {
            let seen = self.occurrences.get(run).copied().unwrap_or_default();
            *weight = (1.0 + weight.ln()) * ((self.texts + 1.0) / (seen + 1.0)).ln().max(0.05);
        }
        let norm = weights.values().map(|w| w * w).sum::<f32>().sqrt();
        Profile { weights, norm }
    }
}

impl Profile {
    /// From 0, nothing shared, to 1, the same.
    pub(crate) fn nearness(&self, other: &Self) -> f32 {
        let (few, many) = if self.weights.len() < other.weights.len() { (self, other) } else { (other, self) };
        let shared: f32 = few.weights.iter().filter_map(|(run, w)| Some(w * many.weights.get(run)?)).sum();
        let scale = self.norm * other.norm;
        if scale > 0.0 { shared / scale } else { 0.0 }
    }
}

/// The runs of a text, folded: lower case, single spaces, and its edges marked by spaces.
fn counts(text: &str) -> HashMap<Vec<char>, f32> {
    let mut chars = vec![' '];
    for word in text.split_whitespace() {
        chars.extend(fold(word));
        chars.push(' ');
    }
    let mut counts = HashMap::new();
    for length in RUNS {
        for run in chars.windows(length) {
            *counts.entry(run.to_vec()).or_default() += 1.0;
        }
    }
    counts
}

/// A word as it is compared. Names of things are as good as any other of their kind: the question is that a file
/// stands there, not which. So file names, paths, identifiers and digits each become a mark, and ordinary words stay.
fn fold(word: &str) -> Vec<char> {
    let mark = match Kind::of(word) {
        Kind::File => '\u{E001}',
        Kind::Path => '\u{E002}',
        Kind::Name => '\u{E003}',
        Kind::Plain => {
            let folded = word.chars().flat_map(char::to_lowercase);
            return folded.map(|c| if c.is_numeric() { '0' } else { c }).collect();
        }
    };
    // Doubled, so that the mark alone makes runs; what follows it, such as a question mark, still counts.
    let after = word.rsplit(|c: char| c.is_alphanumeric()).next().unwrap_or_default();
    [mark, mark].into_iter().chain(after.chars()).collect()
}

/// What a word looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// With an extension: `a.txt`, `src/a.txt`.
    File,
    /// With a slash: `src/a`, `Europe/Berlin`.
    Path,
    /// With an underscore: `parse_args`.
    Name,
    /// Any other word or number.
    Plain,
}

impl Kind {
    pub(crate) fn of(word: &str) -> Self {
        let core = word.trim_matches(|c: char| !c.is_alphanumeric());
        let extension =
            core.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && (1..6).contains(&end.len()));
        match () {
            () if !core.contains(char::is_alphabetic) => Self::Plain,
            () if extension => Self::File,
            () if core.contains(['/', '\\']) => Self::Path,
            () if core.contains('_') => Self::Name,
            () => Self::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_text_shares_the_rare_words() {
        let texts = ["What is the size of photo.png?", "What is the time?", "What is 3 + 4?"];
        let corpus = Corpus::new(texts.iter().copied());
        let question = corpus.profile("What is the size of a.zip?");
        let nearest = |a: &str, b: &str| question.nearness(&corpus.profile(a)) > question.nearness(&corpus.profile(b));
        assert!(nearest(texts[0], texts[1]) && nearest(texts[1], texts[2]));
    }

    #[test]
    fn a_text_is_nearest_to_itself() {
        let corpus = Corpus::new(["a b", "c d"].into_iter());
        assert!((corpus.profile("a b").nearness(&corpus.profile("a b")) - 1.0).abs() < 1e-6);
        assert!(corpus.profile("").nearness(&corpus.profile("a b")).abs() < 1.0);
    }
}

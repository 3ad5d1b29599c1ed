//! Byte-pair merging.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::alphabet;

/// Vocabulary and merge ranks, over the byte-level alphabet.
pub(crate) struct Merges {
    /// The token of each single byte. Some vocabularies lack bytes that no UTF-8 text has, or that their training never
    /// saw; those are left out of the encoding, as the model's own tokenizer leaves them out.
    bytes: Vec<Option<u32>>,
    /// For a pair of adjacent tokens: the rank of its merge (lower first) and the token it makes.
    pairs: HashMap<(u32, u32), (u32, u32)>,
}

impl Merges {
    /// `merges` are lines of two space-separated vocabulary entries, best first. Lines that name unknown entries are
    /// skipped: they can never apply. Nothing if the vocabulary lacks an ASCII letter: it is of some other kind then.
    pub(crate) fn new(vocabulary: &HashMap<&str, u32>, merges: &[&str]) -> Option<Self> {
        let token = |byte: u8| vocabulary.get(&*alphabet::char_of(byte).encode_utf8(&mut [0; 4])).copied();
        if !(b'a'..=b'z').all(|letter| token(letter).is_some()) {
            return None;
        }
        let bytes = (0..=u8::MAX).map(token).collect();
        let mut pairs = HashMap::with_capacity(merges.len());
        let mut joined = String::new();
        for (rank, merge) in (0u32..).zip(merges) {
            let Some((left, right)) = merge.split_once(' ') else { continue };
            joined.clear();
            joined.push_str(left);
            joined.push_str(right);
            if let (Some(&l), Some(&r), Some(&made)) =
                (vocabulary.get(left), vocabulary.get(right), vocabulary.get(joined.as_str()))
            {
                pairs.entry((l, r)).or_insert((rank, made));
            }
        }
        Some(Self { bytes, pairs })
    }

    /// Appends the tokens of one piece. A heap of candidate merges keeps long pieces from costing quadratic time.
    pub(crate) fn encode(&self, piece: &[u8], out: &mut Vec<u32>) {
        let tokens = piece.iter().filter_map(|&byte| *self.bytes.get(usize::from(byte))?);
        let mut symbols: Vec<Symbol> = tokens
            .enumerate()
            .map(|(at, token)| Symbol { token: Some(token), previous: at.checked_sub(1), next: Some(at + 1) })
            .collect();
        if let Some(last) = symbols.last_mut() {
            last.next = None;
        }
        let mut candidates = BinaryHeap::new();
        for at in 0..symbols.len() {
            self.propose(&symbols, at, &mut candidates);
        }
        while let Some(Reverse((_, at, left, right, made))) = candidates.pop() {
            let Some(second) = next_of(&symbols, at) else { continue };
            // A candidate is stale when either side has been merged since it was proposed.
            if token_of(&symbols, at) != Some(left) || token_of(&symbols, second) != Some(right) {
                continue;
            }
            let after = next_of(&symbols, second);
            if let Some(symbol) = symbols.get_mut(second) {
                symbol.token = None;
            }
            if let Some(symbol) = symbols.get_mut(at) {
                symbol.token = Some(made);
                symbol.next = after;
            }
            if let Some(symbol) = after.and_then(|a| symbols.get_mut(a)) {
                symbol.previous = Some(at);
            }
            self.propose(&symbols, at, &mut candidates);
            if let Some(previous) = symbols.get(at).and_then(|s| s.previous) {
                self.propose(&symbols, previous, &mut candidates);
            }
        }
        out.extend(symbols.iter().filter_map(|s| s.token));
    }

    fn propose(&self, symbols: &[Symbol], at: usize, candidates: &mut BinaryHeap<Candidate>) {
        let pair = || Some((token_of(symbols, at)?, token_of(symbols, next_of(symbols, at)?)?));
        if let Some((left, right)) = pair()
            && let Some(&(rank, made)) = self.pairs.get(&(left, right))
        {
            candidates.push(Reverse((rank, at, left, right, made)));
        }
    }
}

/// A merge that may be made, the best rank first and then the leftmost: rank, place, the two tokens, and what they make.
type Candidate = Reverse<(u32, usize, u32, u32, u32)>;

/// A live token of the piece, or a hole left by a merge.
struct Symbol {
    token: Option<u32>,
    previous: Option<usize>,
    next: Option<usize>,
}

fn token_of(symbols: &[Symbol], at: usize) -> Option<u32> {
    symbols.get(at)?.token
}

fn next_of(symbols: &[Symbol], at: usize) -> Option<usize> {
    symbols.get(at)?.next
}

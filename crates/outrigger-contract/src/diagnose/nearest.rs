//! The name someone probably meant.

/// Whether two names are the same but for case and separators: `cityName`, `city_name`, `City-Name`.
pub(crate) fn same_but_case(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return folded_ascii(a).eq(folded_ascii(b));
    }
    folded(a).eq(folded(b))
}

fn folded_ascii(name: &str) -> impl Iterator<Item = u8> {
    let letters = name.bytes().filter(|byte| !is_separator(char::from(*byte)));
    letters.map(|byte| byte.to_ascii_lowercase())
}

fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !is_separator(*c)).flat_map(char::to_lowercase)
}

fn is_separator(c: char) -> bool {
    matches!(c, '_' | '-' | ' ')
}

/// Names beyond this are not compared: the cost grows with the square of the length.
const MAX_LEN: usize = 48;

/// The nearest of some names by edit distance, or else the one that differs only in case; the first of equals.
pub(crate) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted_chars = Chars::of(wanted)?;
    let mut best: Option<(usize, &str)> = None;
    let mut cased = None;
    for name in names {
        if cased.is_none() && same_but_case(wanted, name) {
            cased = Some(name);
        }
        let Some(chars) = Chars::of(name) else {
            continue;
        };
        let near = wanted_chars.len.max(chars.len).div_ceil(3);
        if chars.len.abs_diff(wanted_chars.len) > near {
            continue;
        }
        let distance = distance(wanted_chars.as_slice(), chars.as_slice());
        if distance <= near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name).or(cased)
}

/// The names nearest to one that does not exist, nearest first and at most `most`: by edit distance without regard to
/// case, none that differs in more than a third of its characters. For texts such as «did you mean …?».
#[must_use]
pub fn nearest_names<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let folded = |name: &str| Chars::of(&name.to_lowercase());
    let Some(wanted) = folded(wanted) else { return Vec::new() };
    let scored = names.into_iter().filter_map(|name| {
        let chars = folded(name)?;
        let near = (wanted.len.max(chars.len) / 3).max(1);
        let distance = distance(wanted.as_slice(), chars.as_slice());
        (distance <= near).then_some((distance, name))
    });
    let mut scored: Vec<(usize, &str)> = scored.collect();
    scored.sort_unstable();
    scored.dedup();
    scored.into_iter().take(most).map(|(_, name)| name).collect()
}

/// The characters of a short name.
struct Chars {
    chars: [char; MAX_LEN],
    len: usize,
}

impl Chars {
    fn of(name: &str) -> Option<Self> {
        let mut chars = ['\0'; MAX_LEN];
        let mut len = 0;
        for c in name.chars() {
            *chars.get_mut(len)? = c;
            len += 1;
        }
        Some(Self { chars, len })
    }

    fn as_slice(&self) -> &[char] {
        self.chars.get(..self.len).unwrap_or_default()
    }
}

/// Edits that make one name of the other: insertions, deletions, replacements, and swaps of neighbours. Both are at
/// most [`MAX_LEN`] long, so that no count passes a byte.
fn distance(a: &[char], b: &[char]) -> usize {
    type Row = [u8; MAX_LEN + 1];
    let at = |row: &Row, index: usize| row.get(index).copied().unwrap_or(u8::MAX / 2);
    let mut before: Row = [0; MAX_LEN + 1];
    let mut above: Row = [0; MAX_LEN + 1];
    for (slot, count) in above.iter_mut().zip(0..) {
        *slot = count;
    }
    let mut a_last = None;
    for (&ca, deleted) in a.iter().zip(1_u8..) {
        let mut row: Row = [0; MAX_LEN + 1];
        let mut left = deleted;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        let mut b_last = None;
        for (j, &cb) in b.iter().enumerate() {
            let replaced = at(&above, j) + u8::from(ca != cb);
            let mut least = replaced.min(at(&above, j + 1) + 1).min(left + 1);
            if a_last == Some(cb) && b_last == Some(ca) && j > 0 {
                least = least.min(at(&before, j - 1) + 1);
            }
            if let Some(slot) = row.get_mut(j + 1) {
                *slot = least;
            }
            left = least;
            b_last = Some(cb);
        }
        before = above;
        above = row;
        a_last = Some(ca);
    }
    at(&above, b.len()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(wanted: &str) -> Option<&'static str> {
        nearest(wanted, ["city", "country", "unit", "max_results"].into_iter())
    }

    #[test]
    fn several_names_come_nearest_first_and_far_ones_never() {
        let names = ["sqrt", "sin", "Europe/Paris", "Europe/Prague", "sqr"];
        assert_eq!(nearest_names("sqr", names, 3), ["sqr", "sqrt"]);
        assert_eq!(nearest_names("europe/pari", names, 1), ["Europe/Paris"]);
        assert_eq!(nearest_names("banana", names, 3), [""; 0]);
    }

    #[test]
    fn edit_distance_comes_first_then_case() {
        assert_eq!(near("citty"), Some("city"));
        assert_eq!(near("ctiy"), Some("city"));
        assert_eq!(near("CITY"), Some("city"));
        assert_eq!(near("MaxResults"), Some("max_results"));
        assert_eq!(near("temperature"), None);
    }

    #[test]
    fn a_swap_is_one_edit() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("abc"), &chars("")), 3);
        assert_eq!(distance(&chars("unit"), &chars("nuit")), 1);
        assert_eq!(distance(&chars(""), &chars("abc")), 3);
        assert_eq!(distance(&chars("kitten"), &chars("sitting")), 3);
    }
}

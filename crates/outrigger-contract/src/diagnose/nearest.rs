//! The name someone probably meant.

/// Whether two names are the same but for case and separators: `cityName`, `city_name`, `City-Name`.
pub(crate) fn same_but_case(a: &str, b: &str) -> bool {
    folded(a).eq(folded(b))
}

fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase)
}

/// The nearest of some names by edit distance, or else the one that differs only in case; the first of equals.
pub(crate) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted_chars: Vec<char> = wanted.chars().take(MAX_LEN + 1).collect();
    if wanted_chars.len() > MAX_LEN {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    let mut cased = None;
    for name in names {
        if cased.is_none() && same_but_case(wanted, name) {
            cased = Some(name);
        }
        let chars: Vec<char> = name.chars().take(MAX_LEN + 1).collect();
        let near = wanted_chars.len().max(chars.len()).div_ceil(3);
        if chars.len().abs_diff(wanted_chars.len()) > near {
            continue;
        }
        let distance = distance(&wanted_chars, &chars);
        if distance <= near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name).or(cased)
}

/// Names beyond this are not compared: the cost grows with the square of the length.
const MAX_LEN: usize = 64;

/// Edits that make one name of the other: insertions, deletions, replacements, and swaps of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut a_last = None;
    for (i, &ca) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        let mut b_last = None;
        for (j, &cb) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&above, j) + usize::from(ca != cb);
            let mut least = replaced.min(at(&above, j + 1) + 1).min(at(&row, j) + 1);
            if a_last == Some(cb) && b_last == Some(ca) && j > 0 {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
            b_last = Some(cb);
        }
        before = above;
        above = row;
        a_last = Some(ca);
    }
    above.last().copied().unwrap_or(a.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(wanted: &str) -> Option<&'static str> {
        nearest(wanted, ["city", "country", "unit", "max_results"].into_iter())
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
        assert_eq!(distance(&chars("unit"), &chars("nuit")), 1);
        assert_eq!(distance(&chars(""), &chars("abc")), 3);
        assert_eq!(distance(&chars("kitten"), &chars("sitting")), 3);
    }
}

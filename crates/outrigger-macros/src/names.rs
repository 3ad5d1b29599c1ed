//! Names: the rule they follow, and how Rust's become ours.

use proc_macro2::Ident;
use syn::ext::IdentExt;

/// The rule for names that a model sees, in words.
pub(crate) const RULE: &str = "a name is a letter or `_`, then at most 63 letters, digits, `_` or `-` (all ASCII)";

/// Whether a name matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
pub(crate) fn is_valid(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-')
}

/// The name without `r#`.
pub(crate) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

/// `current_weather` as `CurrentWeather`.
pub(crate) fn camel(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.split('_').map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_rule() {
        for good in ["a", "_", "read-file", "A9", &"x".repeat(64)] {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["", "9a", "-a", "a.b", "größe", "a b", &"x".repeat(65)] {
            assert!(!is_valid(bad), "{bad}");
        }
    }

    #[test]
    fn method_names_become_type_names() {
        assert_eq!(camel("current"), "Current");
        assert_eq!(camel("read_file_2"), "ReadFile2");
        assert_eq!(camel("_hidden__thing"), "HiddenThing");
    }
}

//! Doc comments as text.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of an item's doc comments as rustdoc reads it: lines joined, the indentation they share removed, blank
/// lines at both ends dropped. Empty if there are none.
pub(crate) fn text(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes.iter().filter_map(line).flat_map(|text| lines_of(&text)).collect();
    let indent = |line: &String| line.chars().take_while(|letter| *letter == ' ').count();
    let shared = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
    let lines: Vec<String> =
        lines.iter().map(|line| line.chars().skip(shared).collect::<String>().trim_end().to_owned()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// Whether the attribute is a doc comment.
pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// The text of one `#[doc = "…"]`.
fn line(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if is_doc(attribute) => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// Lines of one comment, without the column of stars that block comments are often drawn with.
fn lines_of(text: &str) -> Vec<String> {
    let starred = text.lines().count() > 1
        && text.lines().skip(1).all(|line| line.trim().is_empty() || line.trim_start().starts_with('*'));
    let line = |(index, line): (usize, &str)| match line.trim_start().strip_prefix('*') {
        Some(rest) if starred && index > 0 => rest.to_owned(),
        _ => line.to_owned(),
    };
    if text.is_empty() { vec![String::new()] } else { text.lines().enumerate().map(line).collect() }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn lines_are_joined_and_their_common_indentation_removed() {
        let item: syn::ItemStruct = parse_quote! {
            ///
            /// Gets the weather.
            ///
            ///   - indented
            #[allow(dead_code)]
            struct S;
        };
        assert_eq!(text(&item.attrs), "Gets the weather.\n\n  - indented");
    }

    #[test]
    fn the_stars_of_a_block_comment_go() {
        let item: syn::ItemStruct = parse_quote! {
            /** First line.
             * Second line.
             */
            struct S;
        };
        assert_eq!(text(&item.attrs), "First line.\nSecond line.");
    }
}

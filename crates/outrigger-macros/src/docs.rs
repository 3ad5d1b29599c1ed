//! Doc comments as text.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of an item's doc comments for a model: the lines of a paragraph joined, lists and code kept as they are, the
/// indentation that all share and blank lines at both ends dropped. Empty if there are none.
pub(crate) fn text(attributes: &[Attribute]) -> String {
    let mut out = String::new();
    let mut in_code = false;
    for line in lines(attributes) {
        let fence = line.trim_start().starts_with("```");
        let apart = in_code || fence || line.is_empty() || begins_block(&line) || out.ends_with('\n');
        if !out.is_empty() {
            out.push(if apart { '\n' } else { ' ' });
        }
        out.push_str(&line);
        in_code ^= fence;
    }
    out.trim_end().to_owned()
}

/// The same text, if there is any.
pub(crate) fn description(attributes: &[Attribute]) -> Option<String> {
    Some(text(attributes)).filter(|text| !text.is_empty())
}

/// All lines, from the first that is not blank.
fn lines(attributes: &[Attribute]) -> impl Iterator<Item = String> {
    let lines: Vec<String> = attributes.iter().filter_map(line).flat_map(|text| lines_of(&text)).collect();
    let indent = |line: &String| line.chars().take_while(|letter| *letter == ' ').count();
    let shared = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
    let cut = move |line: String| line.chars().skip(shared).collect::<String>().trim_end().to_owned();
    lines.into_iter().map(cut).skip_while(String::is_empty)
}

/// Whether a line cannot go on in the paragraph before it.
fn begins_block(line: &str) -> bool {
    let indented = line.starts_with("    ");
    let line = line.trim_start();
    let numbered = line
        .split_once(". ")
        .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    indented || numbered || ["- ", "* ", "#", "> ", "| "].iter().any(|mark| line.starts_with(mark))
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
    fn paragraphs_are_joined_and_lists_are_kept() {
        let item: syn::ItemStruct = parse_quote! {
            ///
            /// Gets the weather
            /// for a city.
            ///
            /// Either
            /// - a name
            ///   - indented
            /// 2. a code
            /// ```text
            /// as
            ///   it is
            /// ```
            #[allow(dead_code)]
            struct S;
        };
        assert_eq!(
            text(&item.attrs),
            "Gets the weather for a city.\n\nEither\n- a name\n  - indented\n2. a code\n```text\nas\n  it is\n```"
        );
    }

    #[test]
    fn the_stars_of_a_block_comment_go() {
        let item: syn::ItemStruct = parse_quote! {
            /** First line.
             * Second line.
             */
            struct S;
        };
        assert_eq!(text(&item.attrs), "First line. Second line.");
    }
}

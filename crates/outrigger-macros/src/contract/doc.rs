//! Doc comments as descriptions.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of the doc comments: lines of a paragraph joined, lists and code kept as they are.
pub(super) fn text(attrs: &[Attribute]) -> Option<String> {
    let lines: Vec<String> = attrs.iter().filter_map(line).flat_map(|text| split(&text)).collect();
    let mut out = String::new();
    let mut in_code = false;
    for line in lines.iter().map(|line| line.trim_end()) {
        let fence = line.trim_start().starts_with("```");
        let separate = in_code || fence || line.is_empty() || begins_block(line) || out.ends_with('\n');
        if !out.is_empty() {
            out.push(if separate { '\n' } else { ' ' });
        }
        out.push_str(if in_code || fence { line } else { line.trim_start() });
        if fence {
            in_code = !in_code;
        }
    }
    let text = out.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attr.meta else {
        return None;
    };
    match &meta.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if meta.path.is_ident("doc") => Some(text.value()),
        _ => None,
    }
}

/// The lines of one attribute, without the space that a doc comment begins with.
fn split(text: &str) -> Vec<String> {
    let strip = |line: &str| line.strip_prefix(' ').unwrap_or(line).to_owned();
    text.split('\n').map(strip).collect()
}

fn begins_block(line: &str) -> bool {
    let line = line.trim_start();
    let numbered = line
        .split_once(". ")
        .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    numbered || ["- ", "* ", "# ", "## ", "> ", "| "].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(item: syn::ItemStruct) -> Option<String> {
        text(&item.attrs)
    }

    #[test]
    fn paragraphs_are_joined_and_lists_are_kept() {
        let description = of(syn::parse_quote! {
            /// The city
            /// to look up.
            ///
            /// Either
            /// - a name
            /// - a code
            struct S;
        });
        assert_eq!(description.as_deref(), Some("The city to look up.\n\nEither\n- a name\n- a code"));
    }

    #[test]
    fn an_empty_comment_is_none() {
        assert_eq!(
            of(syn::parse_quote!(
                #[doc = "  "]
                struct S;
            )),
            None
        );
    }
}

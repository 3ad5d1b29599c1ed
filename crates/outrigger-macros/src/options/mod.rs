//! The arguments of attributes: `key`, `key = value` and `key(…)`, separated by commas.

mod collapse;
mod harness;
mod tool;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitBool, LitStr, Token, parenthesized};

pub(crate) use collapse::CollapseOptions;
pub(crate) use harness::HarnessOptions;
pub(crate) use tool::ToolOptions;

use crate::errors::Errors;
use crate::nearest;

/// One argument.
pub(crate) struct Entry {
    /// What stands first.
    pub(crate) key: Ident,
    value: Value,
}

enum Value {
    Absent,
    Is(TokenStream),
    List(TokenStream),
}

/// All arguments that can be read; a bad one is reported and does not hide the others.
pub(crate) fn entries(tokens: TokenStream, errors: &mut Errors) -> Vec<Entry> {
    let parts = split(tokens);
    parts.into_iter().filter_map(|part| errors.keep(Entry::parse.parse2(part))).collect()
}

/// Cuts at commas; groups keep theirs.
fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match (&token, parts.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            (_, Some(part)) => part.extend([token]),
            (_, None) => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

impl Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input
            .call(Ident::parse_any)
            .map_err(|error| syn::Error::new(error.span(), "expected an option: `key`, `key = value` or `key(…)`"))?;
        let value = if input.is_empty() {
            Value::Absent
        } else if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Value::Is(input.parse()?)
        } else if input.peek(syn::token::Paren) {
            let content;
            parenthesized!(content in input);
            Value::List(content.parse()?)
        } else {
            return Err(input.error(format!("expected `=`, `(…)` or a comma after `{key}`")));
        };
        if input.is_empty() { Ok(Self { key, value }) } else { Err(input.error("expected a comma")) }
    }

    /// The value as a string.
    pub(crate) fn string(self) -> syn::Result<LitStr> {
        let Self { key, value } = self;
        let wanted = format!("`{key}` takes a string: `{key} = \"…\"`");
        match value {
            Value::Is(value) => syn::parse2(value.clone()).map_err(|_| at(&key, &value, wanted)),
            Value::Absent | Value::List(_) => Err(syn::Error::new(key.span(), wanted)),
        }
    }

    /// The value as a switch: the key alone means yes.
    pub(crate) fn flag(self) -> syn::Result<bool> {
        let Self { key, value } = self;
        let wanted = format!("`{key}` is a switch: `{key}`, `{key} = true` or `{key} = false`");
        match value {
            Value::Absent => Ok(true),
            Value::Is(value) => {
                syn::parse2(value.clone()).map(|value: LitBool| value.value).map_err(|_| at(&key, &value, wanted))
            }
            Value::List(_) => Err(syn::Error::new(key.span(), wanted)),
        }
    }

    /// What stands behind the equals sign.
    pub(crate) fn value(self, wanted: &str) -> syn::Result<TokenStream> {
        match self.value {
            Value::Is(value) if !value.is_empty() => Ok(value),
            _ => Err(syn::Error::new(self.key.span(), wanted)),
        }
    }

    /// What stands in the parentheses; nothing where the key stands alone.
    pub(crate) fn optional_list(self, wanted: &str) -> syn::Result<TokenStream> {
        match self.value {
            Value::List(list) => Ok(list),
            Value::Absent => Ok(TokenStream::new()),
            Value::Is(_) => Err(syn::Error::new(self.key.span(), wanted)),
        }
    }

    /// What stands in the parentheses.
    pub(crate) fn list(self, wanted: &str) -> syn::Result<TokenStream> {
        match self.value {
            Value::List(list) => Ok(list),
            _ => Err(syn::Error::new(self.key.span(), wanted)),
        }
    }

    /// The error for a key that means nothing to `attribute`.
    pub(crate) fn unknown(&self, attribute: &str, known: &[&str]) -> syn::Error {
        let name = self.key.unraw().to_string();
        let suggestion = nearest::suggestion(&name, known.iter().copied());
        let stop = if suggestion.is_empty() { "." } else { "" };
        let known = nearest::list(known.iter().copied());
        syn::Error::new(
            self.key.span(),
            format!("{attribute} has no option `{name}`{suggestion}{stop} It has: {known}"),
        )
    }
}

/// A literal with its place.
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// Fills a slot once.
pub(crate) fn set<T>(slot: &mut Option<T>, key: &Ident, value: T) -> syn::Result<()> {
    if slot.replace(value).is_none() {
        return Ok(());
    }
    Err(syn::Error::new(key.span(), format!("`{key}` is given twice")))
}

fn at(key: &Ident, value: &TokenStream, message: String) -> syn::Error {
    if value.is_empty() { syn::Error::new(key.span(), message) } else { spanned(value, message) }
}

fn spanned(tokens: impl ToTokens, message: String) -> syn::Error {
    syn::Error::new_spanned(tokens, message)
}

//! The arguments of `collapse(…)`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprLit, Ident, Lit, LitInt, LitStr, parenthesized};

use super::{Entry, entries, set};
use crate::errors::Errors;

const KNOWN: &[&str] = &["description", "result", "instructions", "lifetime", "list"];

/// What `collapse(…)` says, as written.
#[derive(Default)]
pub(crate) struct CollapseOptions {
    /// Instead of the harness's description.
    pub(crate) description: Option<LitStr>,
    /// What opening it says.
    pub(crate) result: Option<Words>,
    /// What stands in the system text while it is open.
    pub(crate) instructions: Option<Words>,
    /// How long it stays open.
    pub(crate) lifetime: Option<Lifetime>,
    /// Whether opening it lists its members.
    pub(crate) list: Option<bool>,
}

/// Text: the same always, or made by a function of the harness.
pub(crate) enum Words {
    Fixed(LitStr),
    Made(Expr),
}

/// How long a container stays open.
pub(crate) enum Lifetime {
    Turn,
    Thread,
    Idle(u32),
}

impl CollapseOptions {
    /// Reads them all; what cannot be read is reported and left out.
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut options = Self::default();
        for entry in entries(tokens, errors) {
            errors.keep(options.take(entry));
        }
        options
    }

    fn take(&mut self, entry: Entry) -> syn::Result<()> {
        let key = entry.key.clone();
        match key.to_string().as_str() {
            "description" => set(&mut self.description, &key, entry.string()?),
            "result" => set(&mut self.result, &key, Words::of(entry)?),
            "instructions" => set(&mut self.instructions, &key, Words::of(entry)?),
            "lifetime" => set(&mut self.lifetime, &key, Lifetime::of(entry)?),
            "list" => set(&mut self.list, &key, entry.flag()?),
            _ => Err(entry.unknown("`collapse(…)`", KNOWN)),
        }
    }

    /// The value of the collapse, where `self` is the harness.
    pub(crate) fn value(&self, private: &TokenStream) -> TokenStream {
        let text = |words: &Option<Words>| match words {
            None => quote!(::core::option::Option::None),
            Some(Words::Fixed(text)) => quote!(::core::option::Option::Some(#private::Text::from(#text))),
            Some(Words::Made(make)) => quote!(::core::option::Option::Some(#private::Text::from((#make)(self)))),
        };
        let description = match &self.description {
            None => quote!(::core::option::Option::None),
            Some(text) => quote!(::core::option::Option::Some(#private::Text::from(#text))),
        };
        let (result, instructions) = (text(&self.result), text(&self.instructions));
        let lifetime = match self.lifetime {
            None | Some(Lifetime::Turn) => quote!(Turn),
            Some(Lifetime::Thread) => quote!(Thread),
            Some(Lifetime::Idle(most)) => quote!(Idle(#most)),
        };
        let unlisted = self.list == Some(false);
        quote! {
            #private::Collapse {
                description: #description,
                result: #result,
                instructions: #instructions,
                lifetime: #private::Lifetime::#lifetime,
                unlisted: #unlisted,
            }
        }
    }
}

impl Words {
    fn of(entry: Entry) -> syn::Result<Self> {
        let key = entry.key.clone();
        let wanted = format!("`{key}` takes a string, or a function of the harness: `{key} = Self::words`");
        let value = entry.value(&wanted)?;
        match syn::parse2(value.clone()).map_err(|_| syn::Error::new_spanned(&value, &wanted))? {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(Self::Fixed(text)),
            Expr::Lit(_) => Err(syn::Error::new_spanned(value, wanted)),
            make => Ok(Self::Made(make)),
        }
    }
}

impl Lifetime {
    fn of(entry: Entry) -> syn::Result<Self> {
        let wanted = "`lifetime` is `turn`, `thread` or `idle(3)`: `lifetime = thread`";
        let value = entry.value(wanted)?;
        let read = |input: ParseStream<'_>| {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "turn" => Ok(Self::Turn),
                "thread" => Ok(Self::Thread),
                "idle" => {
                    let content;
                    parenthesized!(content in input);
                    let most: LitInt = content.parse()?;
                    match most.base10_parse::<u32>()? {
                        0 => Err(syn::Error::new(most.span(), "at least one iteration: `idle(1)`")),
                        most => Ok(Self::Idle(most)),
                    }
                }
                _ => Err(syn::Error::new(word.span(), wanted)),
            }
        };
        read.parse2(value.clone()).map_err(|error| {
            let told = error.to_string();
            let message = if told.starts_with("at least") { told } else { wanted.to_owned() };
            syn::Error::new_spanned(value, message)
        })
    }
}

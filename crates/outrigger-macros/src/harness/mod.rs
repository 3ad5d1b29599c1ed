//! `#[harness]`: an `impl` block read (`parse`), judged (`check`) and written out (`expand`).

mod check;
mod expand;
mod parse;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Generics, Type};

use crate::errors::Errors;
use crate::options::CollapseOptions;
use crate::tool::Tool;

/// A harness that is known to be right.
pub(crate) struct Harness {
    /// Conditions that everything generated stands under.
    pub(crate) cfgs: Vec<Attribute>,
    /// The block's own generics.
    pub(crate) generics: Generics,
    /// The type.
    pub(crate) ty: Type,
    /// The type's name.
    pub(crate) ty_name: Ident,
    /// The harness's name.
    pub(crate) name: String,
    /// What the group is for.
    pub(crate) description: String,
    /// How it collapses.
    pub(crate) collapse: Option<CollapseOptions>,
    /// Tools in order.
    pub(crate) tools: Vec<Tool>,
}

/// The block as it was, a carrier a tool, and the harness.
pub(crate) fn harness(options: TokenStream, item: TokenStream, private: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let raw = match parse::RawHarness::take(options, item.clone(), &mut errors) {
        Ok(raw) => raw,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#item #error);
        }
    };
    let block = raw.block.clone();
    let harness = check::check(raw, &mut errors);
    let generated = match harness {
        Some(harness) if errors.is_empty() => expand::expand(&harness, private),
        Some(harness) => expand::stand_in(harness, private),
        None => TokenStream::new(),
    };
    let errors = errors.to_tokens();
    quote!(#block #generated #errors)
}

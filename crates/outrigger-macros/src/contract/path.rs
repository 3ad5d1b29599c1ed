//! Where the generated code finds the contract crate.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

/// The crates that re-export what generated code needs, the one a user most likely depends on first.
const CRATES: [&str; 3] = ["outrigger", "outrigger-core", "outrigger-contract"];

/// The path to those re-exports, whatever name the crate has in the user's `Cargo.toml`.
pub(super) fn private() -> syn::Result<TokenStream> {
    for name in CRATES {
        match crate_name(name) {
            Ok(FoundCrate::Name(name)) => {
                let ident = Ident::new(&name, Span::call_site());
                return Ok(quote!(::#ident::__private));
            }
            Ok(FoundCrate::Itself) => {
                // Tests and examples of a crate see it by its own name; inside, it names itself `extern crate self`.
                let ident = Ident::new(&name.replace('-', "_"), Span::call_site());
                return Ok(quote!(::#ident::__private));
            }
            Err(_) => {}
        }
    }
    Err(syn::Error::new(
        Span::call_site(),
        "`outrigger` is not among the dependencies; name the crate that re-exports it with \
         `#[contract(crate = path::to::outrigger)]`",
    ))
}

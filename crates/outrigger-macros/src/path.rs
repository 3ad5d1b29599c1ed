//! Where generated code finds the library.

use proc_macro_crate::{Error, FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::Ident;

/// The crates that re-export what generated code needs, the one a user most likely depends on first.
const CRATES: [&str; 3] = ["outrigger", "outrigger-core", "outrigger-contract"];

/// The hidden module that generated code names everything through: the facade's where the user's crate depends on the
/// facade, whatever it is called there, and core's or the contract's in the crates below the facade.
///
/// These crates name themselves with `extern crate self as …`, so one absolute path serves in their
/// own code, tests and examples too.
///
/// # Errors
/// If the crate depends on none of them.
pub(crate) fn private() -> syn::Result<TokenStream> {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    if CRATES.contains(&package.as_str()) {
        return Ok(module(&package.replace('-', "_")));
    }
    for name in CRATES {
        match crate_name(name) {
            Ok(FoundCrate::Itself) => return Ok(module(&name.replace('-', "_"))),
            Ok(FoundCrate::Name(name)) => return Ok(module(&name)),
            Err(Error::CrateNotFound { .. }) => {}
            // Not built by cargo: then the crate goes by its own name.
            Err(_) => return Ok(module("outrigger")),
        }
    }
    Err(syn::Error::new(
        Span::call_site(),
        "`outrigger` is not among the dependencies: run `cargo add outrigger`, or name the crate that re-exports it with \
         `#[contract(crate = path::to::outrigger)]`",
    ))
}

/// The same tokens, reported at another place.
pub(crate) fn located(tokens: &TokenStream, place: Span) -> TokenStream {
    let moved = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.clone().into_iter().map(moved).collect()
}

fn module(name: &str) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    quote!(::#name::__private)
}

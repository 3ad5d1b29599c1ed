//! `#[derive(Contract)]`: parse the type and its attributes, check it as a whole, and only then generate calls into the
//! contract crate.

mod attrs;
mod case;
mod check;
mod errors;
mod expand;
mod model;
mod parse;
mod pattern;
mod rules;
mod serde;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;

use errors::Errors;

/// The implementation, or every error of the type at once.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    match expand(input) {
        Ok(tokens) => tokens,
        Err(error) => {
            let errors = error.to_compile_error();
            quote!(#errors)
        }
    }
}

fn expand(input: TokenStream) -> syn::Result<TokenStream> {
    let input: syn::DeriveInput = syn::parse2(input)?;
    let mut errors = Errors::default();
    let model = parse::model(&input, &mut errors);
    if let Some(model) = &model {
        check::model(model, &mut errors);
    }
    errors.finish()?;
    let model = model.ok_or_else(|| syn::Error::new_spanned(&input.ident, "no contract"))?;
    let root = match &model.root {
        Some(path) => quote!(#path),
        None => crate::path::private()?,
    };
    Ok(expand::implementation(&model, &root))
}

//! Every error of a type, shown together.

use proc_macro2::Span;
use quote::ToTokens;

/// Errors gathered so far. They must be finished: dropping them would hide them.
#[derive(Default)]
pub(super) struct Errors(Option<syn::Error>);

impl Errors {
    pub(super) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    pub(super) fn on(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    pub(super) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Keeps the value and puts the error aside.
    pub(super) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(super) fn finish(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

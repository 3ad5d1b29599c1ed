//! The arguments of `#[harness(…)]`.

use proc_macro2::TokenStream;
use syn::{LitStr, Visibility};

use super::{Entry, entries, set};
use crate::errors::Errors;

const KNOWN: &[&str] = &["name", "description", "vis"];

/// What `#[harness(…)]` says, as written.
#[derive(Default)]
pub(crate) struct HarnessOptions {
    /// Instead of the type's name.
    pub(crate) name: Option<LitStr>,
    /// Instead of the doc comment.
    pub(crate) description: Option<LitStr>,
    /// The visibility of the argument types.
    pub(crate) vis: Option<Visibility>,
}

impl HarnessOptions {
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
            "name" => set(&mut self.name, &key, entry.string()?),
            "description" => set(&mut self.description, &key, entry.string()?),
            "vis" => {
                let wanted = "`vis` takes a visibility: `vis = pub(crate)`";
                let value = entry.value(wanted)?;
                let vis = syn::parse2(value.clone()).map_err(|_| syn::Error::new_spanned(value, wanted))?;
                set(&mut self.vis, &key, vis)
            }
            _ => Err(entry.unknown("`#[harness]`", KNOWN)),
        }
    }
}

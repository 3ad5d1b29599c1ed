//! The arguments of `#[harness(…)]`.

use proc_macro2::TokenStream;
use syn::{LitStr, Visibility};

use super::{CollapseOptions, Entry, entries, set};
use crate::errors::Errors;

const KNOWN: &[&str] = &["name", "description", "vis", "collapse"];

/// What `#[harness(…)]` says, as written.
#[derive(Default)]
pub(crate) struct HarnessOptions {
    /// Instead of the type's name.
    pub(crate) name: Option<LitStr>,
    /// Instead of the doc comment.
    pub(crate) description: Option<LitStr>,
    /// The visibility of the argument types.
    pub(crate) vis: Option<Visibility>,
    /// How it collapses.
    pub(crate) collapse: Option<CollapseOptions>,
}

impl HarnessOptions {
    /// Reads them all; what cannot be read is reported and left out.
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut options = Self::default();
        for entry in entries(tokens, errors) {
            let taken = options.take(entry, errors);
            errors.keep(taken);
        }
        options
    }

    fn take(&mut self, entry: Entry, errors: &mut Errors) -> syn::Result<()> {
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
            "collapse" => {
                let inside =
                    entry.optional_list("`collapse` stands alone or takes options: `collapse(result = \"…\")`")?;
                set(&mut self.collapse, &key, CollapseOptions::parse(inside, errors))
            }
            _ => Err(entry.unknown("`#[harness]`", KNOWN)),
        }
    }
}

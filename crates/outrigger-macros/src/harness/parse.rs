//! What a block says, as written; its attributes are taken off on the way.

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, ImplItem, ItemImpl};

use crate::docs;
use crate::errors::Errors;
use crate::options::HarnessOptions;
use crate::tool::{RawTool, is_cfg, is_tool};

/// A block as written.
pub(crate) struct RawHarness {
    /// The block, cleaned.
    pub(crate) block: ItemImpl,
    /// `#[cfg]` attributes.
    pub(crate) cfgs: Vec<Attribute>,
    /// The doc comment.
    pub(crate) docs: String,
    /// `#[harness(…)]`.
    pub(crate) options: HarnessOptions,
    /// Tools in order.
    pub(crate) tools: Vec<RawTool>,
}

impl RawHarness {
    /// Reads a block.
    ///
    /// # Errors
    /// If the item is no `impl` block.
    pub(crate) fn take(options: TokenStream, item: TokenStream, errors: &mut Errors) -> syn::Result<Self> {
        let mut block: ItemImpl = syn::parse2(item.clone()).map_err(|error| not_a_block(&item, error))?;
        let options = HarnessOptions::parse(options, errors);
        let mut tools = Vec::new();
        for member in &mut block.items {
            match member {
                ImplItem::Fn(method) if method.attrs.iter().any(is_tool) => {
                    tools.push(RawTool::take(&mut method.attrs, &mut method.sig, TokenStream::new(), errors));
                }
                ImplItem::Const(constant) => misplaced(&mut constant.attrs, errors),
                ImplItem::Type(alias) => misplaced(&mut alias.attrs, errors),
                ImplItem::Macro(call) => misplaced(&mut call.attrs, errors),
                _ => {}
            }
        }
        let cfgs = block.attrs.iter().filter(|attribute| is_cfg(attribute)).cloned().collect();
        let docs = docs::text(&block.attrs);
        Ok(Self { block, cfgs, docs, options, tools })
    }
}

/// `#[tool]` on what is no method.
fn misplaced(attributes: &mut Vec<Attribute>, errors: &mut Errors) {
    attributes.retain(|attribute| {
        if is_tool(attribute) {
            errors.over(attribute, "`#[tool]` stands on methods");
        }
        !is_tool(attribute)
    });
}

fn not_a_block(item: &TokenStream, error: syn::Error) -> syn::Error {
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Impl(_)) | Err(_) => error,
        Ok(_) => syn::Error::new(
            Span::call_site(),
            "`#[harness]` stands on the `impl` block that holds the tools: `#[harness] impl MyTools { … }`",
        ),
    }
}

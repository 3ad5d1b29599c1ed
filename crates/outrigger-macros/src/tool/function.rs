//! `#[tool]` on a free function.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ImplItemFn, Item, ItemFn};

use super::{Owner, RawTool, Tool, carrier, check, constructor};
use crate::errors::Errors;

/// The function as it was, the carrier of its arguments, and a type of the same name that makes the tool.
pub(crate) fn function(options: TokenStream, item: TokenStream, private: &TokenStream) -> TokenStream {
    let mut function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => return misplaced(&item, &error),
    };
    let mut errors = Errors::default();
    let raw = RawTool::take(&mut function.attrs, &mut function.sig, options, &mut errors);
    let is_method = function.sig.receiver().is_some();
    let owner = Owner { harness: None, self_ty: None, generics: &[], vis: &function.vis };
    let tool = check(raw, &owner, &mut errors);
    if is_method {
        let errors = errors.to_tokens();
        return quote!(#function #errors);
    }
    let generated = if errors.is_empty() { expand(&tool, private) } else { stand_in(&tool, private) };
    let errors = errors.to_tokens();
    quote!(#function #generated #errors)
}

fn expand(tool: &Tool, private: &TokenStream) -> TokenStream {
    let Tool { function, .. } = tool;
    let harness = (&quote!(()), &quote!(::std::sync::Arc::new(())));
    let constructor = constructor(tool, harness, &quote!(#function), private);
    let carrier = carrier(tool, private);
    let namesake = namesake(tool, &constructor, private);
    quote!(#carrier #namesake)
}

/// What the rest of the program may name while the tool is wrong.
fn stand_in(tool: &Tool, private: &TokenStream) -> TokenStream {
    namesake(tool, &quote!(::std::unreachable!()), private)
}

/// A braced struct lives among the types only, so the function keeps its name among the values.
fn namesake(tool: &Tool, make: &TokenStream, private: &TokenStream) -> TokenStream {
    let Tool { cfgs, function, vis, name, .. } = tool;
    let docs = format!(" The tool `{name}`: `{function}::tool()` makes it.");
    quote! {
        #(#cfgs)*
        #[doc = #docs]
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        #vis struct #function {}

        #(#cfgs)*
        #[automatically_derived]
        impl #function {
            /// The tool.
            #[allow(dead_code, unreachable_pub, deprecated)]
            #[must_use]
            pub fn tool() -> ::std::sync::Arc<dyn #private::Tool> {
                #make
            }
        }
    }
}

/// Says where `#[tool]` may stand.
fn misplaced(item: &TokenStream, error: &syn::Error) -> TokenStream {
    let message = "`#[tool]` stands on a function, or on a method of an `impl` block with `#[harness]`";
    let error = match (syn::parse2::<Item>(item.clone()), syn::parse2::<ImplItemFn>(item.clone())) {
        (Ok(_), _) => syn::Error::new(proc_macro2::Span::call_site(), message),
        (_, Ok(method)) => syn::Error::new_spanned(
            method.sig.ident,
            "a method is a tool of a harness: put `#[harness]` on its `impl` block",
        ),
        _ => error.clone(),
    };
    let error = error.to_compile_error();
    quote!(#item #error)
}

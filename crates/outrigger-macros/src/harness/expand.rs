//! Writes a harness out.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::Harness;
use crate::tool::{Tool, carrier, constructor};

/// The carriers and the implementation of the trait.
pub(crate) fn expand(harness: &Harness, private: &TokenStream) -> TokenStream {
    let carriers = harness.tools.iter().map(|tool| carrier(tool, private));
    let implementation = implementation(harness, private);
    quote!(#(#carriers)* #implementation)
}

/// A harness without its tools: what the rest of the program may rely on while the block is wrong.
pub(crate) fn stand_in(mut harness: Harness, private: &TokenStream) -> TokenStream {
    harness.tools.clear();
    implementation(&harness, private)
}

fn implementation(harness: &Harness, private: &TokenStream) -> TokenStream {
    let Harness { cfgs, generics, ty, ty_name, name, description, collapse, tools } = harness;
    let collapse = collapse.as_ref().map(|collapse| collapse_method(&collapse.value(private), private));
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let tools = tools.iter().map(|tool| element(tool, private));
    // Whatever bounds the type does not meet are reported where the block names it.
    let head = quote_spanned!(ty_name.span()=> #private::Harness);
    quote! {
        #(#cfgs)*
        #[automatically_derived]
        impl #impl_generics #head for #ty #where_clause {
            fn name(&self) -> &str {
                #name
            }

            fn description(&self) -> &str {
                #description
            }

            #[allow(deprecated)]
            fn tools(self: ::std::sync::Arc<Self>) -> ::std::vec::Vec<::std::sync::Arc<dyn #private::Tool>> {
                let tools: [::std::sync::Arc<dyn #private::Tool>; _] = [#(#tools,)*];
                ::std::vec::Vec::from(tools)
            }

            #collapse
        }
    }
}

fn collapse_method(value: &TokenStream, private: &TokenStream) -> TokenStream {
    quote! {
        fn collapse(&self) -> ::core::option::Option<#private::Collapse> {
            ::core::option::Option::Some(#value)
        }
    }
}

fn element(tool: &Tool, private: &TokenStream) -> TokenStream {
    let Tool { cfgs, function, .. } = tool;
    let harness = (&quote!(Self), &quote!(::std::sync::Arc::clone(&self)));
    let constructor = constructor(tool, harness, &quote!(Self::#function), private);
    quote!(#(#cfgs)* #constructor)
}

//! Enums without data.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::Variant;
use super::{Cx, Parts, optional_text};

/// A string enumeration.
pub(super) fn names(cx: &Cx<'_>, variants: &[Variant]) -> TokenStream {
    let listed = variants.iter().map(|variant| {
        let (name, description) = (&variant.name, optional_text(variant.description.as_ref()));
        quote!((#name, #description))
    });
    let read = variants.iter().map(|variant| {
        let (name, ident) = (&variant.name, &variant.ident);
        quote!(#name => __c::Ok(Self::#ident),)
    });
    let write = variants.iter().map(|variant| {
        let (name, ident) = (&variant.name, &variant.ident);
        quote!(Self::#ident => #name,)
    });
    cx.contract(Parts {
        form: quote!(__c::Form::of(__c::Kinds::STRING)),
        describe: quote!(__c::names(&[#(#listed),*])),
        read: quote! {
            match &*__reader.string()? {
                #(#read)*
                _ => __c::Err(__reader.refuse(__c::Code::Enum)),
            }
        },
        write: quote! {
            __out.string(match self {
                #(#write)*
            });
        },
    })
}

//! From the model to calls into the contract crate.

mod enums;
mod field;
mod record;
mod structs;
mod unions;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Generics, Type, parse_quote};

use super::model::{Data, Model};

/// The implementation of `Contract`, and of the traits below it.
pub(super) fn implementation(model: &Model, root: &TokenStream) -> TokenStream {
    let cx = Cx::new(model);
    let items = match &model.data {
        Data::Struct(fields) => structs::named(&cx, fields),
        Data::Newtype(field) => structs::newtype(&cx, field),
        Data::Tuple(fields) => structs::tuple(&cx, fields),
        Data::Names(variants) => enums::names(&cx, variants),
        Data::Union(tagging, variants) => unions::union(&cx, tagging, variants),
    };
    quote! {
        #[doc(hidden)]
        #[allow(
            non_camel_case_types,
            non_snake_case,
            non_upper_case_globals,
            unreachable_pub,
            unused_variables,
            clippy::all,
            clippy::pedantic
        )]
        const _: () = {
            use #root as __c;
            #items
        };
    }
}

/// What all parts of one expansion share.
struct Cx<'a> {
    model: &'a Model,
    /// The type's generics, each parameter with its contract.
    generics: Generics,
}

/// The parts of `impl Contract for T`.
struct Parts {
    form: TokenStream,
    describe: TokenStream,
    read: TokenStream,
    write: TokenStream,
}

impl<'a> Cx<'a> {
    fn new(model: &'a Model) -> Self {
        let mut generics = model.generics.clone();
        for param in generics.type_params_mut() {
            param.bounds.push(parse_quote!(__c::Contract));
            param.default = None;
        }
        Self { model, generics }
    }

    /// The type with its parameters.
    fn this(&self) -> TokenStream {
        let ident = &self.model.ident;
        let (_, types, _) = self.model.generics.split_for_impl();
        quote!(#ident #types)
    }

    fn is_generic(&self) -> bool {
        self.model.generics.type_params().next().is_some() || self.model.generics.const_params().next().is_some()
    }

    fn name(&self) -> String {
        self.model.ident.to_string()
    }

    /// `impl Trait for Type`, with a body.
    fn implement(&self, path: TokenStream, body: TokenStream) -> TokenStream {
        self.implement_for(path, &self.this(), body)
    }

    fn implement_for(&self, path: TokenStream, ty: &TokenStream, body: TokenStream) -> TokenStream {
        let (generics, _, filter) = self.generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #generics #path for #ty #filter {
                #body
            }
        }
    }

    /// `impl Contract`, with the type's description, its name for recursion, and its shape kept.
    fn contract(&self, parts: Parts) -> TokenStream {
        let Parts { form, describe, read, write } = parts;
        let name = self.name();
        let described = self.model.description.as_ref().map(|text| quote!(.described(#text)));
        // A generic type's statics would be shared by all its instances.
        let shape = (!self.is_generic()).then(|| {
            quote! {
                fn shape() -> __c::Arc<__c::Shape> {
                    static SHAPE: __c::OnceLock<__c::Arc<__c::Shape>> = __c::OnceLock::new();
                    SHAPE.get_or_init(|| __c::Arc::new(__c::shape_of::<Self>())).clone()
                }
            }
        });
        self.implement(
            quote!(__c::Contract),
            quote! {
                const FORM: __c::Form = #form;

                fn describe(__shapes: &mut __c::Shapes) -> __c::Node {
                    __shapes.named::<Self>(#name, |__shapes| { #describe }#described)
                }

                #[inline]
                fn read(__reader: &mut __c::Reader<'_>, __plan: __c::Plan<'_>) -> __c::Result<Self, __c::Refused> {
                    #read
                }

                fn write(&self, __out: &mut __c::Writer) {
                    #write
                }

                #shape
            },
        )
    }

    /// A check at compile time, with a message of ours at the place it is about. Generic types are not checked: their
    /// parts are not known yet.
    fn assert(&self, span: Span, condition: TokenStream, message: &str) -> TokenStream {
        if self.is_generic() {
            return TokenStream::new();
        }
        quote::quote_spanned! {Span::call_site().located_at(span)=>
            const _: () = ::core::assert!(#condition, #message);
        }
    }
}

/// An identifier for the part with this index.
fn numbered(prefix: &str, index: usize) -> Ident {
    Ident::new(&format!("{prefix}{index}"), Span::call_site())
}

/// The place of some tokens with the names of ours: errors point there, and our own variables are found even where the
/// tokens come out of another macro.
fn here(tokens: impl Spanned) -> Span {
    Span::call_site().located_at(tokens.span())
}

/// A type as it was written, for messages.
fn written(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}

fn optional_text(text: Option<&String>) -> TokenStream {
    match text {
        Some(text) => quote!(__c::Some(#text)),
        None => quote!(__c::None),
    }
}

//! A set of named fields: what reads, makes and describes an object.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::super::model::Field;
use super::{Cx, field, here, written};

/// A set of fields and the value they make.
pub(super) struct Target<'a> {
    /// The type that implements `Record`.
    pub(super) owner: TokenStream,
    /// The type of the value.
    pub(super) output: TokenStream,
    /// What the fields are written behind to make the value.
    pub(super) constructor: TokenStream,
    /// The name of the struct that holds what has been read.
    pub(super) partial: Ident,
    pub(super) fields: &'a [Field],
}

/// `impl Record`, and the struct that holds what has been read.
pub(super) fn implementation(cx: &Cx<'_>, target: &Target<'_>) -> TokenStream {
    let Target { owner, output, partial, fields, .. } = target;
    let (generics, types, filter) = cx.generics.split_for_impl();
    let slots = active(fields).map(|(_, slot, field)| {
        let ty = slot_type(field);
        quote!(#slot: #ty)
    });
    let count = index_after(fields.iter());
    let index = index(fields);
    let start = start(fields);
    let read = read(fields);
    let finish = finish(target);
    let properties = properties(fields);
    let body = quote! {
        type Output = #output;
        type Partial = #partial #types;
        const COUNT: usize = #count;

        #[inline]
        fn index(__name: &str) -> __c::Option<usize> {
            #index
        }

        #[inline]
        fn start() -> Self::Partial {
            #partial { #start }
        }

        #[inline]
        fn field(
            __partial: &mut Self::Partial,
            __index: usize,
            __reader: &mut __c::Reader<'_>,
            __field: __c::PlanField<'_>,
        ) -> __c::Result<(), __c::Refused> {
            #read
        }

        #[inline]
        fn finish(__partial: Self::Partial, __reader: &__c::Reader<'_>) -> __c::Result<Self::Output, __c::Refused> {
            #finish
        }

        fn properties(__shapes: &mut __c::Shapes, __properties: &mut __c::Vec<__c::Property>) {
            #properties
        }
    };
    let implementation = cx.implement_for(quote!(__c::Record), owner, body);
    // A phantom keeps parameters that no field uses.
    let this = cx.this();
    quote! {
        pub struct #partial #generics #filter {
            #(#slots,)*
            __of: ::core::marker::PhantomData<fn() -> #this>,
        }
        #implementation
    }
}

/// The outside of the object, with a tag that is not among the fields.
pub(super) fn form(fields: &[Field]) -> TokenStream {
    let declared = plain(fields).map(|field| {
        let (name, required) = (&field.name, field::required(field));
        quote!(__c::Declared { name: #name, required: #required })
    });
    let flattened = fields.iter().filter(|field| field.flatten).map(|field| {
        let ty = &field.ty;
        quote_spanned!(here(ty)=> &<#ty as __c::Contract>::FORM)
    });
    quote! {
        __c::Form {
            properties: &[#(#declared),*],
            flattened: &[#(#flattened),*],
            ..__c::Form::of(__c::Kinds::OBJECT)
        }
    }
}

/// Writes each field; `value` gives a reference to it.
pub(super) fn write(fields: &[Field], value: impl Fn(&Field) -> TokenStream) -> TokenStream {
    let writes = fields.iter().filter(|field| !field.skip).map(|field| {
        let (ty, name, value) = (&field.ty, &field.name, value(field));
        if field.flatten {
            return quote_spanned!(here(ty)=> <#ty as __c::Fields>::write_fields(#value, __out););
        }
        let write = quote_spanned! {here(ty)=>
            __out.key(#name);
            <#ty as __c::Contract>::write(#value, __out);
        };
        if field.default.is_some() {
            // Absence would be read as the default.
            return write;
        }
        quote_spanned! {here(ty)=>
            if !<#ty as __c::Contract>::is_absent(#value) {
                #write
            }
        }
    });
    quote!(#(#writes)*)
}

/// What can only be checked once the types are known.
pub(super) fn assertions(cx: &Cx<'_>, fields: &[Field]) -> TokenStream {
    let mut checks = TokenStream::new();
    let own: Vec<&Field> = plain(fields).collect();
    let declared = own.iter().map(|field| {
        let name = &field.name;
        quote!(__c::Declared { name: #name, required: true })
    });
    let own = quote! {
        __c::Form { properties: &[#(#declared),*], ..__c::Form::of(__c::Kinds::OBJECT) }
    };
    let mut before = vec![own];
    for field in fields.iter().filter(|field| field.flatten) {
        let ty = &field.ty;
        let form = quote!(<#ty as __c::Contract>::FORM);
        for other in &before {
            let message = format!("a property of `{}` is there already, from `{}`", written(ty), cx.name());
            checks.extend(cx.assert(ty.span(), quote!(!(#other).shares_property(&#form)), &message));
        }
        before.push(form);
    }
    for field in fields.iter() {
        if let Some(span) = field.hideable {
            let required = field::required(field);
            let message = format!(
                "`{}` can be hidden by its condition, so it needs a value when it is: make it an `Option` or give it a \
                 `default`",
                field.name
            );
            checks.extend(cx.assert(span, quote!(!#required), &message));
        }
    }
    checks
}

/// The fields that are part of the contract, with their slots.
fn active(fields: &[Field]) -> impl Iterator<Item = (usize, Ident, &Field)> {
    let active = fields.iter().enumerate().filter(|(_, field)| !field.skip);
    active.map(|(place, field)| (place, slot(place, field), field))
}

/// The name of the slot for the field at this place.
fn slot(place: usize, field: &Field) -> Ident {
    Ident::new(&format!("f{place}"), here(&field.ty))
}

fn plain(fields: &[Field]) -> impl Iterator<Item = &Field> {
    fields.iter().filter(|field| !field.skip && !field.flatten)
}

fn slot_type(field: &Field) -> TokenStream {
    let ty = &field.ty;
    if field.flatten {
        quote_spanned!(here(ty)=> <#ty as __c::Record>::Partial)
    } else {
        quote_spanned!(here(ty)=> __c::Slot<#ty>)
    }
}

/// The number of properties of these fields, as a constant expression.
fn index_after<'a>(fields: impl Iterator<Item = &'a Field>) -> TokenStream {
    let mut own = 0_usize;
    let mut flattened = TokenStream::new();
    for field in fields.filter(|field| !field.skip) {
        if field.flatten {
            let ty = &field.ty;
            flattened.extend(quote_spanned!(here(ty)=> + <#ty as __c::Record>::COUNT));
        } else {
            own += 1;
        }
    }
    quote!(#own #flattened)
}

/// The first index of the field at this place.
fn index_of(fields: &[Field], place: usize) -> TokenStream {
    index_after(fields.iter().take(place))
}

fn index(fields: &[Field]) -> TokenStream {
    let arms = active(fields).filter(|(_, _, field)| !field.flatten).map(|(place, _, field)| {
        let (name, index) = (&field.name, index_of(fields, place));
        quote!(#name => __c::Some(#index),)
    });
    let others = active(fields).filter(|(_, _, field)| field.flatten).map(|(place, _, field)| {
        let (ty, index) = (&field.ty, index_of(fields, place));
        quote_spanned! {here(ty)=>
            if let __c::Some(__index) = <#ty as __c::Record>::index(__name) {
                return __c::Some(#index + __index);
            }
        }
    });
    quote! {
        match __name {
            #(#arms)*
            _ => {
                #(#others)*
                __c::None
            }
        }
    }
}

fn start(fields: &[Field]) -> TokenStream {
    let slots = active(fields).map(|(_, slot, field)| {
        let ty = &field.ty;
        if field.flatten {
            quote_spanned!(here(ty)=> #slot: <#ty as __c::Record>::start(),)
        } else {
            quote!(#slot: __c::Slot::Unset,)
        }
    });
    quote!(#(#slots)* __of: ::core::marker::PhantomData)
}

fn read(fields: &[Field]) -> TokenStream {
    let any_flattened = fields.iter().any(|field| field.flatten);
    let arms = active(fields).map(|(place, slot, field)| {
        let (ty, index) = (&field.ty, index_of(fields, place));
        if field.flatten {
            return quote_spanned! {here(ty)=>
                __index if __index >= #index && __index < #index + <#ty as __c::Record>::COUNT => {
                    <#ty as __c::Record>::field(&mut __partial.#slot, __index - (#index), __reader, __field)
                }
            };
        }
        let fill = match field::rules_closure(field) {
            Some(rules) => quote_spanned! {here(ty)=>
                __c::Slot::<#ty>::fill_if(&mut __partial.#slot, __reader, __field, #rules)
            },
            None => quote_spanned!(here(ty)=> __c::Slot::<#ty>::fill(&mut __partial.#slot, __reader, __field)),
        };
        if any_flattened { quote!(__index if __index == #index => #fill,) } else { quote!(#index => #fill,) }
    });
    quote! {
        match __index {
            #(#arms)*
            _ => __c::Err(__reader.refuse(__c::Code::UnknownProperty)),
        }
    }
}

fn finish(target: &Target<'_>) -> TokenStream {
    let container = field::container(target.fields);
    let values = target.fields.iter().enumerate().map(|(place, field)| {
        let (member, ty, slot) = (&field.member, &field.ty, slot(place, field));
        if field.skip {
            return quote_spanned!(here(ty)=> #member: <#ty as ::core::default::Default>::default());
        }
        if field.flatten {
            return quote_spanned!(here(ty)=> #member: <#ty as __c::Record>::finish(__partial.#slot, __reader)?);
        }
        match field::default_value(field) {
            Some(default) => quote!(#member: __partial.#slot.or_else(|| #default)),
            None => quote_spanned!(here(ty)=> #member: __c::Slot::<#ty>::required(__partial.#slot, __reader)?),
        }
    });
    let constructor = &target.constructor;
    quote! {
        #container
        __c::Ok(#constructor { #(#values),* })
    }
}

fn properties(fields: &[Field]) -> TokenStream {
    let container = field::container(fields);
    let pushes = fields.iter().filter(|field| !field.skip).map(|field| {
        let ty = &field.ty;
        if field.flatten {
            return quote_spanned!(here(ty)=> <#ty as __c::Record>::properties(__shapes, __properties););
        }
        let (name, required, node) = (&field.name, field::required(field), field::node(field));
        quote! {
            let __node = #node;
            __properties.push(__c::property(#name, #required, __node));
        }
    });
    quote! {
        use __c::Constrain as _;
        #container
        #(#pushes)*
    }
}

//! Structs.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::super::model::Field;
use super::record::{self, Target};
use super::{Cx, Parts, field, here, numbered};

/// A struct with named fields: a closed object.
pub(super) fn named(cx: &Cx<'_>, fields: &[Field]) -> TokenStream {
    let target = Target {
        owner: cx.this(),
        output: cx.this(),
        constructor: quote!(Self),
        partial: numbered("__Partial", 0),
        fields,
    };
    let record = record::implementation(cx, &target);
    let contract = cx.contract(Parts {
        form: record::form(fields),
        describe: quote!(__c::describe_record::<Self>(__shapes)),
        read: quote!(__c::read_record::<Self>(__reader, __plan, __c::None)),
        write: quote! {
            __out.begin_object();
            <Self as __c::Fields>::write_fields(self, __out);
            __out.end_object();
        },
    });
    let write = record::write(fields, |field| {
        let member = &field.member;
        quote!(&self.#member)
    });
    let fields_impl = cx.implement(
        quote!(__c::Fields),
        quote! {
            fn write_fields(&self, __out: &mut __c::Writer) {
                #write
            }
        },
    );
    let assertions = record::assertions(cx, fields);
    quote! {
        #record
        #contract
        #fields_impl
        #assertions
    }
}

/// A struct with one unnamed field: that field.
pub(super) fn newtype(cx: &Cx<'_>, field: &Field) -> TokenStream {
    let ty = &field.ty;
    let node = field::node(field);
    let value = read_value(field, &quote!(__plan));
    cx.contract(Parts {
        form: quote_spanned!(here(ty)=> <#ty as __c::Contract>::FORM),
        describe: quote! {
            use __c::Constrain as _;
            #node
        },
        read: quote!(__c::Ok(Self(#value))),
        write: quote_spanned!(here(ty)=> <#ty as __c::Contract>::write(&self.0, __out);),
    })
}

/// A struct with several unnamed fields: a closed tuple.
pub(super) fn tuple(cx: &Cx<'_>, fields: &[Field]) -> TokenStream {
    let values: Vec<Ident> = (0..fields.len()).map(|at| numbered("__v", at)).collect();
    let write = write_tuple(fields, &values);
    let read = read_tuple(fields, &quote!(Self), &quote!(__plan));
    cx.contract(Parts {
        form: quote!(__c::Form::of(__c::Kinds::ARRAY)),
        describe: describe_tuple(fields),
        read,
        write: quote! {
            let Self(#(#values),*) = self;
            #write
        },
    })
}

/// Reads an unnamed field and holds it against its rules; an expression with `?`.
pub(super) fn read_value(field: &Field, plan: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let read = quote_spanned!(here(ty)=> <#ty as __c::Contract>::read(__reader, #plan)?);
    checked(field, read)
}

fn checked(field: &Field, read: TokenStream) -> TokenStream {
    match field::rules_closure(field) {
        None => read,
        Some(rules) => quote!({
            let __value = #read;
            (#rules)(&__value).map_err(|__code| __reader.refuse(__code))?;
            __value
        }),
    }
}

/// Reads unnamed fields from an array into `constructor`; ends in a `Result`.
pub(super) fn read_tuple(fields: &[Field], constructor: &TokenStream, plan: &TokenStream) -> TokenStream {
    let values = fields.iter().enumerate().map(|(at, field)| {
        let ty = &field.ty;
        checked(field, quote_spanned!(here(ty)=> __c::position::<#ty>(__reader, #plan.child(#at), &mut __first)?))
    });
    quote! {
        let mut __first = true;
        __reader.array()?;
        let __made = #constructor(#(#values),*);
        if __reader.item(&mut __first)? {
            return __c::Err(__reader.refuse(__c::Code::Items));
        }
        __c::Ok(__made)
    }
}

pub(super) fn describe_tuple(fields: &[Field]) -> TokenStream {
    let nodes = fields.iter().map(field::node);
    quote!({
        use __c::Constrain as _;
        __c::tuple(::std::vec![#(#nodes),*])
    })
}

/// Writes references to unnamed fields as an array.
pub(super) fn write_tuple(fields: &[Field], values: &[Ident]) -> TokenStream {
    let types = fields.iter().map(|field| &field.ty);
    quote! {
        __out.begin_array();
        #(
            __out.item();
            <#types as __c::Contract>::write(#values, __out);
        )*
        __out.end_array();
    }
}

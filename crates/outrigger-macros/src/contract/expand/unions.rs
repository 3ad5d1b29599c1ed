//! Enums with data.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::super::model::{Field, Payload, Tagging, Variant};
use super::record::{self, Target};
use super::structs::{describe_tuple, read_tuple, read_value, write_tuple};
use super::{Cx, Parts, field, here, numbered, optional_text};

pub(super) fn union(cx: &Cx<'_>, tagging: &Tagging, variants: &[Variant]) -> TokenStream {
    let records = variants.iter().enumerate().map(|(at, variant)| record_of(cx, at, variant));
    let branches: Vec<Branch<'_>> =
        variants.iter().enumerate().map(|(at, variant)| Branch { cx, at, variant }).collect();
    let write = branches.iter().map(|branch| branch.write(tagging));
    let contract = cx.contract(Parts {
        form: form(tagging, &branches),
        describe: describe(tagging, &branches),
        read: read(tagging, &branches),
        write: quote! {
            match self {
                #(#write)*
            }
        },
    });
    let assertions = assertions(cx, tagging, &branches);
    quote! {
        #(#records)*
        #contract
        #assertions
    }
}

/// One variant and its place.
struct Branch<'a> {
    cx: &'a Cx<'a>,
    at: usize,
    variant: &'a Variant,
}

/// The record of a struct variant: a type of its own that makes values of the enum.
fn record_of(cx: &Cx<'_>, at: usize, variant: &Variant) -> TokenStream {
    let Payload::Struct(fields) = &variant.payload else {
        return TokenStream::new();
    };
    let marker = numbered("__Variant", at);
    let (generics, types, filter) = cx.generics.split_for_impl();
    let (this, ident) = (cx.this(), &variant.ident);
    let enum_ident = &cx.model.ident;
    let target = Target {
        owner: quote!(#marker #types),
        output: this.clone(),
        constructor: quote!(#enum_ident::#ident),
        partial: numbered("__Partial", at),
        fields,
    };
    let record = record::implementation(cx, &target);
    let assertions = record::assertions(cx, fields);
    quote! {
        struct #marker #generics (::core::marker::PhantomData<fn() -> #this>) #filter;
        #record
        #assertions
    }
}

/// The outside of the union.
fn form(tagging: &Tagging, branches: &[Branch<'_>]) -> TokenStream {
    match tagging {
        Tagging::Internal { tag } => quote! {
            __c::Form {
                properties: &[__c::Declared { name: #tag, required: true }],
                open: true,
                ..__c::Form::of(__c::Kinds::OBJECT)
            }
        },
        Tagging::Adjacent { tag, content } => quote! {
            __c::Form {
                properties: &[
                    __c::Declared { name: #tag, required: true },
                    __c::Declared { name: #content, required: false },
                ],
                ..__c::Form::of(__c::Kinds::OBJECT)
            }
        },
        Tagging::Untagged => {
            let kinds = branches.iter().map(Branch::form);
            quote! {
                __c::Form {
                    open: true,
                    ..__c::Form::of(__c::Kinds::none()#(.or((#kinds).kinds))*)
                }
            }
        }
    }
}

fn describe(tagging: &Tagging, branches: &[Branch<'_>]) -> TokenStream {
    let listed = branches.iter().map(|branch| branch.describe(tagging));
    let listed = quote!(::std::vec![#(#listed),*]);
    match tagging {
        Tagging::Internal { tag } => quote!(__c::internal(#tag, #listed)),
        Tagging::Adjacent { tag, content } => quote!(__c::adjacent(#tag, #content, #listed)),
        Tagging::Untagged => quote!(__c::untagged(#listed)),
    }
}

fn read(tagging: &Tagging, branches: &[Branch<'_>]) -> TokenStream {
    let tag = match tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => tag,
        Tagging::Untagged => {
            let listed = branches.iter().map(Branch::read_untagged);
            return quote!(__c::read_untagged(__reader, __plan, &[#(#listed),*]));
        }
    };
    let arms = branches.iter().map(|branch| {
        let (name, read) = (&branch.variant.name, branch.read(tagging));
        quote!(#name => { #read })
    });
    quote! {
        match &*__reader.find_tag(#tag)? {
            #(#arms)*
            _ => __c::Err(__reader.refuse(__c::Code::Enum)),
        }
    }
}

impl Branch<'_> {
    fn marker(&self) -> TokenStream {
        let marker = numbered("__Variant", self.at);
        let (_, types, _) = self.cx.model.generics.split_for_impl();
        let types = types.as_turbofish();
        quote!(#marker #types)
    }

    fn form(&self) -> TokenStream {
        match &self.variant.payload {
            Payload::Unit => quote!(__c::Form::of(__c::Kinds::NULL)),
            Payload::Newtype(field) => {
                let ty = &field.ty;
                quote_spanned!(here(ty)=> <#ty as __c::Contract>::FORM)
            }
            Payload::Tuple(_) => quote!(__c::Form::of(__c::Kinds::ARRAY)),
            Payload::Struct(fields) => record::form(fields),
        }
    }

    fn describe(&self, tagging: &Tagging) -> TokenStream {
        let node = match &self.variant.payload {
            Payload::Unit if matches!(tagging, Tagging::Internal { .. }) => {
                quote!(__c::empty_object())
            }
            Payload::Unit => quote!(__c::nothing()),
            Payload::Newtype(field) => {
                let node = field::node(field);
                quote!({
                    use __c::Constrain as _;
                    #node
                })
            }
            Payload::Tuple(fields) => describe_tuple(fields),
            Payload::Struct(_) => {
                let marker = self.marker();
                quote!(__c::describe_record::<#marker>(__shapes))
            }
        };
        let (name, description) = (&self.variant.name, optional_text(self.variant.description.as_ref()));
        quote!(__c::branch(#name, #description, #node))
    }

    /// Reads the branch whose tag has been found; ends in a `Result`.
    fn read(&self, tagging: &Tagging) -> TokenStream {
        let (at, ident) = (self.at, &self.variant.ident);
        match tagging {
            Tagging::Internal { tag } => match &self.variant.payload {
                Payload::Newtype(field) => {
                    let ty = &field.ty;
                    quote_spanned! {here(ty)=>
                        __c::read_fields::<#ty>(__reader, __plan.child(#at), #tag).map(Self::#ident)
                    }
                }
                Payload::Struct(_) => {
                    let marker = self.marker();
                    quote!(__c::read_record::<#marker>(__reader, __plan.child(#at), __c::Some(#tag)))
                }
                Payload::Unit | Payload::Tuple(_) => {
                    quote!(__c::read_lone_tag(__reader, #tag).map(|()| Self::#ident))
                }
            },
            Tagging::Adjacent { tag, .. } if matches!(self.variant.payload, Payload::Unit) => {
                quote!(__c::read_lone_tag(__reader, #tag).map(|()| Self::#ident))
            }
            Tagging::Adjacent { tag, content } => {
                let read = self.read_payload();
                quote! {
                    let __plan = __plan.child(#at);
                    __c::read_adjacent(__reader, #tag, #content, |__reader| { #read })
                }
            }
            Tagging::Untagged => self.read_payload(),
        }
    }

    /// Reads the payload alone; ends in a `Result`.
    fn read_payload(&self) -> TokenStream {
        let ident = &self.variant.ident;
        let plan = quote!(__plan);
        match &self.variant.payload {
            Payload::Unit => quote!(__c::Ok(Self::#ident)),
            Payload::Newtype(field) => {
                let value = read_value(field, &plan);
                quote!(__c::Ok(Self::#ident(#value)))
            }
            Payload::Tuple(fields) => read_tuple(fields, &quote!(Self::#ident), &plan),
            Payload::Struct(_) => {
                let marker = self.marker();
                quote!(__c::read_record::<#marker>(__reader, __plan, __c::None))
            }
        }
    }

    fn read_untagged(&self) -> TokenStream {
        let (form, read) = (self.form(), self.read_payload());
        quote!((const { #form }, |__reader: &mut __c::Reader<'_>, __plan: __c::Plan<'_>| { #read }))
    }

    fn write(&self, tagging: &Tagging) -> TokenStream {
        let (ident, name) = (&self.variant.ident, &self.variant.name);
        let (pattern, payload) = self.write_payload();
        match tagging {
            Tagging::Internal { tag } => {
                let fields = match &self.variant.payload {
                    Payload::Newtype(field) => {
                        let ty = &field.ty;
                        quote_spanned!(here(ty)=> <#ty as __c::Fields>::write_fields(__v0, __out);)
                    }
                    Payload::Struct(fields) => record::write(fields, bound_name),
                    Payload::Unit | Payload::Tuple(_) => TokenStream::new(),
                };
                quote! {
                    Self::#ident #pattern => {
                        __out.begin_object();
                        __out.key(#tag);
                        __out.string(#name);
                        #fields
                        __out.end_object();
                    }
                }
            }
            Tagging::Adjacent { tag, content } => {
                let key = (!matches!(self.variant.payload, Payload::Unit)).then(|| quote!(__out.key(#content);));
                quote! {
                    Self::#ident #pattern => {
                        __out.begin_object();
                        __out.key(#tag);
                        __out.string(#name);
                        #key
                        #payload
                        __out.end_object();
                    }
                }
            }
            Tagging::Untagged => quote!(Self::#ident #pattern => { #payload }),
        }
    }

    /// The pattern of the variant's data, and what writes it as a value of its own.
    fn write_payload(&self) -> (TokenStream, TokenStream) {
        match &self.variant.payload {
            Payload::Unit => (TokenStream::new(), TokenStream::new()),
            Payload::Newtype(field) => {
                let ty = &field.ty;
                let write = quote_spanned!(here(ty)=> <#ty as __c::Contract>::write(__v0, __out););
                (quote!((__v0)), write)
            }
            Payload::Tuple(fields) => {
                let values: Vec<Ident> = (0..fields.len()).map(|at| numbered("__v", at)).collect();
                let write = write_tuple(fields, &values);
                (quote!((#(#values),*)), write)
            }
            Payload::Struct(fields) => {
                let names = fields.iter().filter(|field| !field.skip).map(|field| {
                    let (member, bound) = (&field.member, bound_name(field));
                    quote!(#member: #bound)
                });
                let write = record::write(fields, bound_name);
                let write = quote! {
                    __out.begin_object();
                    #write
                    __out.end_object();
                };
                (quote!({ #(#names,)* .. }), write)
            }
        }
    }
}

/// What a named field is bound to in a pattern.
fn bound_name(field: &Field) -> TokenStream {
    let name = match &field.member {
        syn::Member::Named(ident) => ident.to_string().replace("r#", ""),
        syn::Member::Unnamed(index) => index.index.to_string(),
    };
    let ident = Ident::new(&format!("__f_{name}"), proc_macro2::Span::call_site());
    quote!(#ident)
}

/// What can only be checked once the types are known.
fn assertions(cx: &Cx<'_>, tagging: &Tagging, branches: &[Branch<'_>]) -> TokenStream {
    let mut checks = TokenStream::new();
    match tagging {
        Tagging::Internal { tag } => {
            for branch in branches {
                let Payload::Newtype(field) = &branch.variant.payload else {
                    continue;
                };
                let ty = &field.ty;
                let message =
                    format!("a property of `{}` has the name of the union's tag, \"{tag}\"", super::written(ty));
                let condition = quote!(!<#ty as __c::Contract>::FORM.declares(#tag));
                checks.extend(cx.assert(ty.span(), condition, &message));
            }
        }
        Tagging::Adjacent { .. } => {}
        Tagging::Untagged => {
            for (at, branch) in branches.iter().enumerate() {
                for other in branches.iter().take(at) {
                    let (a, b) = (&other.variant.ident, &branch.variant.ident);
                    let message = format!(
                        "the untagged branches `{a}` and `{b}` overlap: give one a required property that the other does \
                         not have, or a different JSON type, or tag the enum with `#[serde(tag = \"type\")]`"
                    );
                    let (form, other) = (branch.form(), other.form());
                    checks.extend(cx.assert(b.span(), quote!((#form).is_disjoint(&#other)), &message));
                }
            }
        }
    }
    checks
}

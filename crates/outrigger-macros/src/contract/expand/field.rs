//! One field: its node, its rules, its default.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprLit, Lit, LitInt};

use super::super::model::{DefaultValue, Field};
use super::super::rules::{Bound, Rules};
use super::here;

/// The node of a field's type, with everything the field adds to it. `container` stands for the whole type's default.
pub(super) fn node(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let mut node = quote_spanned!(here(ty)=> <#ty as __c::Contract>::describe(__shapes));
    for rule in constraints(&field.rules) {
        node.extend(rule);
    }
    if let Some(text) = &field.description {
        node.extend(quote!(.described(#text)));
    }
    if let Some(default) = default_value(field) {
        node.extend(quote!(.with_default::<#ty>(&#default)));
    }
    for example in &field.examples {
        let value = value_of(field, example);
        node.extend(quote!(.with_example::<#ty>(&#value)));
    }
    node
}

/// Whether the property must be there, as a constant expression.
pub(super) fn required(field: &Field) -> TokenStream {
    let ty = &field.ty;
    if field.default.is_some() {
        return quote!(false);
    }
    quote_spanned!(here(ty)=> <#ty as __c::Contract>::ABSENT.is_none())
}

/// The value of an absent property.
pub(super) fn default_value(field: &Field) -> Option<TokenStream> {
    let ty = &field.ty;
    let member = &field.member;
    Some(match field.default.as_ref()? {
        DefaultValue::Trait(span) => {
            quote_spanned!(Span::call_site().located_at(*span)=> <#ty as ::core::default::Default>::default())
        }
        DefaultValue::Expr(expr) => value_of(field, expr),
        DefaultValue::Function(path) => quote_spanned!(here(path)=> {
            let __value: #ty = #path();
            __value
        }),
        DefaultValue::Container(_) | DefaultValue::ContainerFunction(_) => {
            quote!(__container.#member)
        }
    })
}

/// The default of the whole type, if some field takes its own from there.
pub(super) fn container(fields: &[Field]) -> TokenStream {
    let default = fields.iter().find_map(|field| match &field.default {
        Some(DefaultValue::Container(span)) => Some(
            quote_spanned!(Span::call_site().located_at(*span)=> <Self::Output as ::core::default::Default>::default()),
        ),
        Some(DefaultValue::ContainerFunction(path)) => Some(quote_spanned!(here(path)=> #path())),
        _ => None,
    });
    default.map(|value| quote!(let __container: Self::Output = #value;)).unwrap_or_default()
}

/// An expression as a value of the field's type; a string literal may stand for any text.
fn value_of(field: &Field, expr: &Expr) -> TokenStream {
    let ty = &field.ty;
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            quote_spanned!(here(text)=> <#ty as __c::FromLiteral>::from_literal(#text))
        }
        _ => quote_spanned!(here(expr)=> {
            let __value: #ty = #expr;
            __value
        }),
    }
}

/// Holds `value`, a reference, against the field's rules; nothing if there are none.
pub(super) fn checks(field: &Field, value: &TokenStream) -> Vec<TokenStream> {
    let ty = &field.ty;
    let rules = &field.rules;
    let mut checks = Vec::new();
    if let Some((bounds, floats)) = bounds(rules) {
        checks.push(if floats {
            quote_spanned!(here(ty)=> __c::bounded_by_floats::<#ty>(#value, &#bounds)?;)
        } else {
            quote_spanned!(here(ty)=> __c::bounded::<#ty>(#value, &#bounds)?;)
        });
    }
    if rules.min_len.is_some() || rules.max_len.is_some() {
        let (min, max) = (limit(rules.min_len.as_ref()), limit(rules.max_len.as_ref()));
        checks.push(quote_spanned!(here(ty)=> __c::length::<#ty>(#value, #min, #max)?;));
    }
    if let Some(pattern) = &rules.pattern {
        let pattern = compiled(pattern);
        checks.push(quote_spanned!(here(ty)=> __c::matching::<#ty>(#value, #pattern)?;));
    }
    if let Some(format) = &rules.format {
        checks.push(quote_spanned!(here(ty)=>
            if let __c::Some(__check) = const { __c::known_format(#format) } {
                __c::formatted::<#ty>(#value, __check)?;
            }
        ));
    }
    if rules.min_items.is_some() || rules.max_items.is_some() {
        let (min, max) = (limit(rules.min_items.as_ref()), limit(rules.max_items.as_ref()));
        checks.push(quote_spanned!(here(ty)=> __c::counted::<#ty>(#value, #min, #max)?;));
    }
    if rules.unique.is_some() {
        checks.push(quote_spanned!(here(ty)=> __c::unique::<#ty>(#value)?;));
    }
    checks
}

/// The rules as a closure over the value, if there are any.
pub(super) fn rules_closure(field: &Field) -> Option<TokenStream> {
    let ty = &field.ty;
    let checks = checks(field, &quote!(__value));
    if checks.is_empty() {
        return None;
    }
    Some(quote!(|__value: &#ty| { #(#checks)* __c::Ok(()) }))
}

/// The rules as calls on the node.
fn constraints(rules: &Rules) -> Vec<TokenStream> {
    let mut calls = Vec::new();
    if let Some((bounds, floats)) = bounds(rules) {
        calls.push(if floats { quote!(.with_float_bounds(&#bounds)) } else { quote!(.with_bounds(&#bounds)) });
    }
    if rules.min_len.is_some() || rules.max_len.is_some() {
        let (min, max) = (limit(rules.min_len.as_ref()), limit(rules.max_len.as_ref()));
        calls.push(quote!(.with_length(#min, #max)));
    }
    if let Some(pattern) = &rules.pattern {
        let pattern = compiled(pattern);
        calls.push(quote!(.with_pattern(#pattern)));
    }
    if let Some(format) = &rules.format {
        calls.push(quote!(.with_format(#format)));
    }
    if rules.min_items.is_some() || rules.max_items.is_some() {
        let (min, max) = (limit(rules.min_items.as_ref()), limit(rules.max_items.as_ref()));
        calls.push(quote!(.with_items(#min, #max)));
    }
    if rules.unique.is_some() {
        calls.push(quote!(.with_unique()));
    }
    calls
}

/// A pattern that is compiled once for the whole program.
fn compiled(pattern: &syn::LitStr) -> TokenStream {
    quote!({
        static PATTERN: __c::LazyLock<__c::Pattern> = __c::LazyLock::new(|| __c::Pattern::trusted(#pattern));
        &*PATTERN
    })
}

/// A `Bounds` value, and whether its bounds are floats.
fn bounds(rules: &Rules) -> Option<(TokenStream, bool)> {
    let given = rules.bounds();
    if given.iter().all(|(_, bound)| bound.is_none()) {
        return None;
    }
    let floats = given.iter().any(|(_, bound)| matches!(bound, Some(Bound::Float { .. })));
    let fields = given.iter().map(|(name, bound)| {
        let name = syn::Ident::new(name, proc_macro2::Span::call_site());
        let value = match bound {
            None => quote!(__c::None),
            Some(bound) if floats => {
                let value = bound.value();
                quote!(__c::Some(#value))
            }
            Some(Bound::Int { negative, magnitude, .. }) => {
                quote!(__c::Some(__c::Int::from_parts(#negative, #magnitude)))
            }
            Some(Bound::Float { value, .. }) => quote!(__c::Some(#value)),
        };
        quote!(#name: #value)
    });
    Some((quote!(__c::Bounds { #(#fields),* }), floats))
}

fn limit(literal: Option<&LitInt>) -> TokenStream {
    match literal {
        // Its own suffix, if it has one, may be another.
        Some(literal) => {
            let value = LitInt::new(literal.base10_digits(), literal.span());
            quote!(__c::Some(#value))
        }
        None => quote!(__c::None),
    }
}

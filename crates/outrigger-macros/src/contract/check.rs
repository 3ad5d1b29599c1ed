//! What the attributes may not say together.

use std::collections::HashMap;

use syn::{Expr, ExprLit, Lit, LitInt, Type};

use super::attrs::{self, ArgAttrs};
use super::errors::Errors;
use super::model::{Data, DefaultValue, Field, Model, Payload, Tagging, Variant};
use super::pattern;
use super::rules::Rules;

/// The formats that can be checked.
const FORMATS: [&str; 9] = ["date-time", "date", "time", "email", "hostname", "ipv4", "ipv6", "uuid", "uri"];

pub(super) fn model(model: &Model, errors: &mut Errors) {
    match &model.data {
        Data::Struct(fields) => named(fields, None, errors),
        Data::Newtype(field) => unnamed(field, errors),
        Data::Tuple(fields) => fields.iter().for_each(|field| unnamed(field, errors)),
        Data::Names(variants) => variant_names(variants, errors),
        Data::Union(tagging, variants) => {
            if !matches!(tagging, Tagging::Untagged) {
                variant_names(variants, errors);
            }
            for variant in variants {
                payload(tagging, variant, errors);
            }
        }
    }
}

/// `#[arg]` on a variant names and describes it, nothing else.
pub(super) fn variant_attrs(variant: &syn::Variant, own: &ArgAttrs, errors: &mut Errors) {
    let more = own.default.is_some() || !own.examples.is_empty() || !own.rules.is_empty() || own.when.is_some();
    if more {
        errors.on(&variant.ident, "a variant takes `rename` and `description` only; rules stand on its fields");
    }
}

fn payload(tagging: &Tagging, variant: &Variant, errors: &mut Errors) {
    match (tagging, &variant.payload) {
        (Tagging::Internal { tag }, Payload::Tuple(fields)) => {
            errors.on(
                &variant.ident,
                format_args!(
                    "{} values under the internal tag `{tag}` have no names to stand under; give them names, or write \
                     `#[serde(tag = \"{tag}\", content = \"value\")]`",
                    fields.len()
                ),
            );
        }
        (Tagging::Untagged, Payload::Unit) => {
            errors.on(&variant.ident, "an untagged variant without data would be `null`; give it a tag or a payload");
        }
        (Tagging::Internal { tag }, Payload::Struct(fields)) => named(fields, Some(tag), errors),
        (_, Payload::Struct(fields)) => named(fields, None, errors),
        (_, Payload::Newtype(field)) => unnamed(field, errors),
        (_, Payload::Tuple(fields)) => fields.iter().for_each(|field| unnamed(field, errors)),
        (_, Payload::Unit) => {}
    }
}

fn variant_names(variants: &[Variant], errors: &mut Errors) {
    let mut seen = HashMap::new();
    for variant in variants {
        if let Some(first) = seen.insert(&variant.name, &variant.ident) {
            let message = format_args!("`{first}` is named \"{}\" already", variant.name);
            errors.on(&variant.ident, message);
        }
    }
}

fn named(fields: &[Field], tag: Option<&str>, errors: &mut Errors) {
    let mut seen: HashMap<&str, String> = HashMap::new();
    for field in fields {
        if field.skip {
            continue;
        }
        common(field, errors);
        if field.flatten {
            if let Some(name) = open_type(&field.ty) {
                let message = format_args!(
                    "flattening a `{name}` would leave the object open; list the properties in a struct, or keep the \
                     field under its own name"
                );
                errors.on(&field.ty, message);
            }
            if field.default.is_some() || !field.rules.is_empty() {
                errors.at(field.span, "a flattened field has no rules of its own: set them on its fields");
            }
            continue;
        }
        if tag == Some(&*field.name) {
            let message = format_args!("the property \"{}\" is the union's tag", field.name);
            errors.at(field.span, message);
        }
        let owner = quote::ToTokens::to_token_stream(&field.member).to_string();
        if let Some(first) = seen.insert(&field.name, owner) {
            let message = format_args!("the property \"{}\" is there already, from `{first}`", field.name);
            errors.at(field.span, message);
        }
    }
}

/// The name of a type that is well known to hold any properties.
fn open_type(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    let open = ["HashMap", "BTreeMap", "IndexMap", "Map", "Value", "Any"];
    open.contains(&name.as_str()).then_some(name)
}

fn unnamed(field: &Field, errors: &mut Errors) {
    if field.skip || field.flatten {
        errors.at(field.span, "only a named field can be skipped or flattened");
    }
    if field.default.is_some() {
        errors.at(field.span, "only a named field can be absent, so only a named field has a default");
    }
    common(field, errors);
}

fn common(field: &Field, errors: &mut Errors) {
    bounds(&field.rules, errors);
    default_in_bounds(field, errors);
    for (min, max) in [(&field.rules.min_len, &field.rules.max_len), (&field.rules.min_items, &field.rules.max_items)] {
        let min = min.as_ref().and_then(|min| errors.keep(min.base10_parse::<u64>()));
        let parsed = max.as_ref().and_then(|max| errors.keep(max.base10_parse::<u64>()));
        if let (Some(min), Some(parsed)) = (min, parsed)
            && min > parsed
        {
            errors.on(max, format_args!("the least ({min}) is greater than the most ({parsed})"));
        }
    }
    if let Some(literal) = &field.rules.pattern
        && let Err(reason) = pattern::check(&literal.value())
    {
        errors.on(literal, reason);
    }
    if let Some(format) = &field.rules.format
        && !FORMATS.contains(&format.value().as_str())
    {
        errors.on(format, format_args!("no format that can be checked; known are: {}", FORMATS.join(", ")));
    }
}

fn bounds(rules: &Rules, errors: &mut Errors) {
    for (low, high) in [
        (rules.min, rules.max),
        (rules.min, rules.exclusive_max),
        (rules.exclusive_min, rules.max),
        (rules.exclusive_min, rules.exclusive_max),
    ] {
        let (Some(low), Some(high)) = (low, high) else {
            continue;
        };
        if low.order(high).is_none_or(std::cmp::Ordering::is_gt) {
            let message = format_args!("the minimum ({}) is greater than the maximum ({})", low.value(), high.value());
            errors.at(high.span(), message);
        }
    }
    if let Some(factor) = rules.multiple_of
        && factor.value() <= 0.0
    {
        errors.at(factor.span(), "a factor is greater than zero");
    }
}

/// A literal default has to keep the field's own rules: no value of the type could be written back otherwise.
fn default_in_bounds(field: &Field, errors: &mut Errors) {
    let Some(DefaultValue::Expr(expr)) = &field.default else {
        return;
    };
    let rules = &field.rules;
    if let Ok(value) = attrs::number(expr) {
        let value = value.value();
        let below = rules.min.is_some_and(|min| value < min.value())
            || rules.exclusive_min.is_some_and(|min| value <= min.value());
        let above = rules.max.is_some_and(|max| value > max.value())
            || rules.exclusive_max.is_some_and(|max| value >= max.value());
        if below || above {
            errors.on(expr, "the default is outside the field's own bounds");
        }
    }
    if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = expr {
        let count = text.value().chars().count();
        let limit = |literal: &Option<LitInt>| literal.as_ref().and_then(|limit| limit.base10_parse::<usize>().ok());
        if limit(&rules.min_len).is_some_and(|min| count < min) || limit(&rules.max_len).is_some_and(|max| count > max)
        {
            errors.on(expr, "the default is not as long as the field's own rules ask");
        }
    }
}

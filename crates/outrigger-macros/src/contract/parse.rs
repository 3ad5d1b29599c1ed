//! From syntax to the model: attributes of both kinds become one description of each field.

use syn::spanned::Spanned;
use syn::{DeriveInput, Fields, Index, Member};

use super::attrs::{self, Given};
use super::case::Case;
use super::check;
use super::errors::Errors;
use super::model::{Data, DefaultValue, Field, Model, Payload, Tagging, Variant};
use super::serde::{self, SerdeDefault, TypeSerde};
use crate::docs;

/// The model of a type, unless it is of no use at all.
pub(super) fn model(input: &DeriveInput, errors: &mut Errors) -> Option<Model> {
    let own = attrs::contract(&input.attrs, errors);
    let serde = serde::of_type(&input.attrs, errors);
    for param in input.generics.lifetimes() {
        errors.on(param, "a contract owns its values: it has no lifetime parameters");
    }
    let data = match &input.data {
        syn::Data::Struct(data) => structure(&data.fields, &serde, errors),
        syn::Data::Enum(data) => enumeration(input, data, &serde, errors),
        syn::Data::Union(data) => {
            errors.on(data.union_token, "a union has no JSON; use an enum with data");
            return None;
        }
    };
    let description = own.description.map(|text| text.value());
    Some(Model {
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        root: own.root,
        description: description.or_else(|| docs::description(&input.attrs)),
        data,
    })
}

fn structure(fields: &Fields, serde: &TypeSerde, errors: &mut Errors) -> Data {
    for tag in [&serde.tag, &serde.content].into_iter().flatten() {
        errors.on(tag, "a tag on a struct: only an enum has branches to tell apart");
    }
    let mut parsed = fields_of(fields, serde.rename_all, serde.default.as_ref(), errors);
    match fields {
        Fields::Named(_) | Fields::Unit => Data::Struct(parsed),
        Fields::Unnamed(_) if parsed.len() == 1 && parsed.iter().all(|field| !field.skip) => {
            parsed.pop().map_or(Data::Struct(Vec::new()), |field| Data::Newtype(Box::new(field)))
        }
        Fields::Unnamed(_) => Data::Tuple(parsed),
    }
}

fn enumeration(input: &DeriveInput, data: &syn::DataEnum, serde: &TypeSerde, errors: &mut Errors) -> Data {
    if data.variants.is_empty() {
        errors.on(&input.ident, "an enum without variants has no values");
    }
    let mut variants = Vec::with_capacity(data.variants.len());
    for variant in &data.variants {
        variants.extend(parse_variant(variant, serde, errors));
    }
    let all_units = variants.iter().all(|variant| matches!(variant.payload, Payload::Unit));
    match (&serde.tag, &serde.content, serde.untagged) {
        (None, None, None) if all_units => Data::Names(variants),
        (None, None, None) => {
            if let Some(span) = serde.any {
                errors.at(
                    span,
                    "an enum with data and serde attributes but no tag: serde alone would tag it externally; write \
                     `#[serde(tag = \"type\")]`, or `#[serde(tag = \"type\", content = \"value\")]` if a payload is no struct",
                );
            }
            let tag = "type".to_owned();
            Data::Union(Tagging::Internal { tag }, variants)
        }
        (Some(tag), None, None) => Data::Union(Tagging::Internal { tag: tag.value() }, variants),
        (Some(tag), Some(content), None) => {
            if tag.value() == content.value() {
                errors.on(content, "the tag and the content need different names");
            }
            let (tag, content) = (tag.value(), content.value());
            Data::Union(Tagging::Adjacent { tag, content }, variants)
        }
        (None, None, Some(_)) => Data::Union(Tagging::Untagged, variants),
        (None, Some(content), _) => {
            errors.on(content, "`content` needs a `tag` beside it");
            Data::Union(Tagging::Untagged, variants)
        }
        (Some(_), _, Some(span)) => {
            errors.at(span, "either `tag` or `untagged`");
            Data::Union(Tagging::Untagged, variants)
        }
    }
}

fn parse_variant(variant: &syn::Variant, serde: &TypeSerde, errors: &mut Errors) -> Option<Variant> {
    let own = attrs::arg(&variant.attrs, errors);
    let item = serde::of_item(&variant.attrs, errors);
    if item.skip {
        errors.on(variant, "a variant that is skipped cannot be written; take it out of the type");
        return None;
    }
    check::variant_attrs(variant, &own, errors);
    let bare = bare_name(&variant.ident);
    let name = match own.rename.or(item.rename) {
        Some(name) => name.value(),
        None => serde.rename_all.map_or(bare.clone(), |case| case.variant(&bare)),
    };
    let case = item.rename_all.or(serde.rename_all_fields);
    let mut fields = fields_of(&variant.fields, case, None, errors);
    let payload = match &variant.fields {
        Fields::Unit => Payload::Unit,
        Fields::Named(_) => Payload::Struct(fields),
        Fields::Unnamed(_) if fields.len() == 1 => Payload::Newtype(Box::new(fields.pop()?)),
        Fields::Unnamed(_) => Payload::Tuple(fields),
    };
    Some(Variant {
        ident: variant.ident.clone(),
        name,
        description: own.description.map(|text| text.value()).or_else(|| docs::description(&variant.attrs)),
        payload,
    })
}

fn fields_of(fields: &Fields, case: Option<Case>, container: Option<&SerdeDefault>, errors: &mut Errors) -> Vec<Field> {
    let mut parsed = Vec::with_capacity(fields.len());
    for (index, field) in fields.iter().enumerate() {
        parsed.push(parse_field(index, field, case, container, errors));
    }
    parsed
}

fn parse_field(
    index: usize,
    field: &syn::Field,
    case: Option<Case>,
    container: Option<&SerdeDefault>,
    errors: &mut Errors,
) -> Field {
    let own = attrs::arg(&field.attrs, errors);
    let item = serde::of_item(&field.attrs, errors);
    let (member, bare) = match &field.ident {
        Some(ident) => (Member::Named(ident.clone()), bare_name(ident)),
        None => (Member::Unnamed(Index::from(index)), String::new()),
    };
    let name = match own.rename.or(item.rename) {
        Some(name) => name.value(),
        None => case.map_or(bare.clone(), |case| case.field(&bare)),
    };
    let default = own
        .default
        .map(|given| match given {
            Given::Trait(span) => DefaultValue::Trait(span),
            Given::Expr(expr) => DefaultValue::Expr(expr),
        })
        .or_else(|| {
            item.default.map(|given| match given {
                SerdeDefault::Trait(span) => DefaultValue::Trait(span),
                SerdeDefault::Function(path) => DefaultValue::Function(path),
            })
        })
        .or_else(|| match container? {
            SerdeDefault::Trait(span) => Some(DefaultValue::Container(*span)),
            SerdeDefault::Function(path) => Some(DefaultValue::ContainerFunction(path.clone())),
        });
    Field {
        span: field.ident.as_ref().map_or_else(|| field.ty.span(), Spanned::span),
        member,
        ty: field.ty.clone(),
        name,
        description: own.description.map(|text| text.value()).or_else(|| docs::description(&field.attrs)),
        default,
        examples: own.examples,
        rules: own.rules,
        flatten: item.flatten.is_some(),
        skip: item.skip,
        hideable: own.when,
    }
}

/// An identifier without its `r#`.
fn bare_name(ident: &syn::Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(ToOwned::to_owned).unwrap_or(name)
}

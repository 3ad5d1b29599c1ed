//! serde's attributes: those that change the JSON are honoured or refused, the others passed over.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, LitStr, Path};

use super::case::Case;
use super::errors::Errors;

/// What serde's attributes said about a type.
#[derive(Default)]
pub(super) struct TypeSerde {
    /// The first attribute, whatever it said.
    pub(super) any: Option<Span>,
    pub(super) rename_all: Option<Case>,
    pub(super) rename_all_fields: Option<Case>,
    pub(super) default: Option<SerdeDefault>,
    pub(super) tag: Option<LitStr>,
    pub(super) content: Option<LitStr>,
    pub(super) untagged: Option<Span>,
}

/// What serde's attributes said about a field or a variant.
#[derive(Default)]
pub(super) struct ItemSerde {
    pub(super) rename: Option<LitStr>,
    pub(super) rename_all: Option<Case>,
    pub(super) default: Option<SerdeDefault>,
    pub(super) skip: bool,
    pub(super) flatten: Option<Span>,
}

pub(super) enum SerdeDefault {
    Trait(Span),
    Function(Path),
}

/// Attributes that say nothing about what JSON is read.
const HARMLESS: [&str; 9] = [
    "bound",
    "borrow",
    "crate",
    "deny_unknown_fields",
    "expecting",
    "getter",
    "skip_serializing_if",
    "transparent",
    "variant_identifier",
];

pub(super) fn of_type(attrs: &[Attribute], errors: &mut Errors) -> TypeSerde {
    let mut parsed = TypeSerde::default();
    each(attrs, errors, |name, meta| {
        parsed.any.get_or_insert(meta.path.span());
        match name {
            "rename_all" => parsed.rename_all = Some(case(meta)?),
            "rename_all_fields" => parsed.rename_all_fields = Some(case(meta)?),
            "default" => parsed.default = Some(default(meta)?),
            "tag" => parsed.tag = Some(meta.value()?.parse()?),
            "content" => parsed.content = Some(meta.value()?.parse()?),
            "untagged" => parsed.untagged = Some(meta.path.span()),
            // The type's own name stands nowhere in its JSON.
            "rename" => pass_over(meta)?,
            _ => return other(name, meta),
        }
        Ok(())
    });
    parsed
}

pub(super) fn of_item(attrs: &[Attribute], errors: &mut Errors) -> ItemSerde {
    let mut parsed = ItemSerde::default();
    each(attrs, errors, |name, meta| {
        match name {
            "rename" if meta.input.peek(syn::token::Paren) => {
                return Err(meta.error("one name for both directions: `rename = \"...\"`"));
            }
            "rename" => parsed.rename = Some(meta.value()?.parse()?),
            "rename_all" => parsed.rename_all = Some(case(meta)?),
            "default" => parsed.default = Some(default(meta)?),
            "skip" => parsed.skip = true,
            "flatten" => parsed.flatten = Some(meta.path.span()),
            _ => return other(name, meta),
        }
        Ok(())
    });
    parsed
}

fn each(attrs: &[Attribute], errors: &mut Errors, mut one: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<()>) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        let result = attr.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            one(&name, &meta)
        });
        errors.keep(result);
    }
}

fn other(name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if HARMLESS.contains(&name) {
        return pass_over(meta);
    }
    let instead = match name {
        "alias" => "a contract has one name for a property; write `#[arg(rename = \"...\")]`",
        "with" | "deserialize_with" | "serialize_with" | "from" | "try_from" | "into" | "remote" => {
            "the JSON would no longer be that of the fields; implement `Contract` for a type of its own"
        }
        "skip_serializing" | "skip_deserializing" => "a contract is read and written alike; write `skip`",
        "other" => "a closed enum has no branch for everything else",
        _ => "a contract cannot honour this attribute",
    };
    Err(meta.error(format_args!("serde's `{name}` cannot be closed: {instead}")))
}

fn pass_over(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(syn::Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}

fn case(meta: &ParseNestedMeta<'_>) -> syn::Result<Case> {
    if meta.input.peek(syn::token::Paren) {
        return Err(meta.error("one convention for both directions: `rename_all = \"...\"`"));
    }
    let name: LitStr = meta.value()?.parse()?;
    Case::parse(&name.value())
        .ok_or_else(|| syn::Error::new(name.span(), format_args!("unknown convention; known are: {}", Case::NAMES)))
}

fn default(meta: &ParseNestedMeta<'_>) -> syn::Result<SerdeDefault> {
    if meta.input.peek(syn::Token![=]) {
        let path: LitStr = meta.value()?.parse()?;
        return Ok(SerdeDefault::Function(path.parse()?));
    }
    Ok(SerdeDefault::Trait(meta.path.span()))
}

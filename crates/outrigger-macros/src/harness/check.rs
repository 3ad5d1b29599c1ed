//! Judges a block as written, and makes of it one that is known to be right.

use proc_macro2::Ident;
use syn::{GenericParam, Type, Visibility};

use super::Harness;
use super::parse::RawHarness;
use crate::errors::Errors;
use crate::names;
use crate::tool::{self, Owner};

/// Reports all that is wrong with a block. What is returned is right only if nothing was reported; nothing is returned
/// if there is no type that could be a harness.
pub(crate) fn check(raw: RawHarness, errors: &mut Errors) -> Option<Harness> {
    let RawHarness { block, cfgs, docs, options, tools: raw_tools } = raw;
    let ty_name = type_name(&block.self_ty);
    let mut fits = true;
    if let Some((_, path, _)) = &block.trait_ {
        errors.over(
            path,
            "a harness is made of a type's own methods: put `#[harness]` on an `impl` block without a trait",
        );
        fits = false;
    }
    if let Some(lifetime) = block.generics.lifetimes().next() {
        errors.over(
            lifetime,
            "a harness lives as long as its agent, so it cannot borrow: hold an `Arc` or an owned value",
        );
        fits = false;
    }
    if ty_name.is_none() {
        errors.over(&block.self_ty, "a harness is a named type: a struct or an enum of your own");
    }
    let ty_name = ty_name?;
    let name = name(&ty_name, options.name.as_ref(), errors);
    let generics: Vec<Ident> = block.generics.params.iter().filter_map(parameter_name).collect();
    let vis = options.vis.unwrap_or_else(|| Visibility::Public(syn::token::Pub::default()));
    let owner = Owner { harness: Some(&ty_name), self_ty: Some(&block.self_ty), generics: &generics, vis: &vis };
    if raw_tools.is_empty() {
        errors.over(&block.self_ty, "the harness has no tools: put `#[tool]` on the methods that the model may call");
    }
    let mut tools = Vec::new();
    for raw in raw_tools {
        let span = raw.options.name.as_ref().map_or(raw.span(), syn::LitStr::span);
        let mut tool = tool::check(raw, &owner, errors);
        tool.cfgs.splice(0..0, cfgs.iter().cloned());
        tools.push((tool, span));
    }
    tool::duplicates(&tools, cfgs.len(), errors);
    fits.then(|| Harness {
        cfgs,
        generics: block.generics,
        ty: *block.self_ty,
        ty_name,
        name,
        description: options.description.map_or(docs, |text| text.value()),
        collapse: options.collapse,
        tools: tools.into_iter().map(|(tool, _)| tool).collect(),
    })
}

fn name(ty: &Ident, given: Option<&syn::LitStr>, errors: &mut Errors) -> String {
    let (name, span) = match given {
        Some(name) => (name.value(), name.span()),
        None => (names::plain(ty), ty.span()),
    };
    if !names::is_valid(&name) {
        let way = if given.is_some() { "" } else { "; give one with `#[harness(name = \"…\")]`" };
        errors.at(span, format!("{name:?} cannot be a harness's name: {}{way}", names::RULE));
    }
    name
}

/// The last name of the type's path.
fn type_name(ty: &Type) -> Option<Ident> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last().map(|segment| segment.ident.clone()),
        Type::Group(group) => type_name(&group.elem),
        Type::Paren(paren) => type_name(&paren.elem),
        _ => None,
    }
}

fn parameter_name(parameter: &GenericParam) -> Option<Ident> {
    match parameter {
        GenericParam::Type(parameter) => Some(parameter.ident.clone()),
        GenericParam::Const(parameter) => Some(parameter.ident.clone()),
        GenericParam::Lifetime(_) => None,
    }
}

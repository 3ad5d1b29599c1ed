//! What a tool's function says, as written; its attributes are taken off on the way.

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, FnArg, Ident, Meta, Pat, PatType, Signature, Type, parse_quote};

use crate::docs;
use crate::errors::Errors;
use crate::names;
use crate::options::{ToolOptions, entries};

/// A tool as written.
pub(crate) struct RawTool {
    /// `#[cfg]` attributes.
    pub(crate) cfgs: Vec<Attribute>,
    /// The doc comment.
    pub(crate) docs: String,
    /// `#[tool(…)]`.
    pub(crate) options: ToolOptions,
    /// The function's head, cleaned.
    pub(crate) signature: Signature,
    /// Parameters in order, without `self`.
    pub(crate) parameters: Vec<RawParameter>,
}

/// A parameter as written.
pub(crate) struct RawParameter {
    /// Doc comments, `#[arg]` and `#[serde]`.
    pub(crate) attributes: Vec<Attribute>,
    /// `#[cfg]`, which has no place here.
    pub(crate) cfg: Option<Attribute>,
    /// The pattern; a name in the good case.
    pub(crate) pattern: Pat,
    /// The type.
    pub(crate) ty: Type,
    /// The name in JSON, where `rename = "…"` gives one.
    pub(crate) rename: Option<String>,
    /// Whether the properties of the type stand in for the parameter.
    pub(crate) flatten: bool,
}

/// Whether the attribute marks a tool.
pub(crate) fn is_tool(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "tool")
}

impl RawTool {
    /// Reads a function. `tokens` are arguments that the macro was called with itself.
    pub(crate) fn take(
        attributes: &mut Vec<Attribute>,
        signature: &mut Signature,
        tokens: TokenStream,
        errors: &mut Errors,
    ) -> Self {
        let mut options = ToolOptions::default();
        options.read(tokens, errors);
        let mut marks = 0;
        attributes.retain(|attribute| {
            if !is_tool(attribute) {
                return true;
            }
            marks += 1;
            if marks > 1 {
                errors.over(attribute, "one `#[tool]` is enough: put all options into it");
            }
            match &attribute.meta {
                Meta::Path(_) => {}
                Meta::List(list) => options.read(list.tokens.clone(), errors),
                Meta::NameValue(pair) => errors.over(pair, "write `#[tool]` or `#[tool(option, …)]`"),
            }
            false
        });
        let cfgs = attributes.iter().filter(|attribute| is_cfg(attribute)).cloned().collect();
        let docs = docs::text(attributes);
        attributes.push(quiet());
        let parameters = signature.inputs.iter_mut().filter_map(RawParameter::take).collect();
        Self { cfgs, docs, options, signature: signature.clone(), parameters }
    }
}

/// Lints about signatures, which a tool's is not free to follow: what the model sends decides its parameters.
fn quiet() -> Attribute {
    parse_quote! {
        #[allow(
            clippy::fn_params_excessive_bools,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::unused_async,
            clippy::unused_self
        )]
    }
}

impl RawParameter {
    fn take(argument: &mut FnArg) -> Option<Self> {
        let PatType { attrs, pat, ty, .. } = match argument {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(_) => return None,
        };
        let mut attributes = Vec::new();
        attrs.retain(|attribute| {
            let ours = docs::is_doc(attribute) || is_arg(attribute);
            if ours {
                attributes.push(attribute.clone());
            }
            !ours
        });
        let cfg = attrs.iter().find(|attribute| is_cfg(attribute)).cloned();
        let pattern = (**pat).clone();
        let (rename, flatten) = read_arg(&attributes);
        Some(Self { attributes, cfg, pattern, ty: (**ty).clone(), rename, flatten })
    }

    /// The parameter's name, where its pattern is one.
    pub(crate) fn name(&self) -> Option<&Ident> {
        match &self.pattern {
            Pat::Ident(pattern) if pattern.subpat.is_none() && pattern.by_ref.is_none() => Some(&pattern.ident),
            _ => None,
        }
    }

    /// The property's name in JSON.
    pub(crate) fn property(&self) -> Option<String> {
        self.rename.clone().or_else(|| self.name().map(names::plain))
    }

    /// The first `#[arg]` or `#[serde]`.
    pub(crate) fn arg(&self) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| is_arg(attribute))
    }
}

/// What of `#[arg(…)]` and `#[serde(…)]` matters here. `#[derive(Contract)]` reads and judges the whole.
fn read_arg(attributes: &[Attribute]) -> (Option<String>, bool) {
    let (mut rename, mut flatten) = (None, false);
    for attribute in attributes.iter().filter(|attribute| is_arg(attribute)) {
        let Meta::List(list) = &attribute.meta else { continue };
        for entry in entries(list.tokens.clone(), &mut Errors::default()) {
            match entry.key.to_string().as_str() {
                "rename" => rename = entry.string().ok().map(|name| name.value()),
                "flatten" => flatten = true,
                _ => {}
            }
        }
    }
    (rename, flatten)
}

/// Whether the attribute is one that `#[derive(Contract)]` reads from a field.
fn is_arg(attribute: &Attribute) -> bool {
    attribute.path().is_ident("arg") || attribute.path().is_ident("serde")
}

/// Whether the attribute is `#[cfg]`.
pub(crate) fn is_cfg(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}

impl RawTool {
    /// Where the function's name stands.
    pub(crate) fn span(&self) -> Span {
        self.signature.ident.span()
    }
}

//! Judges a tool as written, and makes of it one that is known to be right.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{FnArg, ReturnType, Type, Visibility};

use super::parse::{RawParameter, RawTool};
use super::types::{self, Role};
use super::{Argument, Body, Parameter, Policy, Tool};
use crate::errors::Errors;
use crate::options::ToolOptions;
use crate::{names, nearest};

/// What a tool belongs to.
pub(crate) struct Owner<'a> {
    /// The name of the harness's type; none for a free function.
    pub(crate) harness: Option<&'a Ident>,
    /// What `Self` stands for.
    pub(crate) self_ty: Option<&'a Type>,
    /// Type parameters of the block.
    pub(crate) generics: &'a [Ident],
    /// The visibility of the carrier.
    pub(crate) vis: &'a Visibility,
}

/// Reports all that is wrong with a tool. What is returned is right only if nothing was reported.
pub(crate) fn check(raw: RawTool, owner: &Owner<'_>, errors: &mut Errors) -> Tool {
    let takes_self = receiver(&raw, owner, errors);
    head(&raw, errors);
    let body = body(&raw, errors);
    let output = output(&raw);
    examples(&raw, errors);
    let name = name(&raw, errors);
    if let (Some(output), Some(true)) = (&raw.options.output, raw.options.requires_permission) {
        errors.at(
            output.span,
            "an output tool cannot require permission: its body is never run, its arguments are the turn's result",
        );
    }
    let parameters = raw.parameters.iter().filter_map(|parameter| self::parameter(parameter, owner, errors)).collect();
    let RawTool { cfgs, docs, options, signature, .. } = raw;
    let function = signature.ident;
    let camel = names::camel(&names::plain(&function));
    let harness = owner.harness.map(names::plain).unwrap_or_default();
    let carrier = format_ident!("{harness}{camel}Args", span = function.span());
    Tool {
        cfgs,
        carrier,
        function,
        vis: owner.vis.clone(),
        description: options.description.as_ref().map_or(docs, syn::LitStr::value),
        name,
        takes_self,
        body,
        output,
        parameters,
        policies: policies(&options),
        examples: options.examples.iter().map(|example| (example.ask.value(), example.args.to_json())).collect(),
    }
}

/// The model's name for the tool.
fn name(raw: &RawTool, errors: &mut Errors) -> String {
    let (name, span) = match &raw.options.name {
        Some(name) => (name.value(), name.span()),
        None => (names::plain(&raw.signature.ident), raw.span()),
    };
    if !names::is_valid(&name) {
        let way = if raw.options.name.is_some() { "" } else { "; give one with `#[tool(name = \"…\")]`" };
        errors.at(span, format!("{name:?} cannot be a tool's name: {}{way}", names::RULE));
    }
    name
}

/// Whether the function is called on the harness.
fn receiver(raw: &RawTool, owner: &Owner<'_>, errors: &mut Errors) -> bool {
    let Some(FnArg::Receiver(receiver)) = raw.signature.inputs.first() else { return false };
    if owner.harness.is_none() {
        errors.over(receiver, "a method is a tool of a harness: put `#[harness]` on its `impl` block");
        return true;
    }
    let shared = match (&receiver.colon_token, &*receiver.ty) {
        (None, _) => receiver.reference.is_some() && receiver.mutability.is_none(),
        (Some(_), Type::Reference(reference)) => {
            reference.mutability.is_none() && matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("Self"))
        }
        (Some(_), _) => false,
    };
    if !shared {
        errors.over(
            receiver,
            "a tool takes `&self`: the harness is shared by all its calls. Keep what changes behind a `Mutex` or an atomic",
        );
    }
    true
}

/// Generics and qualifiers.
fn head(raw: &RawTool, errors: &mut Errors) {
    let signature = &raw.signature;
    if signature.generics.type_params().next().is_some() || signature.generics.const_params().next().is_some() {
        errors.over(&signature.generics, "a tool cannot be generic: the model is shown one schema. Name the types");
    }
    if let Some(keyword) = &signature.unsafety {
        errors.over(keyword, "a tool cannot be `unsafe`: the model keeps no promises");
    }
    if let Some(variadic) = &signature.variadic {
        errors.over(variadic, "a tool has a fixed list of parameters");
    }
}

fn body(raw: &RawTool, errors: &mut Errors) -> Body {
    let ToolOptions { blocking, timeout, .. } = &raw.options;
    let is_async = raw.signature.asyncness.is_some();
    match blocking {
        Some(blocking) if blocking.value && is_async => {
            errors.at(blocking.span, "`blocking` is for sync functions: an `async` one gives way where it waits");
            Body::Async
        }
        _ if is_async => Body::Async,
        Some(blocking) if blocking.value => Body::Blocking,
        _ => {
            if let Some(timeout) = timeout {
                errors.at(
                    timeout.span,
                    "a sync body cannot be timed out: nothing interrupts it. Make the function `async`, or add `blocking`",
                );
            }
            Body::Inline
        }
    }
}

/// Where the return type stands.
fn output(raw: &RawTool) -> Span {
    match &raw.signature.output {
        ReturnType::Default => raw.span(),
        ReturnType::Type(_, ty) => Span::call_site().located_at(ty.span()),
    }
}

fn parameter(raw: &RawParameter, owner: &Owner<'_>, errors: &mut Errors) -> Option<Parameter> {
    if let Some(cfg) = &raw.cfg {
        errors.over(cfg, "a tool's parameter cannot be conditional: put `#[cfg]` on the whole function");
    }
    let role = errors.keep(types::role(&raw.ty, owner.generics));
    if let (Some(Role::Context | Role::Cancellation), Some(arg)) = (&role, raw.arg()) {
        errors.over(arg, "the model does not send this parameter, so `#[arg]` has no meaning here");
    }
    let name = raw.name();
    if name.is_none() && matches!(role, Some(Role::Value(_) | Role::Text(_)) | None) {
        errors.over(&raw.pattern, "a tool's parameter needs a name, which the model sees: write `name: Type`");
    }
    let by_reference = matches!(role, Some(Role::Text(_)));
    match role? {
        Role::Context => Some(Parameter::Context),
        Role::Cancellation => Some(Parameter::Cancellation),
        Role::Value(ty) | Role::Text(ty) => Some(Parameter::Argument(Argument {
            attributes: raw.attributes.iter().map(|attribute| written_out(attribute, owner.self_ty)).collect(),
            name: name?.clone(),
            ty: written_out(ty, owner.self_ty),
            by_reference,
        })),
    }
}

/// Puts the harness's type in the place of `Self`, which means something else in the carrier.
fn written_out(tokens: impl ToTokens, self_ty: Option<&Type>) -> TokenStream {
    let replaced = |token: TokenTree| match (token, self_ty) {
        (TokenTree::Ident(word), Some(ty)) if word == "Self" => ty.to_token_stream(),
        (TokenTree::Group(group), _) => {
            let mut inner = Group::new(group.delimiter(), written_out(group.stream(), self_ty));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        (token, _) => token.into(),
    };
    tokens.to_token_stream().into_iter().flat_map(replaced).collect()
}

/// Every property that an example names must be one.
fn examples(raw: &RawTool, errors: &mut Errors) {
    let is_argument =
        |parameter: &&RawParameter| !matches!(types::role(&parameter.ty, &[]), Ok(Role::Context | Role::Cancellation));
    let arguments: Vec<&RawParameter> = raw.parameters.iter().filter(is_argument).collect();
    if arguments.iter().any(|parameter| parameter.flatten) {
        return;
    }
    let known: Vec<String> = arguments.iter().filter_map(|parameter| parameter.property()).collect();
    let known = || known.iter().map(String::as_str);
    for (name, _) in raw.options.examples.iter().flat_map(|example| &example.args.properties) {
        if known().any(|property| property == name.text) {
            continue;
        }
        let suggestion = nearest::suggestion(&name.text, known());
        let stop = if suggestion.is_empty() { "." } else { "" };
        let message = match known().next() {
            Some(_) => {
                format!("the tool has no property `{}`{suggestion}{stop} It has: {}", name.text, nearest::list(known()))
            }
            None => format!("the tool has no property `{}`: it takes no arguments", name.text),
        };
        errors.at(name.span, message);
    }
}

/// Policies that differ from the default.
fn policies(options: &ToolOptions) -> Vec<Policy> {
    let switch = |name, given: Option<bool>, default| {
        given.filter(|value| *value != default).map(|value| Policy::Switch(name, value))
    };
    [
        options.output.as_ref().map(|_| Policy::Output),
        switch("requires_permission", options.requires_permission, false),
        switch("idempotent", options.idempotent, false),
        switch("read_only", options.read_only, false),
        switch("parallel", options.parallel, true),
        options.timeout.as_ref().map(|timeout| Policy::Timeout(timeout.value)),
        options.max_output.map(Policy::MaxOutput),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Two tools of one harness must not share a name, nor the name of their carrier.
///
/// The first `shared` conditions are the block's, the same for all.
pub(crate) fn duplicates(tools: &[(Tool, Span)], shared: usize, errors: &mut Errors) {
    for (index, (tool, span)) in tools.iter().enumerate() {
        for (earlier, _) in tools.iter().take(index) {
            // Conditions may exclude each other; rustc will say if they do not.
            if tool.cfgs.len() > shared && earlier.cfgs.len() > shared {
                continue;
            }
            let function = &earlier.function;
            if tool.name == earlier.name {
                errors.at(
                    *span,
                    format!(
                        "`{}` is already the name of another tool of the harness, the function `{function}`",
                        tool.name
                    ),
                );
            } else if tool.carrier == earlier.carrier {
                let carrier = &tool.carrier;
                errors.at(
                    *span,
                    format!("the argument type `{carrier}` is already that of `{function}`: rename one of the two"),
                );
            }
        }
    }
}

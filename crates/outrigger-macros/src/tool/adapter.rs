//! The expression that makes a tool: its spec, and the function pointer that calls the body.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::{Body, Parameter, Policy, Tool};
use crate::path;

/// `Arc<NativeTool<…>>` for a tool. `harness` is the expression of the shared harness, of type `ty`; `callee` is the
/// path of the function.
pub(crate) fn constructor(
    tool: &Tool,
    (ty, harness): (&TokenStream, &TokenStream),
    callee: &TokenStream,
    private: &TokenStream,
) -> TokenStream {
    let carrier = &tool.carrier;
    let spec = spec(tool, private);
    let body = body(tool, callee, private);
    quote! {
        ::std::sync::Arc::new(#private::NativeTool::<#ty, #carrier>::new(#harness, #spec, #body))
    }
}

fn spec(tool: &Tool, private: &TokenStream) -> TokenStream {
    let Tool { name, description, .. } = tool;
    let new = quote!(#private::ToolSpec::new(#name, #description));
    if tool.policies.is_empty() && tool.examples.is_empty() {
        return new;
    }
    let policies = tool.policies.iter().map(|policy| policy.assignment(private));
    let examples = (!tool.examples.is_empty()).then(|| {
        let examples = tool.examples.iter().map(|(ask, args)| quote!(#private::Example::new(#ask, #args)));
        quote!(spec.examples = ::std::vec::Vec::from([#(#examples),*]);)
    });
    quote! {{
        let mut spec = #new;
        #(#policies)*
        #examples
        spec
    }}
}

impl Policy {
    fn assignment(&self, private: &TokenStream) -> TokenStream {
        match self {
            Self::Output => quote!(spec.kind = #private::ToolKind::Output;),
            Self::Switch(name, value) => {
                let field = format_ident!("{name}");
                quote!(spec.#field = #value;)
            }
            Self::Timeout(milliseconds) => {
                quote!(spec.timeout = ::std::option::Option::Some(::std::time::Duration::from_millis(#milliseconds));)
            }
            Self::MaxOutput(bytes) => quote!(spec.max_output = ::std::option::Option::Some(#bytes);),
        }
    }
}

/// The function pointer. A future that cannot be sent is reported at the function's name, an output that cannot be
/// shown at its type.
fn body(tool: &Tool, callee: &TokenStream, private: &TokenStream) -> TokenStream {
    let span = tool.function.span();
    let output = path::located(private, tool.output);
    let output = quote_spanned!(tool.output=> #output::tool_output!);
    let [harness, arguments, context] = ["harness", "arguments", "context"].map(local);
    let receiver = tool.takes_self.then(|| quote!(&#harness,));
    let passed = tool.parameters.iter().map(|parameter| match parameter {
        Parameter::Argument(argument) => {
            let name = &argument.name;
            if argument.by_reference { quote!(&#arguments.#name) } else { quote!(#arguments.#name) }
        }
        Parameter::Context => quote!(&#context),
        Parameter::Cancellation => {
            quote!(::std::clone::Clone::clone(#private::ToolContext::cancellation(&#context)))
        }
    });
    let call = quote_spanned!(span=> #callee(#receiver #(#passed),*));
    let has = |wanted: fn(&Parameter) -> bool| tool.parameters.iter().any(wanted);
    let harness = used(harness, tool.takes_self);
    let arguments = used(arguments, has(|parameter| matches!(parameter, Parameter::Argument(_))));
    let context = used(context, has(|parameter| !matches!(parameter, Parameter::Argument(_))));
    match tool.body {
        Body::Blocking => quote_spanned! {span=>
            #private::Body::Blocking(|#harness, #arguments, #context| #output(#call))
        },
        Body::Async | Body::Inline => {
            let wait = (tool.body == Body::Async).then(|| quote_spanned!(span=> .await));
            quote_spanned! {span=>
                #private::Body::Future(|#harness, #arguments, #context| {
                    ::std::boxed::Box::pin(async move { #output(#call #wait) })
                })
            }
        }
    }
}

/// A local that no name of the user's can shadow.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

fn used(name: Ident, used: bool) -> TokenStream {
    if used { quote!(#name) } else { quote!(_) }
}

//! The type of a tool's arguments.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Argument, Parameter, Tool};

/// The struct with one field a parameter that the model sends; its contract is the tool's schema, binder and canonical
/// form. It is shown and compared by its canonical form, which asks nothing of its fields.
pub(crate) fn carrier(tool: &Tool, private: &TokenStream) -> TokenStream {
    let Tool { cfgs, carrier, vis, .. } = tool;
    let fields = tool.arguments().map(|Argument { attributes, name, ty, .. }| quote!(#(#attributes)* pub #name: #ty));
    quote! {
        #(#cfgs)*
        #[derive(#private::Contract)]
        #[contract(crate = #private)]
        #[allow(missing_docs, private_interfaces, unreachable_pub, dead_code, clippy::struct_excessive_bools)]
        #vis struct #carrier {
            #(#fields,)*
        }

        #(#cfgs)*
        #[automatically_derived]
        impl ::std::fmt::Debug for #carrier {
            fn fmt(&self, out: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                out.write_str(&#private::encode(self))
            }
        }

        #(#cfgs)*
        #[automatically_derived]
        impl ::std::cmp::PartialEq for #carrier {
            fn eq(&self, other: &Self) -> bool {
                #private::encode(self) == #private::encode(other)
            }
        }

        #(#cfgs)*
        #[automatically_derived]
        impl ::std::cmp::Eq for #carrier {}
    }
}

impl Tool {
    /// Parameters that the model sends.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Argument(argument) => Some(argument),
            Parameter::Context | Parameter::Cancellation => None,
        })
    }
}

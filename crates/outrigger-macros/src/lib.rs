//! The attribute and derive macros of Outrigger.

mod docs;
mod errors;
mod example;
#[cfg(test)]
mod expansions;
mod harness;
mod names;
mod nearest;
mod options;
mod path;
mod tool;
mod units;

use proc_macro::TokenStream;

/// Makes an `impl` block a harness.
#[proc_macro_attribute]
pub fn harness(options: TokenStream, item: TokenStream) -> TokenStream {
    attribute(options, item, harness::harness)
}

/// Makes a function a tool.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    attribute(options, item, tool::function)
}

type Tokens = proc_macro2::TokenStream;

fn attribute(options: TokenStream, item: TokenStream, expand: fn(Tokens, Tokens, &Tokens) -> Tokens) -> TokenStream {
    match path::private() {
        Ok(private) => expand(options.into(), item.into(), &private).into(),
        Err(error) => {
            let mut item = item;
            item.extend(TokenStream::from(error.to_compile_error()));
            item
        }
    }
}

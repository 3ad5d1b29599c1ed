//! The attribute and derive macros of Outrigger.

mod contract;

use proc_macro::TokenStream;

/// Derives a closed schema, a strict reader and a canonical form for a struct or an enum.
///
/// A field's doc comment is what the model reads about it. `#[arg(...)]` on a field sets rules: `default`,
/// `default = expr`, `rename`, `description`, `min`, `max`, `exclusive_min`, `exclusive_max`, `multiple_of`, `min_len`,
/// `max_len`, `pattern`, `format`, `min_items`, `max_items`, `unique`, `example`. Those of serde's attributes that change
/// what the JSON looks like are honoured where the result stays closed. An enum with data is tagged by `type` unless it
/// says otherwise.
#[proc_macro_derive(Contract, attributes(arg, contract, serde))]
pub fn derive_contract(input: TokenStream) -> TokenStream {
    contract::derive(input.into()).into()
}

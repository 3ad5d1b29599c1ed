//! Snapshots of a few expansions.

use quote::quote;

/// The expansion of a declaration, formatted, behind a short path.
fn expansion(input: proc_macro2::TokenStream) -> String {
    let tokens = super::expand(input).unwrap();
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

#[test]
fn a_struct_expands_to_a_record() {
    insta::assert_snapshot!(expansion(quote! {
        /// Where to look.
        #[contract(crate = c)]
        struct Place {
            /// The city.
            #[arg(min_len = 1, pattern = "^[A-Z]")]
            city: String,
            #[arg(default = 3, min = 1, max = 14)]
            days: u8,
            unit: Option<Unit>,
        }
    }));
}

#[test]
fn an_enum_without_data_expands_to_names() {
    insta::assert_snapshot!(expansion(quote! {
        #[contract(crate = c)]
        #[serde(rename_all = "snake_case")]
        enum Unit { Celsius, DegreesFahrenheit }
    }));
}

#[test]
fn an_enum_with_data_expands_to_a_tagged_union() {
    insta::assert_snapshot!(expansion(quote! {
        #[contract(crate = c)]
        enum Figure {
            /// A round one.
            Circle { radius: f64 },
            Named(Place),
            Nothing,
        }
    }));
}

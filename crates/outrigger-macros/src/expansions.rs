//! What representative inputs become, and what wrong ones are told.

use proc_macro2::TokenStream;
use quote::quote;

fn file(tokens: &TokenStream) -> String {
    let file: syn::File = syn::parse2(tokens.clone()).expect("an expansion is a list of items");
    prettyplease::unparse(&file)
}

fn harness(options: TokenStream, item: TokenStream) -> String {
    file(&crate::harness::harness(options, item, &quote!(::outrigger::__private)))
}

fn tool(options: TokenStream, item: TokenStream) -> String {
    file(&crate::tool::function(options, item, &quote!(::outrigger::__private)))
}

/// The messages of all errors in an expansion, a line each.
fn messages(expansion: &str) -> String {
    let file: syn::File = syn::parse_str(expansion).unwrap();
    let message = |item: &syn::Item| match item {
        syn::Item::Macro(call) if call.mac.path.segments.last().unwrap().ident == "compile_error" => {
            Some(syn::parse2::<syn::LitStr>(call.mac.tokens.clone()).unwrap().value())
        }
        _ => None,
    };
    file.items.iter().filter_map(message).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_harness_with_one_async_tool() {
    insta::assert_snapshot!(harness(
        quote!(),
        quote! {
            /// Weather reports.
            impl Weather {
                /// Gets the current weather for a city.
                #[tool]
                async fn current(
                    &self,
                    /// The city to look up.
                    city: String,
                    /// Temperature unit.
                    #[arg(default)]
                    unit: Unit,
                ) -> Result<Report, WeatherError> {
                    todo!()
                }

                fn not_a_tool(&self) {}
            }
        }
    ));
}

#[test]
fn every_policy_and_an_example() {
    insta::assert_snapshot!(harness(
        quote!(name = "Climate", description = "All about the climate.", vis = pub(crate)),
        quote! {
            impl crate::Weather {
                /// Overridden.
                #[tool(
                    name = "set-alarm",
                    description = "Sets an alarm.",
                    requires_permission,
                    idempotent,
                    read_only = false,
                    parallel = false,
                    timeout = "30s",
                    max_output = "1MiB",
                    example(ask = "Warn me of rain", args = { kind: "rain", after: none }),
                    example(ask = "And of storms", args = { kind: "storm" }),
                )]
                pub async fn alarm(&self, #[arg(rename = "kind")] what: Self, after: Option<u64>) {}
            }
        }
    ));
}

#[test]
fn runtime_parameters_borrowed_text_and_sync_bodies() {
    insta::assert_snapshot!(harness(
        quote!(),
        quote! {
            impl Files {
                #[tool]
                fn read(&self, cx: &outrigger::ToolContext, path: &str, stop: CancellationToken) -> String {}
                #[tool(blocking, timeout = "5m")]
                fn scan(&self, mut r#type: String) {}
                #[tool]
                fn now() -> String {}
            }
        }
    ));
}

#[test]
fn conditions_and_generics() {
    insta::assert_snapshot!(harness(
        quote!(),
        quote! {
            #[cfg(feature = "store")]
            impl<T: Send + Sync + 'static, const N: usize> Store<T, N>
            where
                T: Clone,
            {
                #[cfg(unix)]
                #[tool]
                async fn get(&self, key: String) -> String {}
            }
        }
    ));
}

#[test]
fn a_free_function() {
    insta::assert_snapshot!(tool(
        quote!(read_only),
        quote! {
            /// Searches the web.
            pub async fn search(
                /// What to look for.
                query: String,
            ) -> Vec<Hit> {
                todo!()
            }
        }
    ));
}

#[test]
fn all_errors_of_a_block_come_together() {
    insta::assert_snapshot!(messages(&harness(
        quote!(nmae = "x"),
        quote! {
            impl Weather {
                #[tool(tiemout = "3s", blocking)]
                async fn one(&mut self, agent: &Agent, (a, b): (u8, u8)) {}
                #[tool(name = "a b")]
                fn two<T>(self, token: Vec<CancellationToken>, out: Sender<u8>) {}
                #[tool(name = "one", timeout = "3s", example(ask = "?", args = { ctiy: 1 }))]
                fn three(&self, city: String) {}
                #[tool(max_output = "1 MB/s", timeout = "soon", parallel = "no", when)]
                #[tool]
                unsafe fn four(&self, #[cfg(unix)] x: u8, #[arg(default)] cx: &ToolContext, c: impl Into<String>) {}
                #[tool]
                const X: u8 = 1;
            }
        }
    )));
}

#[test]
fn attributes_in_the_wrong_place_say_where_they_belong() {
    let all = [
        harness(
            quote!(),
            quote!(
                struct Weather;
            ),
        ),
        harness(quote!(), quote!(impl Display for Weather {})),
        harness(quote!(), quote!(impl Weather {})),
        harness(
            quote!(),
            quote!(
                impl<'a> Weather<'a> {
                    #[tool]
                    fn a(&self) {}
                }
            ),
        ),
        harness(quote!(), quote!(impl [u8] { #[tool] fn a(&self) {} })),
        tool(
            quote!(),
            quote!(
                struct Weather;
            ),
        ),
        tool(
            quote!(),
            quote!(
                fn current(&self) {}
            ),
        ),
        tool(
            quote!(),
            quote!(
                const fn größe(x: u8) {}
            ),
        ),
    ];
    insta::assert_snapshot!(all.map(|expansion| messages(&expansion)).join("\n"));
}

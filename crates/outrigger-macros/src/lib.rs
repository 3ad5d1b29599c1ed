//! The attribute and derive macros of Outrigger.

mod contract;
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

/// Makes a type a harness: every method of the block with `#[tool]` becomes a tool that a model can call.
///
/// The doc comment of the block says what the group is for, that of a method what the tool does, and that of a parameter
/// what the model should put there. The type must be `Send + Sync + 'static`: one value serves all calls.
///
/// ```
/// use outrigger_core::harness::Harness;
/// use outrigger_core::tool::{Tool, ToolContext};
/// use outrigger_macros::harness;
/// use std::sync::Arc;
///
/// struct Weather {
///     station: String,
/// }
///
/// /// Weather reports.
/// #[harness]
/// impl Weather {
///     /// Gets the current weather for a city.
///     #[tool(read_only, timeout = "30s", example(ask = "How is it in Paris?", args = { city: "Paris" }))]
///     async fn current(
///         &self,
///         /// The city to look up.
///         city: String,
///         /// How many days ahead.
///         #[arg(default, max = 7)]
///         days: u8,
///         context: &ToolContext,
///     ) -> Result<String, std::io::Error> {
///         if context.cancellation().is_cancelled() {
///             return Err(std::io::Error::other("too late"));
///         }
///         Ok(format!("{} says: sunny in {city} for {days} days", self.station))
///     }
///
///     /// Counts the stations.
///     #[tool]
///     fn count(&self) -> usize {
///         1
///     }
/// }
///
/// let weather = Arc::new(Weather { station: "Eiffel".to_owned() });
/// assert_eq!((weather.name(), weather.description()), ("Weather", "Weather reports."));
/// let tools = weather.tools();
/// let names: Vec<&str> = tools.iter().map(|tool| &*tool.spec().name).collect();
/// assert_eq!(names, ["current", "count"]);
///
/// // The arguments are a type of their own: build, compare, log.
/// let arguments = WeatherCurrentArgs { city: "Paris".to_owned(), days: 0 };
/// assert_eq!(format!("{arguments:?}"), r#"{"city":"Paris","days":0}"#);
/// ```
///
/// # What it makes
///
/// - The block itself, without the attributes that are not Rust's: the methods stay ordinary methods. Clippy's lints about
///   signatures (too many arguments, values that could be references, unused `self` or `async`) are silent on tools.
/// - For each tool a public struct `<Type><Method>Args` with a field for each parameter that the model sends. It derives
///   `Contract`, and is shown (`Debug`) and compared (`PartialEq`) by its canonical JSON.
/// - The implementation of `Harness`.
///
/// `#[cfg]` on a method or on the block holds for all of these.
///
/// # Options
///
/// | option | meaning | default |
/// |---|---|---|
/// | `name = "…"` | the harness's name | the type's name |
/// | `description = "…"` | what the group is for | the doc comment |
/// | `vis = pub(crate)` | visibility of the argument structs | `pub` |
/// | `collapse` or `collapse(…)` | the tools stand behind one container that opens them | always visible |
///
/// Options of `collapse(…)`:
///
/// | option | meaning | default |
/// |---|---|---|
/// | `description = "…"` | what the model reads of the container | the harness's description |
/// | `result = "…"` | what opening it says after the list of its tools; or a function of the harness, `result = Self::words`, called when it is opened | nothing |
/// | `instructions = "…"` | what stands in the system text while it is open; or a function | nothing |
/// | `lifetime = turn` | how long it stays open: `turn`, `thread`, or `idle(3)` iterations without a call of its tools | `turn` |
/// | `list = false` | opening it says `result` alone | lists its tools |
///
/// ```
/// use outrigger_core::harness::Harness;
/// use outrigger_core::transcript::Lifetime;
/// use outrigger_macros::harness;
///
/// struct Math {
///     digits: usize,
/// }
///
/// /// Exact arithmetic.
/// #[harness(collapse(result = Self::precision, instructions = "Show your work.", lifetime = idle(3)))]
/// impl Math {
///     /// Divides.
///     #[tool]
///     fn divide(&self, by: f64) -> f64 {
///         1.0 / by
///     }
///
///     fn precision(&self) -> String {
///         format!("Results have {} digits.", self.digits)
///     }
/// }
///
/// let collapse = Math { digits: 12 }.collapse().unwrap();
/// assert_eq!(collapse.result.as_deref(), Some("Results have 12 digits."));
/// assert_eq!(collapse.lifetime, Lifetime::Idle(3));
/// ```
///
/// # Tools
///
/// A tool takes `&self` or no `self`, is `async` or not, and returns anything that is `IntoToolOutput`, `Serialize`, `()`,
/// or a `Result` of one of these with an error that is `Display`. Options of `#[tool(…)]`:
///
/// | option | meaning | default |
/// |---|---|---|
/// | `name = "…"` | the name that the model uses | the method's name |
/// | `description = "…"` | what the model reads | the doc comment |
/// | `requires_permission` | a person or a rule must allow each call | no |
/// | `idempotent` | may run again after a crash | no |
/// | `read_only` | changes nothing outside | no |
/// | `parallel = false` | runs alone in its batch | runs beside others |
/// | `blocking` | a sync body that blocks: runs off the executor | runs inline |
/// | `timeout = "30s"` | how long a call may take (`ms`, `s`, `m`, `h`); for `async` and `blocking` bodies | the agent's |
/// | `max_output = "1MiB"` | a result beyond is an error (`B`, `KiB`, `MiB`, `GiB`, `kB`, `MB`, `GB`) | none |
/// | `example(ask = "…", args = { … })` | a worked example, any number: values are JSON, property names need no quotes, `none` is `null` | none |
///
/// # Parameters
///
/// | parameter | what it is |
/// |---|---|
/// | a type that is `Contract` | a property; `#[arg(…)]` sets its rules as on a field of `#[derive(Contract)]` |
/// | `&str` | a string property |
/// | `&ToolContext` | what the tool may know of the call; not in the schema |
/// | `CancellationToken` | raised when the call should stop; not in the schema |
///
/// The last two are recognised by the last part of their path. No other reference can be a parameter.
#[proc_macro_attribute]
pub fn harness(options: TokenStream, item: TokenStream) -> TokenStream {
    attribute(options, item, harness::harness)
}

/// Makes a function a tool. On methods it belongs to [`macro@harness`], which explains its options and parameters.
///
/// A free function stays what it is. A type of the same name makes the tool: `search::tool()`.
///
/// ```
/// use outrigger_core::tool::Tool;
/// use outrigger_macros::tool;
///
/// /// Searches the notes.
/// #[tool(read_only)]
/// async fn search(
///     /// Words that must occur.
///     words: Vec<String>,
/// ) -> Vec<String> {
///     words
/// }
///
/// let tool = search::tool();
/// assert_eq!((&*tool.spec().name, &*tool.spec().description), ("search", "Searches the notes."));
/// let arguments = SearchArgs { words: vec!["outrigger".to_owned()] };
/// let _future = search(arguments.words);
/// ```
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

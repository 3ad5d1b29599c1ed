//! A tool: read from a function (`parse`), judged (`check`), and written out (`carrier`, `adapter`).

mod adapter;
mod carrier;
mod check;
mod function;
mod parse;
mod types;

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Ident, Visibility};

pub(crate) use adapter::constructor;
pub(crate) use carrier::carrier;
pub(crate) use check::{Owner, check, duplicates};
pub(crate) use function::function;
pub(crate) use parse::{RawTool, is_cfg, is_tool};

/// A tool that is known to be right.
pub(crate) struct Tool {
    /// Conditions that everything generated stands under.
    pub(crate) cfgs: Vec<Attribute>,
    /// The function.
    pub(crate) function: Ident,
    /// The type of its arguments.
    pub(crate) carrier: Ident,
    /// The visibility of that type.
    pub(crate) vis: Visibility,
    /// The model's name for it.
    pub(crate) name: String,
    /// What the model reads.
    pub(crate) description: String,
    /// Whether the function is called on the harness.
    pub(crate) takes_self: bool,
    /// How the function runs.
    pub(crate) body: Body,
    /// Where the type of its output stands.
    pub(crate) output: Span,
    /// Its parameters in order, without `self`.
    pub(crate) parameters: Vec<Parameter>,
    /// Policies that differ from the default, as fields of the spec and their values.
    pub(crate) policies: Vec<Policy>,
    /// Questions and arguments as JSON text.
    pub(crate) examples: Vec<(String, String)>,
}

/// How a function runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// `async fn`.
    Async,
    /// A sync function that runs inline.
    Inline,
    /// A sync function that runs off the executor.
    Blocking,
}

/// A parameter of a tool.
pub(crate) enum Parameter {
    /// The model sends it.
    Argument(Argument),
    /// `&ToolContext`.
    Context,
    /// `CancellationToken`.
    Cancellation,
}

/// A parameter that the model sends.
pub(crate) struct Argument {
    /// Doc comments, `#[arg]` and `#[serde]`.
    pub(crate) attributes: Vec<TokenStream>,
    /// The parameter's name.
    pub(crate) name: Ident,
    /// The type of the carrier's field.
    pub(crate) ty: TokenStream,
    /// Whether the function takes a reference to the field.
    pub(crate) by_reference: bool,
}

/// A policy that differs from the default.
pub(crate) enum Policy {
    /// The arguments are the turn's result.
    Output,
    /// A switch.
    Switch(&'static str, bool),
    /// Milliseconds.
    Timeout(u64),
    /// Bytes.
    MaxOutput(u64),
}

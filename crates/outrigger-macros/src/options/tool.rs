//! The arguments of `#[tool(…)]`.

use proc_macro2::{Span, TokenStream};
use syn::{Ident, LitStr};

use super::{Entry, Placed, entries, set};
use crate::errors::Errors;
use crate::example::Example;
use crate::units;

const KNOWN: &[&str] = &[
    "name",
    "description",
    "kind",
    "requires_permission",
    "idempotent",
    "read_only",
    "blocking",
    "parallel",
    "timeout",
    "max_output",
    "example",
];

/// What `#[tool(…)]` says, as written.
#[derive(Default)]
pub(crate) struct ToolOptions {
    /// Instead of the function's name.
    pub(crate) name: Option<LitStr>,
    /// Instead of the doc comment.
    pub(crate) description: Option<LitStr>,
    /// Whether the arguments are the result.
    pub(crate) output: Option<Placed<()>>,
    pub(crate) requires_permission: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) read_only: Option<bool>,
    pub(crate) blocking: Option<Placed<bool>>,
    pub(crate) parallel: Option<bool>,
    /// Milliseconds.
    pub(crate) timeout: Option<Placed<u64>>,
    /// Bytes.
    pub(crate) max_output: Option<u64>,
    /// In order.
    pub(crate) examples: Vec<Example>,
}

impl ToolOptions {
    /// Adds what one attribute says; what cannot be read is reported and left out.
    pub(crate) fn read(&mut self, tokens: TokenStream, errors: &mut Errors) {
        for entry in entries(tokens, errors) {
            let taken = self.take(entry, errors);
            errors.keep(taken);
        }
    }

    fn take(&mut self, entry: Entry, errors: &mut Errors) -> syn::Result<()> {
        let key = entry.key.clone();
        match key.to_string().as_str() {
            "name" => set(&mut self.name, &key, entry.string()?),
            "description" => set(&mut self.description, &key, entry.string()?),
            "kind" => set(&mut self.output, &key, kind(entry)?),
            "requires_permission" => set(&mut self.requires_permission, &key, entry.flag()?),
            "idempotent" => set(&mut self.idempotent, &key, entry.flag()?),
            "read_only" => set(&mut self.read_only, &key, entry.flag()?),
            "blocking" => set(&mut self.blocking, &key, Placed { value: entry.flag()?, span: key.span() }),
            "parallel" => set(&mut self.parallel, &key, entry.flag()?),
            "timeout" => set(&mut self.timeout, &key, duration(entry)?),
            "max_output" => set(&mut self.max_output, &key, size(entry)?),
            "example" => {
                let wanted = "`example` is `example(ask = \"…\", args = { property: value })`";
                if let Some(example) = Example::parse(&key, entry.list(wanted)?, errors) {
                    self.examples.push(example);
                }
                Ok(())
            }
            _ => Err(entry.unknown("`#[tool]`", KNOWN)),
        }
    }
}

fn kind(entry: Entry) -> syn::Result<Placed<()>> {
    let span = entry.key.span();
    let wanted = "`kind` has one value: `kind = output`, a tool whose arguments are the turn's result";
    match entry.value(wanted)?.to_string().trim_matches('"') {
        "output" => Ok(Placed { value: (), span }),
        _ => Err(syn::Error::new(span, wanted)),
    }
}

fn duration(entry: Entry) -> syn::Result<Placed<u64>> {
    let span: Span = Ident::span(&entry.key);
    let text = entry.string()?;
    match units::milliseconds(&text.value()) {
        Some(value) => Ok(Placed { value, span }),
        None => Err(syn::Error::new(
            text.span(),
            format!(
                "{:?} is not a duration: write a whole number above 0 and `ms`, `s`, `m` or `h`, as in \"30s\"",
                text.value()
            ),
        )),
    }
}

fn size(entry: Entry) -> syn::Result<u64> {
    let text = entry.string()?;
    units::bytes(&text.value()).ok_or_else(|| {
        let text_value = text.value();
        let message = format!(
            "{text_value:?} is not a size: write a whole number above 0 and `B`, `KiB`, `MiB` or `GiB` (or `kB`, `MB`, `GB`), as in \"1MiB\"",
        );
        syn::Error::new(text.span(), message)
    })
}

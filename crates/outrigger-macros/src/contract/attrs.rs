//! Our own attributes: `#[arg(...)]` on fields and variants, `#[contract(...)]` on types.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ExprUnary, Lit, LitStr, Path, UnOp};

use super::errors::Errors;
use super::rules::{Bound, Rules};

/// What `#[arg(...)]` said.
#[derive(Default)]
pub(super) struct ArgAttrs {
    pub(super) default: Option<Given>,
    pub(super) rename: Option<LitStr>,
    pub(super) description: Option<LitStr>,
    pub(super) examples: Vec<Expr>,
    pub(super) rules: Rules,
    pub(super) when: Option<Span>,
}

/// A default as it was written.
pub(super) enum Given {
    Trait(Span),
    Expr(Expr),
}

/// What `#[contract(...)]` said.
#[derive(Default)]
pub(super) struct TypeAttrs {
    pub(super) root: Option<Path>,
    pub(super) description: Option<LitStr>,
}

const KNOWN: &str = "default, rename, description, min, max, exclusive_min, exclusive_max, multiple_of, min_len, \
     max_len, pattern, format, min_items, max_items, unique, example, when";

pub(super) fn arg(attrs: &[Attribute], errors: &mut Errors) -> ArgAttrs {
    let mut parsed = ArgAttrs::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("arg")) {
        let result = attr.parse_nested_meta(|meta| {
            let result = parsed.one(&meta);
            // One bad entry does not hide the others.
            if let Err(error) = result {
                skip_value(&meta)?;
                errors.push(error);
            }
            Ok(())
        });
        errors.keep(result);
    }
    parsed
}

pub(super) fn contract(attrs: &[Attribute], errors: &mut Errors) -> TypeAttrs {
    let mut parsed = TypeAttrs::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("contract")) {
        let result = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("crate") {
                parsed.root = Some(path(&meta)?);
            } else if meta.path.is_ident("description") {
                parsed.description = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error("unknown attribute; known are: crate, description"));
            }
            Ok(())
        });
        errors.keep(result);
    }
    parsed
}

/// A path, bare or in quotes as serde writes it.
fn path(meta: &ParseNestedMeta<'_>) -> syn::Result<Path> {
    let value = meta.value()?;
    if value.peek(LitStr) {
        return value.parse::<LitStr>()?.parse_with(Path::parse_mod_style);
    }
    value.call(Path::parse_mod_style)
}

fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(syn::Token![=]) {
        meta.value()?.parse::<Expr>()?;
    }
    Ok(())
}

impl ArgAttrs {
    fn one(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let span = meta.path.span();
        let rules = &mut self.rules;
        match name.as_str() {
            "default" if meta.input.peek(syn::Token![=]) => {
                once(&mut self.default, Given::Expr(meta.value()?.parse()?), span)
            }
            "default" => once(&mut self.default, Given::Trait(span), span),
            "rename" => once(&mut self.rename, meta.value()?.parse()?, span),
            "description" => once(&mut self.description, meta.value()?.parse()?, span),
            "example" => {
                self.examples.push(meta.value()?.parse()?);
                Ok(())
            }
            "min" => once(&mut rules.min, bound(meta)?, span),
            "max" => once(&mut rules.max, bound(meta)?, span),
            "exclusive_min" => once(&mut rules.exclusive_min, bound(meta)?, span),
            "exclusive_max" => once(&mut rules.exclusive_max, bound(meta)?, span),
            "multiple_of" => once(&mut rules.multiple_of, bound(meta)?, span),
            "min_len" => once(&mut rules.min_len, meta.value()?.parse()?, span),
            "max_len" => once(&mut rules.max_len, meta.value()?.parse()?, span),
            "min_items" => once(&mut rules.min_items, meta.value()?.parse()?, span),
            "max_items" => once(&mut rules.max_items, meta.value()?.parse()?, span),
            "pattern" => once(&mut rules.pattern, meta.value()?.parse()?, span),
            "format" => once(&mut rules.format, meta.value()?.parse()?, span),
            "unique" => once(&mut rules.unique, span, span),
            "when" => {
                meta.value()?.parse::<Expr>()?;
                once(&mut self.when, span, span)
            }
            _ => Err(meta.error(format_args!("unknown attribute; known are: {KNOWN}"))),
        }
    }
}

fn once<T>(slot: &mut Option<T>, value: T, span: Span) -> syn::Result<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(syn::Error::new(span, "given twice")),
    }
}

fn bound(meta: &ParseNestedMeta<'_>) -> syn::Result<Bound> {
    number(&meta.value()?.parse()?)
}

/// A number literal, with or without a minus.
pub(super) fn number(expr: &Expr) -> syn::Result<Bound> {
    let (negative, literal) = match expr {
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => (true, &**expr),
        other => (false, other),
    };
    let unusable = || syn::Error::new_spanned(expr, "a bound is a number literal, such as `1` or `-0.5`");
    let Expr::Lit(ExprLit { lit, .. }) = literal else {
        return Err(unusable());
    };
    match lit {
        Lit::Int(int) => {
            Ok(Bound::Int { negative, magnitude: int.base10_parse().map_err(|_| unusable())?, span: expr.span() })
        }
        Lit::Float(float) => {
            let value: f64 = float.base10_parse().map_err(|_| unusable())?;
            Ok(Bound::Float { value: if negative { -value } else { value }, span: expr.span() })
        }
        _ => Err(unusable()),
    }
}

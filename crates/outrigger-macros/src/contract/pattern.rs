//! Patterns that mean the same to Rust's `regex` and to ECMA-262, which schemas are read by.

use regex_syntax::ast::{
    self, AssertionKind, Ast, ClassSetBinaryOpKind, ClassUnicodeKind, GroupKind, HexLiteralKind, LiteralKind,
    SpecialLiteralKind,
};

/// Why a pattern cannot be used, if it cannot.
pub(super) fn check(pattern: &str) -> Result<(), String> {
    let mut parser = ast::parse::ParserBuilder::new().build();
    let parsed = parser.parse(pattern).map_err(|error| format!("not a regular expression: {}", error.kind()))?;
    ast::visit(&parsed, Portable)
        .map_err(|what| format!("{what} is not portable: a pattern has to mean the same in Rust and in ECMA-262"))?;
    let mut translator = regex_syntax::hir::translate::TranslatorBuilder::new().build();
    translator
        .translate(pattern, &parsed)
        .map(drop)
        .map_err(|error| format!("not a regular expression: {}", error.kind()))
}

struct Portable;

impl ast::Visitor for Portable {
    type Output = ();
    type Err = &'static str;

    fn finish(self) -> Result<(), Self::Err> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        match ast {
            Ast::Flags(_) => Err("setting flags inside"),
            Ast::Group(group) => match &group.kind {
                GroupKind::NonCapturing(flags) if !flags.items.is_empty() => Err("setting flags inside"),
                GroupKind::CaptureName { starts_with_p: true, .. } => Err("`(?P<name>...)`"),
                _ => Ok(()),
            },
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::StartText | AssertionKind::EndText => Err("`\\A` or `\\z`"),
                AssertionKind::StartLine
                | AssertionKind::EndLine
                | AssertionKind::WordBoundary
                | AssertionKind::NotWordBoundary => Ok(()),
                _ => Err("this kind of word boundary"),
            },
            Ast::Literal(literal) => portable_literal(&literal.kind),
            Ast::ClassUnicode(class) => portable_class(&class.kind),
            _ => Ok(()),
        }
    }

    fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> Result<(), Self::Err> {
        match item {
            ast::ClassSetItem::Ascii(_) => Err("`[:name:]`"),
            ast::ClassSetItem::Bracketed(_) => Err("a class inside a class"),
            ast::ClassSetItem::Literal(literal) => portable_literal(&literal.kind),
            ast::ClassSetItem::Range(range) => {
                portable_literal(&range.start.kind)?;
                portable_literal(&range.end.kind)
            }
            ast::ClassSetItem::Unicode(class) => portable_class(&class.kind),
            ast::ClassSetItem::Perl(class) if class.negated => Err("`\\D`, `\\S` or `\\W` inside a class"),
            _ => Ok(()),
        }
    }

    fn visit_class_set_binary_op_pre(&mut self, op: &ast::ClassSetBinaryOp) -> Result<(), Self::Err> {
        Err(match op.kind {
            ClassSetBinaryOpKind::Intersection => "`&&`",
            ClassSetBinaryOpKind::Difference => "`--`",
            ClassSetBinaryOpKind::SymmetricDifference => "`~~`",
        })
    }
}

fn portable_literal(kind: &LiteralKind) -> Result<(), &'static str> {
    match kind {
        LiteralKind::HexBrace(HexLiteralKind::X | HexLiteralKind::UnicodeShort | HexLiteralKind::UnicodeLong) => {
            Err("`\\x{...}` or `\\u{...}`")
        }
        LiteralKind::HexFixed(HexLiteralKind::UnicodeLong) => Err("`\\U`"),
        LiteralKind::Octal => Err("an octal escape"),
        LiteralKind::Superfluous => Err("a needless escape"),
        LiteralKind::Special(SpecialLiteralKind::Bell) => Err("`\\a`"),
        LiteralKind::Special(SpecialLiteralKind::Space) => Err("`\\ `"),
        _ => Ok(()),
    }
}

fn portable_class(kind: &ClassUnicodeKind) -> Result<(), &'static str> {
    match kind {
        ClassUnicodeKind::OneLetter(_) => Err("`\\pL` without braces"),
        ClassUnicodeKind::Named(_) | ClassUnicodeKind::NamedValue { .. } => {
            Err("`\\p{...}`, which ECMA-262 knows only with a flag,")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_part_passes() {
        for pattern in [
            "^[a-z][a-z0-9_-]{0,63}$",
            r"^\d{3}-\d{4}$",
            r"^(?:a|b)+\.[\w.]*\s?$",
            r"\bword\b",
            "^[^/]+/[^/]+$",
            r"^\u00e9\x41$",
            "(?<year>[0-9]{4})",
        ] {
            assert_eq!(check(pattern), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn what_only_one_side_knows_does_not() {
        for pattern in [
            "(?i)abc",
            "(?P<a>b)",
            r"\Aabc\z",
            "[[:alpha:]]",
            "[a&&b]",
            r"\p{L}",
            r"\pL",
            "(?=a)",
            r"(a)\1",
            "[a",
            r"\x{41}",
            r"[\D]",
            r"\a",
        ] {
            assert!(check(pattern).is_err(), "{pattern}");
        }
    }
}

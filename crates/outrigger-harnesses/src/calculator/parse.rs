//! From tokens to a tree, by recursive descent with a limit on depth.
//!
//! Weakest first: conversion (`to`), sums, products (juxtaposition included), signs, powers
//! (right to left), then `!`, `%` and units, which bind tightest: `10 km / 2 km` is 5.

use super::CalculatorError;
use super::syntax::{Constant, Expr, Function, Operator};
use super::token::Token;
use num_rational::BigRational;
use num_traits::One;

type Parsed = Result<Expr, CalculatorError>;

/// Levels of parentheses, signs and powers inside each other.
pub(super) const MAX_DEPTH: usize = 64;

/// Signs such as `!` behind one value.
const MAX_POSTFIX: usize = 8;

pub(super) fn parse(tokens: &[Token]) -> Parsed {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let expression = parser.conversion()?;
    match parser.peek() {
        None => Ok(expression),
        Some(_) => Err(parser.expected("an operator or the end")),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn peek_after(&self) -> Option<&'a Token> {
        self.tokens.get(self.at.saturating_add(1))
    }

    fn advance(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn sign(&self) -> Option<char> {
        match self.peek() {
            Some(Token::Sign(sign)) => Some(*sign),
            _ => None,
        }
    }

    fn word(&self) -> Option<&'a str> {
        match self.peek() {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    fn take_sign(&mut self, wanted: char) -> bool {
        let found = self.sign() == Some(wanted);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, wanted: &[&str]) -> bool {
        let found = self.word().is_some_and(|word| wanted.contains(&word));
        if found {
            self.advance();
        }
        found
    }

    fn expected(&self, expected: &'static str) -> CalculatorError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), Token::describe);
        CalculatorError::Syntax { expected, found }
    }

    fn deeper(&mut self, parse: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.depth >= MAX_DEPTH {
            return Err(CalculatorError::TooDeep { limit: MAX_DEPTH });
        }
        self.depth = self.depth.saturating_add(1);
        let parsed = parse(self);
        self.depth = self.depth.saturating_sub(1);
        parsed
    }

    fn conversion(&mut self) -> Parsed {
        let value = self.sum()?;
        if !self.take_word(&["to", "as", "in", "into"]) {
            return Ok(value);
        }
        Ok(Expr::Convert(Box::new(value), self.target()?))
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        loop {
            let operator = match self.sign() {
                Some('+') => Operator::Add,
                Some('-') => Operator::Subtract,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.product()?;
            if right.is_percentage() && !left.is_percentage() && !is_one(&left) {
                return Err(CalculatorError::AmbiguousPercent { percent: percentage(&right) });
            }
            left = Expr::binary(operator, left, right);
        }
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.unary()?;
        loop {
            let operator = if self.take_sign('*') || self.take_word(&["x", "X", "times"]) {
                Operator::Multiply
            } else if self.take_sign('/') || self.take_word(&["per"]) {
                Operator::Divide
            } else if self.take_sign('%') || self.take_word(&["mod"]) {
                Operator::Modulo
            } else if matches!(left, Expr::Percent(_)) && self.take_word(&["of"]) || self.value_follows() {
                Operator::Multiply
            } else {
                return Ok(left);
            };
            let right = self.unary()?;
            left = Expr::binary(operator, left, right);
        }
    }

    /// Does something follow that multiplies without a sign, as in `2(3 + 4)` or `2 pi`?
    fn value_follows(&self) -> bool {
        self.sign() == Some('(')
            || self
                .word()
                .is_some_and(|word| Constant::of(word).is_some() || Function::of(word).is_some() && word != "mod")
    }

    fn unary(&mut self) -> Parsed {
        if self.take_sign('-') {
            let of = self.deeper(Self::unary)?;
            return Ok(Expr::Negate(Box::new(of)));
        }
        if self.take_sign('+') {
            return self.deeper(Self::unary);
        }
        self.power()
    }

    fn power(&mut self) -> Parsed {
        let base = self.postfix()?;
        if !self.take_sign('^') {
            return Ok(base);
        }
        let exponent = self.deeper(Self::unary)?;
        Ok(Expr::binary(Operator::Power, base, exponent))
    }

    fn postfix(&mut self) -> Parsed {
        let mut value = self.primary()?;
        let mut signs = 0_usize;
        loop {
            signs = signs.saturating_add(1);
            if signs > MAX_POSTFIX {
                return Err(CalculatorError::TooDeep { limit: MAX_POSTFIX });
            }
            if self.take_sign('!') {
                value = Expr::Factorial(Box::new(value));
            } else if self.sign() == Some('%') && !self.modulo_follows() || self.word() == Some("percent") {
                self.advance();
                value = Expr::Percent(Box::new(value));
            } else {
                break;
            }
        }
        if !self.unit_follows() {
            return Ok(value);
        }
        let mut quantity = Expr::Quantity(Box::new(value), self.units()?);
        // `6 feet 1 inch` is a sum.
        while let (Some(Token::Number(number)), Some(Token::Name(_))) = (self.peek(), self.peek_after()) {
            self.advance();
            let part = Box::new(Expr::Number(number.clone()));
            let part = Expr::Quantity(part, self.units()?);
            quantity = Expr::binary(Operator::Add, quantity, part);
        }
        Ok(quantity)
    }

    /// `17 % 5` is a remainder, `17% of 5`, `17% * 5` and `17%` are percentages.
    fn modulo_follows(&self) -> bool {
        match self.peek_after() {
            Some(Token::Number(_) | Token::Sign('(')) => true,
            Some(Token::Name(name)) => Constant::of(name).is_some() || Function::of(name).is_some() && name != "mod",
            _ => false,
        }
    }

    fn unit_follows(&self) -> bool {
        self.word().is_some_and(|word| match word {
            // Inches, unless a target follows that makes it a conversion.
            "in" => !matches!(self.peek_after(), Some(Token::Name(name)) if !is_keyword(name)),
            "min" => self.peek_after() != Some(&Token::Sign('(')),
            _ => !is_keyword(word) && !is_value(word),
        })
    }

    /// One unit or several, each with an optional whole power: `m`, `kg m^2`, `light years`.
    fn units(&mut self) -> Result<String, CalculatorError> {
        let mut units = Vec::new();
        // Only directly behind a number is `in` the inch.
        while self.unit_follows() && (units.is_empty() || self.word() != Some("in")) {
            units.push(self.unit()?);
        }
        if units.is_empty() { Err(self.expected("a unit")) } else { Ok(units.join(" ")) }
    }

    fn unit(&mut self) -> Result<String, CalculatorError> {
        let mut unit = match self.word() {
            Some("in") => "inch".to_owned(),
            Some(word) => word.to_owned(),
            None => return Err(self.expected("a unit")),
        };
        self.advance();
        if self.take_sign('^') {
            let minus = if self.take_sign('-') { "-" } else { "" };
            let Some(Token::Number(power)) = self.peek().filter(|token| small(token)) else {
                return Err(self.expected("a whole power of the unit below 10"));
            };
            unit = format!("{unit}^{minus}{power}");
            self.advance();
        }
        Ok(unit)
    }

    /// What a conversion leads to: `km/h`, `hex`, `%`.
    fn target(&mut self) -> Result<String, CalculatorError> {
        if self.take_sign('%') {
            return Ok("%".to_owned());
        }
        let mut target = self.target_units()?;
        loop {
            let sign = if self.take_sign('*') {
                '*'
            } else if self.take_sign('/') || self.take_word(&["per"]) {
                '/'
            } else {
                return Ok(target);
            };
            target = format!("{target} {sign} {}", self.target_units()?);
        }
    }

    fn target_units(&mut self) -> Result<String, CalculatorError> {
        match self.word() {
            Some("in" | "percent") => self.unit(),
            _ => self.units(),
        }
    }

    fn primary(&mut self) -> Parsed {
        match self.peek() {
            Some(Token::Number(value)) => {
                self.advance();
                Ok(Expr::Number(value.clone()))
            }
            Some(Token::Sign('(')) => {
                self.advance();
                let inner = self.deeper(Self::conversion)?;
                self.close()?;
                Ok(inner)
            }
            Some(Token::Name(_)) if self.unit_follows() => self.units().map(Expr::Unit),
            Some(Token::Name(name)) => self.named(name),
            _ => Err(self.expected("a number, a name or `(`")),
        }
    }

    fn named(&mut self, name: &str) -> Parsed {
        if let Some(constant) = Constant::of(name) {
            self.advance();
            return Ok(Expr::Constant(constant));
        }
        let Some(function) = Function::of(name) else {
            return Err(self.expected("a number, a name or `(`"));
        };
        self.advance();
        if !self.take_sign('(') {
            let argument = self.deeper(Self::power)?;
            return Ok(Expr::Call(function, vec![argument]));
        }
        let mut arguments = Vec::new();
        while !self.take_sign(')') {
            if !arguments.is_empty() && !self.take_sign(',') {
                return Err(self.expected("`,` or `)`"));
            }
            arguments.push(self.deeper(Self::conversion)?);
        }
        Ok(Expr::Call(function, arguments))
    }

    fn close(&mut self) -> Result<(), CalculatorError> {
        if self.take_sign(')') { Ok(()) } else { Err(self.expected("`)`")) }
    }
}

fn is_keyword(word: &str) -> bool {
    matches!(word, "to" | "as" | "in" | "into" | "of" | "per" | "mod" | "x" | "X" | "times" | "percent")
}

fn is_value(word: &str) -> bool {
    Constant::of(word).is_some() || Function::of(word).is_some()
}

/// `1 + 10%` has one meaning only.
fn is_one(expr: &Expr) -> bool {
    matches!(expr, Expr::Number(value) if value.is_one())
}

fn small(token: &Token) -> bool {
    let limit = BigRational::from_integer(10.into());
    matches!(token, Token::Number(power) if power.is_integer() && *power < limit)
}

fn percentage(expr: &Expr) -> String {
    match expr {
        Expr::Percent(of) => match &**of {
            Expr::Number(value) => {
                format!("{}%", super::Answer::from(&super::number::Number::Exact(value.clone())).value())
            }
            _ => "…%".to_owned(),
        },
        _ => "…%".to_owned(),
    }
}

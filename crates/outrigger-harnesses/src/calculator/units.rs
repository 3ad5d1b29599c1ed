//! Expressions with units: the tree is written out again for the unit engine, which knows some
//! thousand units and keeps exact fractions, as one flat assignment for each part. Nested
//! parentheses would make the engine's parser take time exponential in their depth.
//!
//! Only arithmetic goes there. The engine's own language (assignments, functions, dice, printing,
//! dates, text) is out of reach, because nothing but what this module writes is evaluated; and its
//! exponentials and logarithms are too coarse to pass on.

use super::CalculatorError;
use super::answer::Answer;
use super::number::Number;
use super::syntax::{Constant, Expr, Function, Operator};
use fend_core::{Context, Interrupt, evaluate_with_interrupt};
use outrigger_core::contract::nearest_names as nearest;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Parts an expression with units may have.
const MAX_PARTS: usize = 64;
/// Steps and time one evaluation may take; whichever ends first.
const MAX_STEPS: u32 = 200_000;
const MAX_TIME: Duration = Duration::from_millis(500);
/// Characters of the engine's result.
const MAX_TEXT: usize = 500;

/// Names of the engine that are no units.
const NOT_UNITS: &[&str] = &[
    "i",
    "true",
    "false",
    "sample",
    "roll",
    "real",
    "re",
    "Re",
    "imag",
    "im",
    "Im",
    "conjugate",
    "unitless",
    "arg",
    "asinh",
    "acosh",
    "atanh",
    "cis",
    "not",
    "fib",
    "fibonacci",
    "approx",
    "approximately",
    "auto",
    "exact",
    "float",
    "dp",
    "sf",
    "base",
    "version",
    "square",
    "cubic",
    "earth",
    "print",
    "println",
    "today",
    "tomorrow",
    "yesterday",
    "trans",
    "ans",
    "_",
    "and",
    "or",
    "xor",
    "AND",
    "OR",
    "XOR",
    "nCr",
    "nPr",
    "choose",
    "permute",
    "light",
];
/// Words that are units only together with the next one.
const QUALIFIERS: &[&str] = &["light", "square", "cubic"];
/// Notations a conversion may ask for besides units.
const NOTATIONS: &[&str] =
    &["hex", "hexadecimal", "bin", "binary", "oct", "octal", "dec", "decimal", "frac", "fraction", "percent", "%"];
/// Units offered when a name is misspelt.
const COMMON_UNITS: &[&str] = &[
    "meters",
    "metres",
    "kilometers",
    "centimeters",
    "miles",
    "feet",
    "inches",
    "yards",
    "grams",
    "kilograms",
    "pounds",
    "ounces",
    "tonnes",
    "liters",
    "gallons",
    "seconds",
    "minutes",
    "hours",
    "days",
    "weeks",
    "months",
    "years",
    "celsius",
    "fahrenheit",
    "kelvin",
    "degrees",
    "radians",
    "bytes",
    "kilobytes",
    "megabytes",
    "gigabytes",
    "bits",
    "watts",
    "joules",
    "newtons",
    "pascal",
    "hertz",
    "volts",
    "amperes",
    "calories",
    "acres",
    "hectares",
    "knots",
    "mph",
];

struct Bound {
    started: Instant,
    steps: AtomicU32,
}

impl Interrupt for Bound {
    fn should_interrupt(&self) -> bool {
        self.steps.fetch_add(1, Ordering::Relaxed) >= MAX_STEPS || self.started.elapsed() >= MAX_TIME
    }
}

pub(super) fn evaluate(expr: &Expr) -> Result<Answer, CalculatorError> {
    let mut writer = Writer { text: String::new(), parts: 0 };
    let last = writer.part(expr)?;
    let bound = Bound { started: Instant::now(), steps: AtomicU32::new(0) };
    let mut text = run(&format!("{}{last}", writer.text), &bound)?;
    if text.starts_with("approx. ") {
        // Decimals alone would show a small value as zero.
        text = run(&format!("{}{last} to 12 sf", writer.text), &bound)?;
    }
    if text.chars().count() > MAX_TEXT {
        return Err(CalculatorError::TooLarge);
    }
    Ok(match text.strip_prefix("approx. ") {
        Some(value) => Answer::new(value.to_owned(), false),
        None => Answer::new(text, true),
    })
}

fn run(text: &str, bound: &Bound) -> Result<String, CalculatorError> {
    match evaluate_with_interrupt(text, &mut Context::new(), bound) {
        Ok(result) => Ok(result.get_main_result().to_owned()),
        Err(reason) if reason == "interrupted" => Err(CalculatorError::TooMuchWork),
        Err(reason) if reason.ends_with("by zero") => Err(CalculatorError::DivisionByZero),
        Err(reason) => Err(CalculatorError::Units { reason }),
    }
}

/// `units`, if they are units, each alone or all together as `light years` are.
fn checked(units: &str) -> Result<&str, CalculatorError> {
    let words = || units.split([' ', '*', '/']).filter(|word| !word.is_empty());
    let Err(reason) = words().try_for_each(check_unit) else {
        return Ok(units);
    };
    let forbidden = words().any(|word| NOT_UNITS.contains(&word) && !QUALIFIERS.contains(&word));
    if !forbidden && words().nth(1).is_some() && known(units).is_ok() {
        return Ok(units);
    }
    Err(reason)
}

fn check_unit(word: &str) -> Result<(), CalculatorError> {
    let name = word.split('^').next().unwrap_or(word);
    if NOT_UNITS.contains(&name) {
        return Err(unknown(name));
    }
    match known(name) {
        Ok(()) => Ok(()),
        Err(reason) if reason.contains("exchange rates") => Err(CalculatorError::Currency { sign: name.to_owned() }),
        Err(_) => Err(unknown(name)),
    }
}

fn known(units: &str) -> Result<(), String> {
    let bound = Bound { started: Instant::now(), steps: AtomicU32::new(0) };
    evaluate_with_interrupt(&format!("1 {units}"), &mut Context::new(), &bound).map(drop)
}

fn unknown(name: &str) -> CalculatorError {
    let folded = name.to_lowercase();
    let same = (folded != name && known(&folded).is_ok()).then(|| folded.clone());
    let nearest = same.or_else(|| nearest(name, known_names(), 1).first().map(|name| (*name).to_owned()));
    CalculatorError::UnknownName { name: name.to_owned(), nearest }
}

fn known_names() -> impl Iterator<Item = &'static str> {
    [Function::NAMES, Constant::NAMES, COMMON_UNITS].into_iter().flatten().copied()
}

/// Writes `part1 = …; part2 = …; `, each part without nesting.
struct Writer {
    text: String,
    parts: usize,
}

impl Writer {
    /// Writes an expression and returns the name that holds its value.
    fn part(&mut self, expr: &Expr) -> Result<String, CalculatorError> {
        let written = match expr {
            Expr::Number(value) => decimal(value),
            Expr::Constant(constant) => match constant {
                Constant::Pi => "pi".to_owned(),
                Constant::E => "e".to_owned(),
                Constant::Tau => "tau".to_owned(),
                Constant::Phi => "phi".to_owned(),
            },
            Expr::Unit(units) => checked(units)?.to_owned(),
            Expr::Quantity(value, units) => match &**value {
                Expr::Number(value) => format!("{} {}", decimal(value), checked(units)?),
                value => format!("{} * (1 {})", self.part(value)?, checked(units)?),
            },
            Expr::Negate(of) => format!("-{}", self.part(of)?),
            Expr::Percent(of) => format!("{} / 100", self.part(of)?),
            Expr::Factorial(of) => format!("{}!", self.part(of)?),
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.part(left)?, self.part(right)?);
                format!("{left} {} {right}", sign(*operator))
            }
            Expr::Call(function, arguments) => match (arguments.as_slice(), *function) {
                ([argument], function) if takes_units(function) => {
                    format!("{} ({})", function.name(), self.part(argument)?)
                }
                _ => return Err(plain_only(*function)),
            },
            Expr::Convert(value, target) if NOTATIONS.contains(&target.as_str()) => {
                format!("{} to {target}", self.part(value)?)
            }
            Expr::Convert(value, target) => {
                format!("{} to {}", self.part(value)?, checked(target)?)
            }
        };
        self.parts = self.parts.saturating_add(1);
        if self.parts > MAX_PARTS {
            return Err(CalculatorError::TooMuchWork);
        }
        let name = format!("part{}", self.parts);
        self.text.push_str(&format!("{name} = {written}; "));
        Ok(name)
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Modulo => "mod",
        Operator::Power => "^",
    }
}

fn plain_only(function: Function) -> CalculatorError {
    CalculatorError::Units { reason: format!("`{}` takes plain numbers only: leave the units out", function.name()) }
}

/// The functions of the engine that are exact, or as good as floating point.
fn takes_units(function: Function) -> bool {
    matches!(
        function,
        Function::Sqrt
            | Function::Cbrt
            | Function::Abs
            | Function::Floor
            | Function::Ceil
            | Function::Round
            | Function::Sin
            | Function::Cos
            | Function::Tan
    )
}

fn decimal(value: &num_rational::BigRational) -> String {
    let answer = Answer::from(&Number::Exact(value.clone()));
    if answer.is_exact() { answer.value().to_owned() } else { format!("({value})") }
}

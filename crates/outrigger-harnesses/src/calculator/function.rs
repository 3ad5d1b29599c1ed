//! The functions an expression may call, on plain numbers.

use super::CalculatorError;
use super::number::Number;
use super::syntax::Function;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Pow, Signed, ToPrimitive, Zero};

type Outcome = Result<Number, CalculatorError>;

pub(super) fn call(function: Function, arguments: &[Number]) -> Outcome {
    match (function, arguments) {
        (Function::Root, [value, degree]) => root(value, degree),
        (Function::Pow, [base, exponent]) => base.power(exponent),
        (Function::Mod, [left, right]) => left.modulo(right),
        (Function::Round, [value, decimals]) => round(value, decimals),
        (Function::Log, [value, base]) => logarithm("log", value)?.divide(&logarithm("log", base)?),
        (Function::Min | Function::Max, [first, rest @ ..]) => extreme(function, first, rest),
        (Function::Sum, [first, rest @ ..]) => sum(first, rest),
        (Function::Mean, [first, rest @ ..]) => sum(first, rest)?.divide(&Number::integer(arguments.len())),
        (Function::Gcd | Function::Lcm, [first, rest @ ..]) => divisors(function, first, rest),
        (_, [value]) => unary(function, value),
        _ => Err(CalculatorError::Arguments {
            function: function.name().to_owned(),
            expected: arity(function),
            found: arguments.len(),
        }),
    }
}

fn arity(function: Function) -> &'static str {
    match function {
        Function::Root | Function::Pow | Function::Mod => "two arguments",
        Function::Round | Function::Log => "one or two arguments",
        Function::Min | Function::Max | Function::Sum | Function::Mean | Function::Gcd | Function::Lcm => {
            "one or more arguments"
        }
        _ => "one argument",
    }
}

fn unary(function: Function, value: &Number) -> Outcome {
    match function {
        Function::Sqrt => value.root(2),
        Function::Cbrt => value.root(3),
        Function::Factorial => value.factorial(),
        Function::Abs => Ok(if value.is_negative() { value.negate() } else { value.clone() }),
        Function::Floor => value.round_with(BigRational::floor, f64::floor),
        Function::Ceil => value.round_with(BigRational::ceil, f64::ceil),
        Function::Round => value.round_with(BigRational::round, f64::round),
        Function::Trunc => value.round_with(BigRational::trunc, f64::trunc),
        Function::Root | Function::Pow | Function::Mod => Err(CalculatorError::Arguments {
            function: function.name().to_owned(),
            expected: arity(function),
            found: 1,
        }),
        Function::Ln if *value == Number::integer(1) => Ok(Number::integer(0)),
        Function::Ln => logarithm("ln", value),
        Function::Log | Function::Log10 => exact_logarithm(value, 10, f64::log10),
        Function::Log2 => exact_logarithm(value, 2, f64::log2),
        _ => real(function, value.to_f64()?),
    }
}

/// The functions that have no exact form, except at zero.
fn real(function: Function, value: f64) -> Outcome {
    let result = match function {
        Function::Exp if value == 0.0 => return Ok(Number::integer(1)),
        Function::Exp => value.exp(),
        Function::Sin => settle(value.sin()),
        Function::Cos => settle(value.cos()),
        Function::Tan => settle(value.tan()),
        Function::Asin | Function::Acos if value.abs() > 1.0 => {
            return Err(CalculatorError::Undefined {
                operation: function.name().to_owned(),
                rule: "its argument lies from -1 to 1",
            });
        }
        Function::Asin => value.asin(),
        Function::Acos => value.acos(),
        Function::Atan => value.atan(),
        Function::Sinh => value.sinh(),
        Function::Cosh => value.cosh(),
        _ => value.tanh(),
    };
    Number::approximate(result)
}

/// `sin(pi)` is zero, not the error of `pi`.
fn settle(value: f64) -> f64 {
    if value.abs() < 1e-15 { 0.0 } else { value }
}

fn logarithm(name: &str, value: &Number) -> Outcome {
    if value.is_negative() || value.is_zero() {
        return Err(CalculatorError::Undefined { operation: name.to_owned(), rule: "its argument must be above 0" });
    }
    Number::approximate(value.to_f64()?.ln())
}

/// Exact for whole powers of the base.
fn exact_logarithm(value: &Number, base: u32, approximate: impl FnOnce(f64) -> f64) -> Outcome {
    logarithm("log", value)?;
    let result = approximate(value.to_f64()?);
    let nearest = result.round();
    if let (Number::Exact(exact), Some(power)) = (value, nearest.to_i32())
        && Pow::pow(&BigRational::from_integer(base.into()), power) == *exact
    {
        return Ok(Number::integer(power));
    }
    Number::approximate(result)
}

fn root(value: &Number, degree: &Number) -> Outcome {
    let degree = degree.as_integer().and_then(ToPrimitive::to_u32).filter(|n| (1..=1000).contains(n));
    let degree = degree.ok_or_else(|| CalculatorError::Undefined {
        operation: "root".to_owned(),
        rule: "its second argument is a whole number from 1 to 1000",
    })?;
    value.root(degree)
}

/// Halves are rounded away from zero.
fn round(value: &Number, decimals: &Number) -> Outcome {
    let decimals = decimals.as_integer().and_then(ToPrimitive::to_i32);
    let decimals = decimals.filter(|n| n.unsigned_abs() <= 100).ok_or_else(|| CalculatorError::Undefined {
        operation: "round".to_owned(),
        rule: "its second argument is a whole number of decimals from -100 to 100",
    })?;
    let scale = Pow::pow(&BigRational::from_integer(10.into()), decimals);
    let value = match value {
        Number::Exact(value) => value.clone(),
        Number::Approximate(value) => BigRational::from_float(*value).ok_or(CalculatorError::TooLarge)?,
    };
    Number::exact((value * &scale).round() / scale)
}

fn extreme(function: Function, first: &Number, rest: &[Number]) -> Outcome {
    let mut best = first;
    for value in rest {
        let less = value.less_than(best)?;
        let more = best.less_than(value)?;
        if (function == Function::Min && less) || (function == Function::Max && more) {
            best = value;
        }
    }
    Ok(best.clone())
}

fn sum(first: &Number, rest: &[Number]) -> Outcome {
    rest.iter().try_fold(first.clone(), |sum, value| sum.add(value))
}

fn divisors(function: Function, first: &Number, rest: &[Number]) -> Outcome {
    let whole = |number: &Number| -> Result<BigInt, CalculatorError> {
        number.as_integer().cloned().ok_or_else(|| CalculatorError::Undefined {
            operation: function.name().to_owned(),
            rule: "its arguments are whole numbers",
        })
    };
    let mut result = whole(first)?.abs();
    for value in rest {
        let value = whole(value)?;
        result = match function {
            Function::Gcd => result.gcd(&value),
            _ if result.is_zero() || value.is_zero() => BigInt::zero(),
            _ => result.lcm(&value),
        };
    }
    Number::exact(result.into())
}

//! How a value is written for the model.

use super::number::Number;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, Signed, ToPrimitive, Zero};
use serde::{Serialize, Serializer};
use std::fmt;

/// Digits of an integer, and of a decimal fraction, that are written out in full.
const MAX_DIGITS: usize = 400;
const MAX_DECIMALS: usize = 60;
/// Significant digits of an approximate answer.
const SIGNIFICANT: usize = 12;

/// The value of an expression. As text it is `80` when exact, `approx. 1.41421356237` when not;
/// it serialises as that text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    value: String,
    exact: bool,
}

impl Answer {
    pub(super) fn new(value: String, exact: bool) -> Self {
        Self { value, exact }
    }

    /// The value alone: decimal digits, and units where the expression had them.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Whether the value is exact. Approximate values carry 12 significant digits, those with
    /// units 10 decimals.
    pub fn is_exact(&self) -> bool {
        self.exact
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.exact {
            f.write_str("approx. ")?;
        }
        f.write_str(&self.value)
    }
}

impl From<Answer> for String {
    fn from(answer: Answer) -> Self {
        answer.to_string()
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<&Number> for Answer {
    fn from(number: &Number) -> Self {
        match number {
            Number::Exact(value) => match exact_decimal(value) {
                Some(text) => Self::new(text, true),
                None => Self::new(rounded(value), false),
            },
            Number::Approximate(value) => {
                let scientific = format!("{value:.*e}", SIGNIFICANT.saturating_sub(1));
                let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
                let sign = if digits.starts_with('-') { "-" } else { "" };
                let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
                Self::new(written(sign, &digits, exponent.parse().unwrap_or(0)), false)
            }
        }
    }
}

/// The whole decimal expansion, where it ends and is short enough.
fn exact_decimal(value: &BigRational) -> Option<String> {
    let decimals = decimals(value.denom())?;
    let scaled = value.numer() * Pow::pow(BigInt::from(10), decimals) / value.denom();
    let digits = scaled.magnitude().to_string();
    if digits.len() > MAX_DIGITS {
        return None;
    }
    let sign = if scaled.is_negative() { "-" } else { "" };
    if decimals == 0 {
        return Some(format!("{sign}{digits}"));
    }
    let digits = format!("{digits:0>width$}", width = decimals.saturating_add(1));
    let (whole, fraction) = digits.split_at_checked(digits.len().saturating_sub(decimals))?;
    Some(format!("{sign}{whole}.{fraction}"))
}

/// Decimals that `1/denominator` needs; `None` where they do not end or are too many.
fn decimals(denominator: &BigInt) -> Option<usize> {
    let mut rest = denominator.clone();
    let mut count_of = |prime: u32| {
        let mut count = 0_usize;
        while (&rest % prime).is_zero() && count <= MAX_DECIMALS {
            rest /= prime;
            count = count.saturating_add(1);
        }
        count
    };
    let needed = count_of(2).max(count_of(5));
    (rest == BigInt::from(1) && needed <= MAX_DECIMALS).then_some(needed)
}

/// An exact value in 12 significant digits, the last one rounded half up.
fn rounded(value: &BigRational) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    let value = value.abs();
    let mut exponent = estimated_exponent(&value);
    loop {
        let shift = i64::try_from(SIGNIFICANT).unwrap_or(12) - 1 - exponent;
        let power = Pow::pow(BigInt::from(10), shift.unsigned_abs());
        let power = BigRational::from_integer(power);
        let scaled = if shift < 0 { &value / power } else { &value * power };
        let digits = scaled.round().to_integer().to_string();
        if digits.len() <= SIGNIFICANT {
            return written(sign, &digits, exponent);
        }
        exponent += 1;
    }
}

/// The decimal exponent of a positive value, or one less.
fn estimated_exponent(value: &BigRational) -> i64 {
    let bits = |part: &BigInt| part.bits().to_f64().unwrap_or(0.0);
    let log = (bits(value.numer()) - bits(value.denom()) - 1.0) * std::f64::consts::LOG10_2;
    log.floor().to_i64().unwrap_or(0)
}

/// Writes `d.ddd × 10^exponent`: plainly where that is readable, with an exponent otherwise.
fn written(sign: &str, digits: &str, exponent: i64) -> String {
    let digits = match digits.trim_end_matches('0') {
        "" => return "0".to_owned(),
        digits => digits,
    };
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    match exponent {
        0..=14 => {
            let whole = usize::try_from(exponent).unwrap_or(0).saturating_add(1);
            let padded = format!("{digits:0<whole$}");
            match padded.split_at_checked(whole) {
                Some((whole, fraction)) if !fraction.is_empty() => {
                    format!("{sign}{whole}.{fraction}")
                }
                _ => format!("{sign}{padded}"),
            }
        }
        -6..=-1 => {
            let zeros = usize::try_from(-exponent).unwrap_or(1).saturating_sub(1);
            format!("{sign}0.{}{digits}", "0".repeat(zeros))
        }
        _ if rest.is_empty() => format!("{sign}{first}e{exponent}"),
        _ => format!("{sign}{first}.{rest}e{exponent}"),
    }
}

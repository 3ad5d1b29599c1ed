//! Values: exact rationals as long as possible, floating point once a step has no exact result.

use super::CalculatorError;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

/// Bits a numerator or denominator may have: about 3000 decimal digits.
pub(super) const MAX_BITS: u64 = 10_000;
const MAX_EXPONENT: u32 = 3_000;

/// A value on its way through an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Number {
    /// Exactly this value.
    Exact(BigRational),
    /// About this value: always finite.
    Approximate(f64),
}

type Outcome = Result<Number, CalculatorError>;

impl Number {
    pub(super) fn integer(value: impl Into<BigInt>) -> Self {
        Self::Exact(BigRational::from_integer(value.into()))
    }

    pub(super) fn exact(value: BigRational) -> Outcome {
        if value.numer().bits().max(value.denom().bits()) > MAX_BITS {
            return Err(CalculatorError::TooLarge);
        }
        Ok(Self::Exact(value))
    }

    /// Fails where the value is infinite or not a number.
    pub(super) fn approximate(value: f64) -> Outcome {
        if value.is_finite() { Ok(Self::Approximate(value)) } else { Err(CalculatorError::TooLarge) }
    }

    pub(super) fn to_f64(&self) -> Result<f64, CalculatorError> {
        match self {
            Self::Approximate(value) => Ok(*value),
            Self::Exact(value) => {
                value.to_f64().filter(|approximate| approximate.is_finite()).ok_or(CalculatorError::TooLarge)
            }
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Exact(value) => value.is_zero(),
            Self::Approximate(value) => *value == 0.0,
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        match self {
            Self::Exact(value) => value.is_negative(),
            Self::Approximate(value) => *value < 0.0,
        }
    }

    /// The integer this value is exactly.
    pub(super) fn as_integer(&self) -> Option<&BigInt> {
        match self {
            Self::Exact(value) if value.is_integer() => Some(value.numer()),
            _ => None,
        }
    }

    fn combine(
        &self,
        other: &Self,
        exact: impl FnOnce(&BigRational, &BigRational) -> BigRational,
        approximate: impl FnOnce(f64, f64) -> f64,
    ) -> Outcome {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => Self::exact(exact(a, b)),
            _ => Self::approximate(approximate(self.to_f64()?, other.to_f64()?)),
        }
    }

    pub(super) fn add(&self, other: &Self) -> Outcome {
        self.combine(other, |a, b| a + b, |a, b| a + b)
    }

    pub(super) fn subtract(&self, other: &Self) -> Outcome {
        self.combine(other, |a, b| a - b, |a, b| a - b)
    }

    pub(super) fn multiply(&self, other: &Self) -> Outcome {
        self.combine(other, |a, b| a * b, |a, b| a * b)
    }

    pub(super) fn divide(&self, other: &Self) -> Outcome {
        if other.is_zero() {
            return Err(CalculatorError::DivisionByZero);
        }
        self.combine(other, |a, b| a / b, |a, b| a / b)
    }

    /// The remainder with the sign of the divisor, as `a - b * floor(a / b)`.
    pub(super) fn modulo(&self, other: &Self) -> Outcome {
        let whole = self.divide(other)?.round_with(BigRational::floor, f64::floor)?;
        self.subtract(&other.multiply(&whole)?)
    }

    pub(super) fn negate(&self) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(-value),
            Self::Approximate(value) => Self::Approximate(-value),
        }
    }

    pub(super) fn round_with(
        &self,
        exact: impl FnOnce(&BigRational) -> BigRational,
        approximate: impl FnOnce(f64) -> f64,
    ) -> Outcome {
        match self {
            Self::Exact(value) => Self::exact(exact(value)),
            Self::Approximate(value) => Self::approximate(approximate(*value)),
        }
    }

    /// Is `self` less than `other`? Exact where both are.
    pub(super) fn less_than(&self, other: &Self) -> Result<bool, CalculatorError> {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => Ok(a < b),
            _ => Ok(self.to_f64()? < other.to_f64()?),
        }
    }

    pub(super) fn power(&self, exponent: &Self) -> Outcome {
        if self.is_zero() && exponent.is_negative() {
            return Err(CalculatorError::DivisionByZero);
        }
        if let (Self::Exact(base), Self::Exact(by)) = (self, exponent)
            && let Some(result) = exact_power(base, by)
        {
            return result;
        }
        if self.is_negative() && exponent.as_integer().is_none() {
            return Err(CalculatorError::Undefined {
                operation: "a power with a fractional exponent".to_owned(),
                rule: "its base must not be negative",
            });
        }
        Self::approximate(self.to_f64()?.powf(exponent.to_f64()?))
    }

    /// The `degree`-th root, exact where it is a fraction.
    pub(super) fn root(&self, degree: u32) -> Outcome {
        if self.is_negative() && degree.is_multiple_of(2) {
            return Err(CalculatorError::Undefined {
                operation: "an even root".to_owned(),
                rule: "the number under it must not be negative",
            });
        }
        if let Self::Exact(value) = self
            && let Some(root) = exact_root(value, degree)
        {
            return Ok(Self::Exact(root));
        }
        let value = self.to_f64()?;
        let root = match degree {
            2 => value.sqrt(),
            3 => value.cbrt(),
            _ => value.abs().powf(1.0 / f64::from(degree)).copysign(value),
        };
        Self::approximate(root)
    }

    pub(super) fn factorial(&self) -> Outcome {
        let of = self.as_integer().filter(|n| n.sign() != Sign::Minus).ok_or_else(|| CalculatorError::Undefined {
            operation: "a factorial".to_owned(),
            rule: "it needs a whole number from 0",
        })?;
        // 1042! is the last one within the limit of digits.
        let of = of.to_u32().filter(|n| *n <= 2_000).ok_or(CalculatorError::TooLarge)?;
        let product = (1..=of).fold(BigUint::one(), |product, factor| product * factor);
        Self::exact(BigRational::from_integer(product.into()))
    }
}

/// `None` where the result is not a fraction; an error where it is one that is too large.
fn exact_power(base: &BigRational, exponent: &BigRational) -> Option<Outcome> {
    let degree = exponent.denom().to_u32().filter(|degree| *degree <= 64)?;
    let base = exact_root(base, degree)?;
    if base.is_zero() || base.abs().is_one() {
        let odd = exponent.numer().is_odd();
        return Some(Ok(Number::Exact(match exponent.is_zero() {
            true => BigRational::one(),
            false if base.is_negative() && !odd => -base,
            false => base,
        })));
    }
    let bits = base.numer().bits().max(base.denom().bits()).saturating_sub(1).max(1);
    let Some(by) = exponent.numer().to_i32().filter(|by| u64::from(by.unsigned_abs()).saturating_mul(bits) <= MAX_BITS)
    else {
        return Some(Err(CalculatorError::TooLarge));
    };
    Some(Number::exact(Pow::pow(&base, by)))
}

fn exact_root(value: &BigRational, degree: u32) -> Option<BigRational> {
    if degree == 1 {
        return Some(value.clone());
    }
    if value.is_negative() && degree.is_multiple_of(2) {
        return None;
    }
    let root_of = |part: &BigInt| {
        let root = part.nth_root(degree);
        (Pow::pow(&root, degree) == *part).then_some(root)
    };
    Some(BigRational::new(root_of(value.numer())?, root_of(value.denom())?))
}

/// Reads `12`, `12.5`, `.5`, `5.` and `1.5e-3` exactly.
pub(super) fn parse_decimal(text: &str) -> Option<BigRational> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    if exponent.unsigned_abs() > MAX_EXPONENT {
        return None;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits: BigInt = digits.parse().ok()?;
    let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let power = Pow::pow(BigInt::from(10), scale.unsigned_abs());
    Some(if scale < 0 { BigRational::new(digits, power) } else { (digits * power).into() })
}

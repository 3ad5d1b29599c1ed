//! Numbers: the token as JSON has it, and its value as an integer or a float.

use super::{Reader, Refused};
use crate::{Code, Int};

impl<'a> Reader<'a> {
    /// Takes a number and returns it as it was written.
    ///
    /// # Errors
    ///
    /// If something else comes next, or the number is not well formed.
    pub fn number(&mut self) -> Result<&'a str, Refused> {
        let Some(b'-' | b'0'..=b'9') = self.peek() else {
            return Err(self.refuse(Code::Type));
        };
        let start = self.at;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        let whole = self.at;
        let digits = self.digits()?;
        if digits > 1 && self.bytes.get(whole) == Some(&b'0') {
            return Err(self.refuse(Code::NotJson));
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.delimited()?;
        Ok(self.span(start))
    }

    /// Takes an integer: a number without a fractional part, however it is written.
    ///
    /// # Errors
    ///
    /// If something else comes next, or the integer fits no Rust type.
    #[inline]
    pub fn integer(&mut self) -> Result<Int, Refused> {
        self.peek();
        let start = self.at;
        if let Some(small) = self.short_integer() {
            return Ok(small);
        }
        self.at = start;
        let token = self.number()?;
        let refused = |code| Refused { at: start, code };
        match integer_of(token) {
            Some(Some(value)) => Ok(value),
            Some(None) => Err(refused(Code::Range)),
            None => Err(refused(Code::Type)),
        }
    }

    /// Takes a finite number.
    ///
    /// # Errors
    ///
    /// If something else comes next, or the number is beyond `f64`.
    #[inline]
    pub fn float(&mut self) -> Result<f64, Refused> {
        self.peek();
        let start = self.at;
        let token = self.number()?;
        number_of(token).ok_or(Refused { at: start, code: Code::Range })
    }

    /// The common case: a few digits and no fraction. `None` leaves the reader anywhere.
    #[inline]
    fn short_integer(&mut self) -> Option<Int> {
        let negative = self.bytes.get(self.at) == Some(&b'-');
        self.at += usize::from(negative);
        let start = self.at;
        let mut value = 0_u64;
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at) {
            value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            self.at += 1;
        }
        let digits = self.at - start;
        let leading_zero = digits > 1 && self.bytes.get(start) == Some(&b'0');
        if digits == 0 || leading_zero || !self.at_delimiter() {
            return None;
        }
        Some(Int::from_parts(negative, value.into()))
    }

    fn digits(&mut self) -> Result<usize, Refused> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.bytes.get(self.at) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.refuse(Code::NotJson));
        }
        Ok(self.at - start)
    }

    /// A number ends where another token could begin, so that `1x` is no number at all.
    fn delimited(&self) -> Result<(), Refused> {
        if self.at_delimiter() { Ok(()) } else { Err(self.refuse(Code::NotJson)) }
    }

    #[inline]
    fn at_delimiter(&self) -> bool {
        matches!(self.bytes.get(self.at), None | Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t'))
    }
}

/// The value of a number token if it is finite as `f64`.
pub(crate) fn number_of(token: &str) -> Option<f64> {
    token.parse().ok().filter(|value: &f64| value.is_finite())
}

/// The value of a number token: `None` if it has a fractional part, `Some(None)` if it is an integer too large for any
/// Rust type.
pub(crate) fn integer_of(token: &str) -> Option<Option<Int>> {
    let (negative, unsigned) = match token.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, saturating(exponent)),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = || whole.bytes().chain(fraction.bytes());
    if digits().all(|digit| digit == b'0') {
        return Some(Some(Int::ZERO));
    }
    let places = i64::try_from(fraction.len()).ok()?;
    let scale = exponent.saturating_sub(places);
    if scale >= 0 {
        return Some(shifted(negative, digits(), scale));
    }
    // The last `-scale` digits are behind the point: they must all be zero.
    let behind = usize::try_from(scale.unsigned_abs()).unwrap_or(usize::MAX);
    let count = whole.len() + fraction.len();
    let kept = count.saturating_sub(behind);
    if digits().skip(kept).any(|digit| digit != b'0') || behind > count {
        return None;
    }
    Some(shifted(negative, digits().take(kept), 0))
}

/// The exponent of a token, cut to what still makes a difference.
fn saturating(exponent: &str) -> i64 {
    let (negative, digits) = match exponent.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, exponent.strip_prefix('+').unwrap_or(exponent)),
    };
    let value = digits.parse::<i64>().unwrap_or(i64::MAX / 2);
    if negative { -value } else { value }
}

fn shifted(negative: bool, digits: impl Iterator<Item = u8>, zeros: i64) -> Option<Int> {
    let mut value = 0_u128;
    for digit in digits {
        value = value.checked_mul(10)?.checked_add(u128::from(digit.wrapping_sub(b'0')))?;
    }
    let factor = 10_u128.checked_pow(u32::try_from(zeros).ok()?)?;
    let value = value.checked_mul(factor)?;
    let int = Int::from_parts(negative, value);
    (!negative || int.to_i128().is_some()).then_some(int)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, WirePlan};

    fn read<T>(text: &str, f: impl FnOnce(&mut Reader<'_>) -> Result<T, Refused>) -> Result<T, Code> {
        let wire = WirePlan::default();
        let mut reader = Reader::new(text, &wire, &Limits::default());
        let value = f(&mut reader).map_err(|refused| refused.code)?;
        reader.end().map_err(|refused| refused.code)?;
        Ok(value)
    }

    fn integer(text: &str) -> Result<Int, Code> {
        read(text, |reader| reader.integer())
    }

    #[test]
    fn an_integer_is_a_number_without_a_fractional_part_however_written() {
        for (text, value) in [
            ("5", 5),
            ("5.0", 5),
            ("5.00e0", 5),
            ("1e2", 100),
            ("-1.5e1", -15),
            ("1200e-2", 12),
            ("0e999999999999999999999", 0),
            ("-0", 0),
            ("-0.0", 0),
            ("18446744073709551616", 1 << 64),
        ] {
            assert_eq!(integer(text), Ok(Int::signed(value)), "{text}");
        }
        for text in ["5.5", "1e-1", "15e-1", "0.1e0", "1e-99999999999999999999"] {
            assert_eq!(integer(text), Err(Code::Type), "{text}");
        }
        assert_eq!(integer("1e40"), Err(Code::Range));
        assert_eq!(integer("\"5\""), Err(Code::Type));
    }

    #[test]
    fn only_json_numbers_are_numbers() {
        for text in ["01", "-", "+1", "1.", ".5", "1e", "0x10", "NaN", "-Infinity", "1_000"] {
            let code = integer(text);
            assert!(matches!(code, Err(Code::NotJson | Code::Type)), "{text}: {code:?}");
        }
    }

    #[test]
    fn a_float_is_finite() {
        assert_eq!(read("1e308", |reader| reader.float()), Ok(1e308));
        assert_eq!(read("1e309", |reader| reader.float()), Err(Code::Range));
    }
}

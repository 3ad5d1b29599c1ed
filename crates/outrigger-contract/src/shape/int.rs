//! Integers as wide as any Rust integer type, signed or not.

use std::cmp::Ordering;
use std::fmt;

/// An integer between `i128::MIN` and `u128::MAX`: wide enough for the bounds of every native type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Int {
    negative: bool,
    magnitude: u128,
}

impl Int {
    /// Zero.
    pub const ZERO: Self = Self::unsigned(0);

    /// An integer from its signed value.
    #[must_use]
    pub const fn signed(value: i128) -> Self {
        Self { negative: value < 0, magnitude: value.unsigned_abs() }
    }

    /// An integer from its unsigned value.
    #[must_use]
    pub const fn unsigned(value: u128) -> Self {
        Self { negative: false, magnitude: value }
    }

    /// An integer from its sign and magnitude; minus zero is zero.
    #[must_use]
    pub const fn from_parts(negative: bool, magnitude: u128) -> Self {
        Self { negative: negative && magnitude != 0, magnitude }
    }

    /// Whether the integer is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.negative
    }

    /// The distance from zero.
    #[must_use]
    pub const fn magnitude(self) -> u128 {
        self.magnitude
    }

    /// The value as `i128`, if it fits.
    #[must_use]
    pub fn to_i128(self) -> Option<i128> {
        if self.negative { 0_i128.checked_sub_unsigned(self.magnitude) } else { i128::try_from(self.magnitude).ok() }
    }

    /// The nearest `f64`.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn to_f64(self) -> f64 {
        let magnitude = self.magnitude as f64;
        if self.negative { -magnitude } else { magnitude }
    }

    /// Whether the integer is a multiple of `factor`; every integer is a multiple of zero's stand-in, one.
    #[must_use]
    pub fn is_multiple_of(self, factor: Self) -> bool {
        self.magnitude.checked_rem(factor.magnitude).is_none_or(|rest| rest == 0)
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(!self.negative, "", &self.magnitude.to_string())
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! from_primitive {
    ($make:ident: $($ty:ty),*) => {$(
        impl From<$ty> for Int {
            fn from(value: $ty) -> Self {
                Self::$make(value.into())
            }
        }
    )*};
}

from_primitive!(signed: i8, i16, i32, i64, i128);
from_primitive!(unsigned: u8, u16, u32, u64, u128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extremes_of_every_type_are_ordered_and_written_exactly() {
        let ordered = [
            Int::from(i128::MIN),
            Int::from(i64::MIN),
            Int::from(-1_i8),
            Int::ZERO,
            Int::from(u64::MAX),
            Int::from(i128::MAX),
            Int::from(u128::MAX),
        ];
        assert!(ordered.is_sorted_by(|a, b| a < b));
        assert_eq!(Int::from(i128::MIN).to_string(), "-170141183460469231731687303715884105728");
        assert_eq!(Int::from(i128::MIN).to_i128(), Some(i128::MIN));
        assert_eq!(Int::from(u128::MAX).to_i128(), None);
    }

    #[test]
    fn minus_zero_is_zero() {
        assert_eq!(Int::from_parts(true, 0), Int::ZERO);
    }
}

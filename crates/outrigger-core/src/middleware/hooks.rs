//! Which hooks a middleware has.

use std::ops::BitOr;

/// A set of hooks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HookSet(u32);

impl HookSet {
    /// No hook.
    pub const NONE: Self = Self(0);
    /// `wrap_model`.
    pub const WRAP_MODEL: Self = Self(1);
    /// `wrap_attempt`.
    pub const WRAP_ATTEMPT: Self = Self(1 << 1);
    /// `wrap_function`.
    pub const WRAP_FUNCTION: Self = Self(1 << 2);

    /// Whether every hook of `other` is in this set.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for HookSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

//! Which types the rules mean something for.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroU128, NonZeroUsize,
};
use std::path::PathBuf;
use std::sync::Arc;

use super::{Counted, Fractional, FromLiteral, Numeric, Repeating, Textual};
use crate::contract::{Contract, encode};
use crate::diagnose::{identity, is_multiple, within};
use crate::shape::{Bounds, Int};

macro_rules! numeric {
    ($($ty:ty => |$value:ident| $int:expr;)*) => {$(
        impl Numeric for $ty {
            #[inline]
            fn keeps(&self, bounds: &Bounds<Int>) -> bool {
                let $value = *self;
                let int: Int = $int;
                within(bounds, int) && bounds.multiple_of.is_none_or(|factor| int.is_multiple_of(factor))
            }
        }
    )*};
}

numeric! {
    i8 => |value| Int::from(value);
    i16 => |value| Int::from(value);
    i32 => |value| Int::from(value);
    i64 => |value| Int::from(value);
    i128 => |value| Int::from(value);
    isize => |value| Int::signed(value as i128);
    u8 => |value| Int::from(value);
    u16 => |value| Int::from(value);
    u32 => |value| Int::from(value);
    u64 => |value| Int::from(value);
    u128 => |value| Int::from(value);
    usize => |value| Int::unsigned(value as u128);
    NonZeroI8 => |value| Int::from(value.get());
    NonZeroI16 => |value| Int::from(value.get());
    NonZeroI32 => |value| Int::from(value.get());
    NonZeroI64 => |value| Int::from(value.get());
    NonZeroI128 => |value| Int::from(value.get());
    NonZeroIsize => |value| Int::signed(value.get() as i128);
    NonZeroU8 => |value| Int::from(value.get());
    NonZeroU16 => |value| Int::from(value.get());
    NonZeroU32 => |value| Int::from(value.get());
    NonZeroU64 => |value| Int::from(value.get());
    NonZeroU128 => |value| Int::from(value.get());
    NonZeroUsize => |value| Int::unsigned(value.get() as u128);
}

macro_rules! fractional {
    ($($ty:ty),*) => {$(
        impl Numeric for $ty {
            fn keeps(&self, bounds: &Bounds<Int>) -> bool {
                self.keeps_fractions(&bounds.map(Int::to_f64))
            }
        }

        impl Fractional for $ty {
            fn keeps_fractions(&self, bounds: &Bounds<f64>) -> bool {
                let value = f64::from(*self);
                within(bounds, value) && bounds.multiple_of.is_none_or(|factor| is_multiple(value, factor))
            }
        }
    )*};
}

fractional!(f32, f64);

macro_rules! textual {
    ($($ty:ty => |$value:ident| $text:expr;)*) => {$(
        impl Textual for $ty {
            fn text_passes(&self, test: impl FnOnce(&str) -> bool) -> bool {
                let $value = self;
                test($text)
            }
        }
    )*};
}

textual! {
    String => |value| value;
    Cow<'static, str> => |value| value;
    PathBuf => |value| &value.to_string_lossy();
}

macro_rules! counted {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> Counted for $ty {
            fn count(&self) -> Option<usize> {
                Some(self.len())
            }
        }
    )*};
}

counted! {
    [T] Vec<T>;
    [T] VecDeque<T>;
    [T: Ord] BTreeSet<T>;
    [T: Eq + Hash, S: BuildHasher] HashSet<T, S>;
}

macro_rules! repeating {
    ($($name:ident),*) => {$(
        impl<T: Contract> Repeating for $name<T> {
            fn all_differ(&self) -> bool {
                let mut seen = HashSet::with_capacity(self.len());
                self.iter().all(|item| seen.insert(identity(&encode(item))))
            }
        }
    )*};
}

repeating!(Vec, VecDeque);

macro_rules! literal {
    ($($ty:ty),*) => {$(
        impl FromLiteral for $ty {
            fn from_literal(text: &'static str) -> Self {
                text.into()
            }
        }
    )*};
}

literal!(String, Cow<'static, str>, PathBuf);

macro_rules! see_through {
    ($($name:ident: |$value:ident| $inner:expr;)*) => {$(
        impl<T: Numeric> Numeric for $name<T> {
            fn keeps(&self, bounds: &Bounds<Int>) -> bool {
                let $value = self;
                $inner.is_none_or(|inner: &T| inner.keeps(bounds))
            }
        }

        impl<T: Fractional> Fractional for $name<T> {
            fn keeps_fractions(&self, bounds: &Bounds<f64>) -> bool {
                let $value = self;
                $inner.is_none_or(|inner: &T| inner.keeps_fractions(bounds))
            }
        }

        impl<T: Textual> Textual for $name<T> {
            fn text_passes(&self, test: impl FnOnce(&str) -> bool) -> bool {
                let $value = self;
                $inner.is_none_or(|inner: &T| inner.text_passes(test))
            }
        }

        impl<T: Counted> Counted for $name<T> {
            fn count(&self) -> Option<usize> {
                let $value = self;
                $inner.and_then(|inner: &T| inner.count())
            }
        }

        impl<T: Repeating> Repeating for $name<T> {
            fn all_differ(&self) -> bool {
                let $value = self;
                $inner.is_none_or(|inner: &T| inner.all_differ())
            }
        }

        impl<T: FromLiteral> FromLiteral for $name<T> {
            fn from_literal(text: &'static str) -> Self {
                T::from_literal(text).into()
            }
        }
    )*};
}

see_through! {
    Option: |value| value.as_ref();
    Box: |value| Some(&**value);
    Arc: |value| Some(&**value);
}

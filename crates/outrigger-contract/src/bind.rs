//! Binding: raw text in, a typed value or every problem out.

use crate::contract::Contract;
use crate::diagnose::{self, Context};
use crate::issue::{BindError, Limits};
use crate::plan::WirePlan;
use crate::reader::Reader;

/// A value, and what the plan took out beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound<T> {
    /// The value.
    pub value: T,
    /// The properties taken out.
    pub taken: Taken,
}

/// Properties of the root that are not the type's: name and raw JSON text, in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken(Vec<(String, String)>);

impl Taken {
    /// The raw JSON text of a property.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, raw) = self.0.iter().find(|(taken, _)| taken == name)?;
        Some(raw)
    }

    /// Whether nothing was taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Name and raw JSON text of each property.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, raw)| (&**name, &**raw))
    }
}

impl<N: Into<String>, R: Into<String>> FromIterator<(N, R)> for Taken {
    fn from_iter<I: IntoIterator<Item = (N, R)>>(pairs: I) -> Self {
        let owned = pairs.into_iter().map(|(name, raw)| (name.into(), raw.into()));
        Self(owned.collect())
    }
}

/// Binds what a model sent to a type. Empty text and a bare `null` stand for `{}`, which is what models send to tools
/// without arguments.
///
/// # Errors
///
/// With every problem of the text, if there is one.
pub fn bind<T: Contract>(raw: &str, plan: &WirePlan, limits: &Limits) -> Result<Bound<T>, BindError> {
    diagnose::fits(raw, limits)?;
    let text = or_empty_object(raw);
    let mut reader = Reader::new(text, plan, limits);
    match reader.document::<T>() {
        Ok(value) => {
            // `null` stands for an optional property that is absent, as everywhere.
            let taken = reader.taken().iter().copied().filter(|(_, raw)| *raw != "null").collect();
            Ok(Bound { value, taken })
        }
        Err(refused) => Err(diagnose::error(&Context::new(&T::shape(), plan, limits), text, refused)),
    }
}

/// Models send nothing at all, or `null`, for a tool without arguments.
pub(crate) fn or_empty_object(raw: &str) -> &str {
    match raw.trim_ascii() {
        "" | "null" => "{}",
        _ => raw,
    }
}

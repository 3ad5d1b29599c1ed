//! How a macro turns whatever a body returns into an output.
//!
//! A body may return a `Result` or a plain value, a type with its own [`IntoToolOutput`] or any `Serialize` type, an
//! error that is an [`Error`] or only `Display`. Blanket impls for these overlap, so the choice is made where the type
//! is known, by method resolution: a method on the type is found one reference earlier than the same method on a
//! reference to it, and so the first of each pair below wins where it applies.

use std::error::Error;
use std::fmt::Display;

use serde::Serialize;

use super::output::{IntoToolOutput, ToolError, ToolOutput, shown};

/// The body returned a `Result`.
pub struct IsResult;
/// The body returned a plain value.
pub struct IsPlain;
/// The error of a body that cannot fail.
pub enum Never {}

/// Chosen for `Result`.
pub trait ResultKind {
    /// The tag.
    fn outcome_kind(&self) -> IsResult {
        IsResult
    }
}
impl<T, E> ResultKind for Result<T, E> {}

/// Chosen for everything else.
pub trait PlainKind {
    /// The tag.
    fn outcome_kind(&self) -> IsPlain {
        IsPlain
    }
}
impl<T> PlainKind for &T {}

impl IsResult {
    /// A result is already split.
    pub fn split<T, E>(self, returned: Result<T, E>) -> Result<T, E> {
        returned
    }
}
impl IsPlain {
    /// A plain value is a success.
    pub fn split<T>(self, returned: T) -> Result<T, Never> {
        Ok(returned)
    }
}
impl std::fmt::Display for Never {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {}
    }
}

/// The value shows itself.
pub struct ShowsItself;
/// The value is written as JSON.
pub struct IsSerialize;

/// Chosen for types with their own conversion.
pub trait OwnOutputKind {
    /// The tag.
    fn output_kind(&self) -> ShowsItself {
        ShowsItself
    }
}
impl<T: IntoToolOutput> OwnOutputKind for T {}

/// Chosen for everything else.
pub trait SerializeKind {
    /// The tag.
    fn output_kind(&self) -> IsSerialize {
        IsSerialize
    }
}
impl<T> SerializeKind for &T {}

impl ShowsItself {
    /// The type's own conversion.
    pub fn convert<T: IntoToolOutput>(self, value: T) -> Result<ToolOutput, ToolError> {
        value.into_tool_output()
    }
}
impl IsSerialize {
    /// The value as JSON, a string as itself.
    // By value: the macro hands over what the body returned, whichever tag was chosen.
    #[allow(clippy::needless_pass_by_value)]
    pub fn convert<T: Serialize>(self, value: T) -> Result<ToolOutput, ToolError> {
        shown(&value)
    }
}

/// The error has a source chain to keep.
pub struct IsError;
/// The error is only text.
pub struct IsDisplay;

/// Chosen for errors.
pub trait ErrorKind {
    /// The tag.
    fn failure_kind(&self) -> IsError {
        IsError
    }
}
impl<E: Error + Send + Sync + 'static> ErrorKind for E {}

/// Chosen for everything else.
pub trait DisplayKind {
    /// The tag.
    fn failure_kind(&self) -> IsDisplay {
        IsDisplay
    }
}
impl<E> DisplayKind for &E {}

impl IsError {
    /// Text for the model, source for operators.
    pub fn convert<E: Error + Send + Sync + 'static>(self, error: E) -> ToolError {
        ToolError::new(error.to_string()).with_source(error)
    }
}
impl IsDisplay {
    /// Text for the model.
    #[allow(clippy::needless_pass_by_value)]
    pub fn convert<E: Display>(self, error: E) -> ToolError {
        ToolError::new(error.to_string())
    }
}

/// Turns what a body returned into `Result<ToolOutput, ToolError>`.
#[doc(hidden)]
#[macro_export]
macro_rules! __tool_output {
    ($returned:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::returned::{
            DisplayKind as _, ErrorKind as _, OwnOutputKind as _, PlainKind as _, ResultKind as _, SerializeKind as _,
        };
        let returned = $returned;
        match (&returned).outcome_kind().split(returned) {
            Ok(value) => (&value).output_kind().convert(value),
            Err(error) => Err((&error).failure_kind().convert(error)),
        }
    }};
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::OutputPart;

    struct Shout;
    impl IntoToolOutput for Shout {
        fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
            Ok(ToolOutput::text("HEY"))
        }
    }

    fn text(result: Result<ToolOutput, ToolError>) -> String {
        match result.unwrap().parts.first().unwrap() {
            OutputPart::Text(text) => text.to_string(),
            other => panic!("not text: {other:?}"),
        }
    }

    // C7.1
    #[test]
    fn every_return_type_becomes_an_output() {
        assert_eq!(text(__tool_output!("plain")), "plain");
        assert_eq!(text(__tool_output!(String::from("owned \"quotes\""))), "owned \"quotes\"");
        assert_eq!(text(__tool_output!(())), "Done.");
        assert_eq!(text(__tool_output!(vec![1, 2])), "[1,2]");
        assert_eq!(text(__tool_output!(Shout)), "HEY");
        assert_eq!(text(__tool_output!(Ok::<_, std::io::Error>(Shout))), "HEY");
        assert_eq!(text(__tool_output!(Ok::<_, String>(7))), "7");
    }

    // C7.1: the model reads the text, an operator gets the source.
    #[test]
    fn an_error_keeps_its_source_where_it_has_one() {
        let failed = __tool_output!(Err::<(), _>(std::io::Error::other("disk gone"))).unwrap_err();
        assert_eq!(failed.to_string(), "disk gone");
        assert!(failed.source().is_some());
        let failed = __tool_output!(Err::<(), _>("only text")).unwrap_err();
        assert_eq!(failed.to_string(), "only text");
        assert!(failed.source().is_none());
    }
}

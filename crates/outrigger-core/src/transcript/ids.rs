//! Names and identities: plain text, shared, checked where they come from outside.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Shared, immutable text. Everything that is carried along by records, messages and requests is held in it, so that
/// passing a text on never copies it.
pub type Text = Arc<str>;

macro_rules! identity {
    ($(#[$docs:meta])* $name:ident) => {
        $(#[$docs])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Text);

        impl $name {
            /// The identity as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// A new identity that nobody can guess: time-ordered, with 74 random bits (a version 7 UUID).
            #[must_use]
            pub fn fresh() -> Self {
                let mut buffer = uuid::Uuid::encode_buffer();
                Self(Text::from(&*uuid::Uuid::now_v7().simple().encode_lower(&mut buffer)))
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(Text::from(text))
            }
        }

        impl From<Text> for $name {
            fn from(text: Text) -> Self {
                Self(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&*self.0, out)
            }
        }
    };
}

identity! {
    /// A session: a set of threads that belong together.
    SessionId
}
identity! {
    /// A thread: one log of records inside a session.
    ThreadId
}
identity! {
    /// One `run` or `stream` call.
    RunId
}
identity! {
    /// One turn: from a user message to its typed end.
    TurnId
}
identity! {
    /// One tool call, as the model (or the assembler, where the model gave none) named it. Unique within a thread.
    CallId
}

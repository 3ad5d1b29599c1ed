//! Why a model gave no answer.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::transcript::Illegal;

/// Why a provider call failed.
pub struct ModelError {
    kind: ModelErrorKind,
    message: String,
    retry_after: Option<Duration>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// No connection could be made.
    Connect,
    /// The provider refused the request as malformed.
    Rejected,
    /// The provider did not accept the credentials.
    Unauthorized,
    /// Too many requests.
    RateLimited,
    /// The provider is overloaded or failed on its side.
    Unavailable,
    /// The request does not fit the model's context.
    Overflow,
    /// A time-out.
    TimedOut,
    /// The stream broke, ended early or made no sense.
    Stream,
    /// The request could not be sealed.
    Sealing,
    /// The run was cancelled.
    Cancelled,
    /// The request was not what a script expected.
    Script,
    /// The model could not be loaded or evaluated.
    Local,
    /// A hook failed.
    Hook,
}

/// Why a request was not sealed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// It breaks the provider's form.
    #[error("the conversation cannot be sent: {0}")]
    Illegal(#[from] Illegal),
    /// It is over its limit.
    #[error("the request is {size} and its limit is {limit}; nothing was sent")]
    TooLarge {
        /// Its size.
        size: u64,
        /// The limit, in the same unit.
        limit: u64,
    },
}

impl ModelError {
    /// An error of a kind, in words for a person.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry_after: None, source: None }
    }

    /// The run was cancelled.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(ModelErrorKind::Cancelled, "the run was cancelled")
    }

    /// Keeps what caused it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Keeps how long the provider asked to wait.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ModelErrorKind {
        self.kind
    }

    /// How long the provider asked to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl ModelErrorKind {
    /// Whether the same request may well succeed a little later.
    #[must_use]
    pub fn is_transient(self) -> bool {
        matches!(self, Self::Connect | Self::RateLimited | Self::Unavailable | Self::TimedOut | Self::Stream)
    }

    /// The word results and events use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Rejected => "rejected",
            Self::Unauthorized => "unauthorized",
            Self::RateLimited => "rate_limited",
            Self::Unavailable => "unavailable",
            Self::Overflow => "overflow",
            Self::TimedOut => "timed_out",
            Self::Stream => "stream",
            Self::Sealing => "sealing",
            Self::Cancelled => "cancelled",
            Self::Script => "script",
            Self::Local => "local",
            Self::Hook => "hook",
        }
    }
}

impl From<SealError> for ModelError {
    fn from(error: SealError) -> Self {
        Self::new(ModelErrorKind::Sealing, error.to_string()).with_source(error)
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ModelError")
            .field("kind", &self.kind)
            .field("message", &self.message)
            .field("retry_after", &self.retry_after)
            .field("source", &self.source)
            .finish()
    }
}

impl Error for ModelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

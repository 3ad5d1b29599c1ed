//! What a provider demands of a conversation's form, as plain data.

use serde::{Deserialize, Serialize};

use super::ids::Text;

/// The rules of form a request must keep. A provider module makes one and cites where each rule comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dialect {
    /// What the dialect is called in errors.
    pub name: Text,
    /// The first message must be the user's.
    pub first_is_user: bool,
    /// A message without any content is refused.
    pub refuses_empty: bool,
    /// Two messages of one speaker may not follow each other (context counts as the user's).
    pub alternates: bool,
    /// The longest call id, in bytes; longer ones must have been mapped before.
    pub max_call_id: usize,
}

impl Dialect {
    /// The form of the chat-completions family: calls answered at once and in full, everything else lenient.
    #[must_use]
    pub fn chat() -> Self {
        Self { name: "chat".into(), first_is_user: true, refuses_empty: true, alternates: false, max_call_id: 512 }
    }
}

//! What a provider demands of a conversation's form, as plain data.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::ids::{CallId, Text};

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
    /// What the ids of calls may be made of.
    pub call_ids: CallIdRule,
}

/// What the ids of calls may be made of. Ids that do not fit are written as others that do, the same ones every time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallIdRule {
    /// The characters beside ASCII letters and digits; `None`: any at all.
    pub extra: Option<Text>,
    /// The most bytes.
    pub max_len: usize,
    /// Whether every id must have exactly `max_len` bytes.
    pub exact: bool,
}

impl Dialect {
    /// The form of the chat-completions family: calls answered at once and in full, everything else lenient.
    #[must_use]
    pub fn chat() -> Self {
        Self {
            name: "chat".into(),
            first_is_user: true,
            refuses_empty: true,
            alternates: false,
            call_ids: CallIdRule { extra: None, max_len: 512, exact: false },
        }
    }
}

/// The characters that ids are remade of.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl CallIdRule {
    /// The id as this dialect writes it: itself if it fits, else one made from all of its bytes.
    #[must_use]
    pub fn on_wire<'a>(&self, id: &'a CallId) -> Cow<'a, str> {
        let id = id.as_str();
        if self.takes(id) { Cow::Borrowed(id) } else { Cow::Owned(remade(id, self.max_len)) }
    }

    fn takes(&self, id: &str) -> bool {
        let fits = if self.exact { id.len() == self.max_len } else { !id.is_empty() && id.len() <= self.max_len };
        let known = |char: char| match &self.extra {
            Some(extra) => char.is_ascii_alphanumeric() || extra.contains(char),
            None => true,
        };
        fits && id.chars().all(known)
    }
}

/// Letters and digits made from a hash of `id` (FNV-1a over 128 bits, so that two ids of a thread do not meet); at most
/// 22 of them.
fn remade(id: &str, length: usize) -> String {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    for byte in id.bytes() {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    let digit = |_| {
        let at = usize::try_from(hash % 62).unwrap_or_default();
        hash /= 62;
        char::from(DIGITS.get(at).copied().unwrap_or(b'0'))
    };
    (0..length.min(22)).map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // M4: an id that fits is left alone, another becomes one that fits, always the same; Mistral's rule.
    #[test]
    fn ids_are_remade_to_fit() {
        let rule = CallIdRule { extra: Some("".into()), max_len: 9, exact: true };
        assert_eq!(rule.on_wire(&"aB3456789".into()), "aB3456789");
        let ids = ["call_1", "call_2", "toolu_01A09q90qw90lq917835lq9", "aB345678", "aB345678é", ""];
        let remade: Vec<String> = ids.iter().map(|id| rule.on_wire(&CallId::from(*id)).into_owned()).collect();
        for id in &remade {
            assert!(id.len() == 9 && id.chars().all(|char| char.is_ascii_alphanumeric()), "{id}");
        }
        let distinct: std::collections::BTreeSet<&String> = remade.iter().collect();
        assert_eq!(distinct.len(), ids.len());
        insta::assert_snapshot!(remade.join(" "));
    }
}

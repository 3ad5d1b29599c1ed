//! Who is measured.

mod by_hand;
mod ours;
mod rig_agent;

use futures_util::future::BoxFuture;

/// One way to hold a conversation.
pub(crate) trait Contestant {
    /// Holds one conversation from its first message on. What the model said last.
    fn converse(&self) -> BoxFuture<'_, String>;
}

/// A contestant before it is made.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    make: fn(String) -> BoxFuture<'static, Box<dyn Contestant>>,
}

impl Entry {
    /// Makes the contestant, for a provider at this base URL.
    pub(crate) async fn make(&self, base_url: String) -> Box<dyn Contestant> {
        (self.make)(base_url).await
    }
}

/// Whose figures the others' are compared with.
pub(crate) const BY_HAND: &str = "by hand";
/// Who must not cost much more.
pub(crate) const OURS: &str = "outrigger";

pub(crate) const ENTRIES: [Entry; 4] = [
    Entry { name: BY_HAND, make: by_hand::make },
    Entry { name: OURS, make: |url| ours::make(url, false) },
    Entry { name: "outrigger, events read", make: |url| ours::make(url, true) },
    Entry { name: "rig", make: rig_agent::make },
];

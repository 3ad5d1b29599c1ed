//! Threads as logs of records; the store trait; the in-memory store.

mod damage;
mod fork_point;
mod hash;
mod leases;
mod listing;
mod log;
mod memory;
mod store;

#[cfg(test)]
mod tests;

pub use damage::{Damage, DamageReason, Lines, Reading, SetAside};
pub use fork_point::ForkPoint;
pub use hash::ContentHash;
pub use leases::{LocalLease, LocalLeases};
pub use listing::{Fork, Lineage, MAX_PAGE, Page, Restore, SessionInfo, ThreadInfo, ThreadQuery};
pub use log::ThreadLog;
pub use memory::MemoryStore;
pub use store::{Lease, MAX_DERIVED, MAX_METADATA, MAX_NAME, Store, StoreError, ThreadKey, within};

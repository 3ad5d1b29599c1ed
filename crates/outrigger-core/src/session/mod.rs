//! Threads as logs of records; the store trait; the in-memory store.

mod log;
mod memory;
mod store;

#[cfg(test)]
mod tests;

pub use log::ThreadLog;
pub use memory::MemoryStore;
pub use store::{Lease, Store, StoreError, ThreadKey};

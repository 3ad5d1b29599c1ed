//! Where threads are kept.
//!
//! | store | feature | what it is for |
//! |---|---|---|
//! | `outrigger_core::session::MemoryStore` | | tests, and threads that need not last |
//! | `SqliteStore` | `sqlite` | one file, any number of processes of one machine |
//! | `PostgresStore` | `postgres` | a server, any number of processes of any number of machines |
//!
//! [`transfer`] carries threads between them as JSON Lines. With the feature `testing`, `conformance` is the suite that
//! all of them pass, for stores of your own.
//!
//! Both databases keep a thread as rows with a check over each and all before it, so that whatever another program did
//! to them is found where it is. Forks share rows: a thread is a chain of segments, each beginning within the one before.

#[cfg(any(test, feature = "testing"))]
pub mod conformance;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod record;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod rows;
#[cfg(feature = "sqlite")]
mod sqlite;
pub mod transfer;

#[cfg(feature = "postgres")]
pub use postgres::{PostgresOptions, PostgresStore};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteOptions, SqliteStore};

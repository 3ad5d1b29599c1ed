//! OpenAI's wires, and the servers that speak them too.
//!
//! [`SERVERS`] lists the servers with what each does otherwise than OpenAI; everything else is the same for all.

pub(crate) mod chat;
mod models;
mod server;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;

#[allow(unused_imports, reason = "the HTTP client is being built under it")]
pub(crate) use chat::{Chat, chat};
pub use server::{SERVERS, Server};

//! OpenAI's wires, and the servers that speak them too.
//!
//! [`SERVERS`] lists the servers with what each does otherwise than OpenAI; everything else is the same for all.

pub(crate) mod chat;
mod models;
mod server;

pub(crate) use chat::chat;
pub use server::{SERVERS, Server};

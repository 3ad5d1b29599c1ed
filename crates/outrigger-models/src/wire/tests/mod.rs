//! Models over HTTP against a server on this machine (M2, M5, M6).

mod answers;
mod echo;
mod refusals;
mod server;
mod tls;

//! What the wire must do.

mod decode;
mod refusals;
mod requests;
mod support;

//! The wire against streams and conversations written after its published format.

mod decode;
mod encode;
mod official;
mod refusals;
mod requests;
mod round_trip;
mod support;

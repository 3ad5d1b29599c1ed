//! From a thread's view and a draft to a sealed request: sizing, legality, assembly.

mod wire;

pub(crate) use wire::ThreadWire;

//! The `outrigger` program.
fn main() {}

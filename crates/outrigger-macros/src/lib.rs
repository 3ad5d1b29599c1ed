//! The attribute and derive macros of Outrigger.

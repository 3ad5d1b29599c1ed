//! What the wire must do.

//! Doors for fuzz targets. Not for hands.

mod anthropic;

pub use anthropic::anthropic_stream;

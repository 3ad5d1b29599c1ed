//! Ready harnesses: files, calculator, clock.
pub mod calculator;
pub mod files;
mod nearest;

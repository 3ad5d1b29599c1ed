//! Ready harnesses: files, calculator, clock.
pub mod calculator;
mod nearest;

//! Ready harnesses: files, calculator, clock.

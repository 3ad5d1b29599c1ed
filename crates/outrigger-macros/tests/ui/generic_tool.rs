#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::{harness, tool};

struct Weather;

#[harness]
impl Weather {
    #[tool]
    fn current<T>(&self, city: T) {}

    #[tool]
    fn later(&self, city: impl Into<String>) {}
}

#[tool]
fn search<const N: usize>(words: [String; N]) {}

fn main() {}

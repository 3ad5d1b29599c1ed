#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::{harness, tool};

#[harness]
struct Weather;

#[tool]
struct Search;

#[harness]
impl Clone for Weather {
    #[tool]
    fn clone(&self) -> Self {
        Weather
    }
}

#[harness]
impl Search {
    #[tool]
    const LIMIT: usize = 3;

    #[tool]
    unsafe fn current(&self) {}
}

fn main() {}

#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::{harness, tool};

struct Weather;

#[harness(name = "The weather")]
impl Weather {
    #[tool(name = "current weather")]
    fn current(&self) {}

    #[tool(name = 3)]
    fn later(&self) {}
}

#[tool]
fn größe() {}

fn main() {}

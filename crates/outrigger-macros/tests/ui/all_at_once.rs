#![allow(unused, reason = "only the errors are of interest")]

use outrigger_core::harness::Harness;
use outrigger_macros::harness;

struct Weather;

#[harness]
impl Weather {
    #[tool(tiemout = "30s")]
    async fn current(&mut self, city: &String) {}

    #[tool(name = "current")]
    fn now(&self, (a, b): (u8, u8)) {}
}

fn main() {
    // What is left of the harness keeps its name, so only the block's own errors show.
    let _ = Weather.name();
}

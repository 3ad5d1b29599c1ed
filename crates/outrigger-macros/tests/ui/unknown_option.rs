#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::{harness, tool};

struct Weather;

#[harness(nmae = "Climate")]
impl Weather {
    #[tool(tiemout = "30s", colour)]
    async fn current(&self) {}

    #[tool]
    #[tool = "now"]
    fn now(&self) {}
}

#[tool(readonly)]
fn search() {}

fn main() {}

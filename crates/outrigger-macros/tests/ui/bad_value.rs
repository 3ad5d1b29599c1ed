#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::harness;

struct Weather;

#[harness]
impl Weather {
    #[tool(timeout = "30 seconds", max_output = "1 megabyte", parallel = "no")]
    async fn current(&self) {}

    #[tool(timeout = 30, timeout = "0s", max_output, idempotent(true))]
    async fn later(&self) {}

    #[tool(read_only, read_only, name(x), "text", blocking true)]
    fn never(&self) {}
}

fn main() {}

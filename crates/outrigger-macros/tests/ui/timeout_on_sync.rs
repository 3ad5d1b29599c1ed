#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::{harness, tool};

struct Weather;

#[harness]
impl Weather {
    #[tool(timeout = "30s")]
    fn current(&self) {}
}

#[tool(blocking)]
async fn search() {}

fn main() {}

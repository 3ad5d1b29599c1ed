#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::harness;

struct Report;
struct Trouble;
struct Weather;

#[harness]
impl Weather {
    #[tool]
    async fn current(&self) -> Report {
        Report
    }

    #[tool]
    fn later(&self) -> Result<String, Trouble> {
        Err(Trouble)
    }
}

fn main() {}

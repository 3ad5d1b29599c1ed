#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::harness;

enum Unit {
    Celsius,
}
struct Weather;

#[harness]
impl Weather {
    #[tool]
    async fn current(&self, city: String, unit: Unit) {}
}

fn main() {}

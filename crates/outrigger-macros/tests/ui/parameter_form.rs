#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::harness;

struct Weather;

#[harness]
impl Weather {
    #[tool]
    fn one(&self, (latitude, longitude): (f64, f64)) {}

    #[tool]
    fn two(&self, _: String) {}

    #[tool]
    fn three(&self, #[cfg(unix)] path: String) {}
}

fn main() {}

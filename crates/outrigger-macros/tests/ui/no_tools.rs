#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::harness;

struct Weather;

#[harness]
impl Weather {
    fn current(&self) {}
}

fn main() {}

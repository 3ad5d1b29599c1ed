#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::harness;

struct Weather;

#[harness]
impl Weather {
    #[tool]
    fn current(&self) {}

    #[tool(name = "current")]
    fn now(&self) {}
}

struct Files;

#[harness]
impl Files {
    #[tool]
    fn read_all(&self) {}

    #[tool]
    fn read__all(&self) {}
}

fn main() {}

#![allow(unused, reason = "only the errors are of interest")]

use std::sync::Arc;

use outrigger_macros::{harness, tool};

struct Weather;

#[harness]
impl Weather {
    #[tool]
    fn by_value(self) {}

    #[tool]
    fn by_mutable_reference(&mut self) {}

    #[tool]
    fn shared(self: Arc<Self>) {}
}

struct Files;

impl Files {
    #[tool]
    fn read(&self) {}
}

fn main() {}

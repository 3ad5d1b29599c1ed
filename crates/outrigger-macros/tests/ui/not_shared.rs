#![allow(unused, reason = "only the errors are of interest")]

use std::cell::Cell;

use outrigger_macros::harness;

struct Weather(Cell<u8>);

#[harness]
impl Weather {
    #[tool]
    fn current(&self) {}
}

struct Store<T>(T);

#[harness]
impl<T> Store<T> {
    #[tool]
    fn get(&self) {}
}

fn main() {}

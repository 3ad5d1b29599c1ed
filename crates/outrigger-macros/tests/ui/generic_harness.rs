#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::harness;

struct Store<T>(T);

#[harness]
impl<T: Send + Sync + 'static> Store<T> {
    #[tool]
    fn put(&self, value: T) {}

    #[tool]
    fn put_all(&self, values: Vec<Option<T>>) {}

    #[tool]
    fn merge(&self, other: Self) {}
}

struct Borrowed<'a>(&'a str);

#[harness]
impl<'a> Borrowed<'a> {
    #[tool]
    fn get(&self) {}
}

fn main() {}

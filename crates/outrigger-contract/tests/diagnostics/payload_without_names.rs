use outrigger_macros::Contract;

#[derive(Contract)]
enum Figure {
    Circle(f64),
    Square { side: f64 },
}

#[derive(Contract)]
enum Pair {
    Both(u8, u8),
}

fn main() {}

use outrigger_macros::Contract;

struct Plain;

#[derive(Contract)]
struct Args {
    plain: Plain,
}

fn main() {}

use outrigger_macros::Contract;

#[derive(Contract)]
struct Args {
    #[arg(min = 1)]
    city: String,
    #[arg(max_len = 3)]
    days: u8,
    #[arg(min = 0.5)]
    count: u8,
    #[arg(max_items = 3)]
    name: String,
}

fn main() {}

use outrigger_macros::Contract;

#[derive(Contract)]
struct Args {
    #[arg(min = 5, max = 1)]
    days: u8,
    #[arg(min_len = 5, max_len = 1)]
    city: String,
    #[arg(min_items = 2, max_items = 1)]
    tags: Vec<String>,
}

fn main() {}

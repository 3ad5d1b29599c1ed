use outrigger_macros::Contract;

#[derive(Contract)]
struct Args {
    #[arg(default = 0, min = 1, max = 14)]
    days: u8,
    #[arg(default = "", min_len = 1)]
    city: String,
}

fn main() {}

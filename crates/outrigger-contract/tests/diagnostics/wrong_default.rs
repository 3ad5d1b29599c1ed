use outrigger_macros::Contract;

#[derive(Contract)]
struct Args {
    #[arg(default = 5)]
    city: String,
    #[arg(default = "five")]
    days: u8,
}

fn main() {}

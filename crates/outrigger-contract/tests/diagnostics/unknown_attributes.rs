use outrigger_macros::Contract;

#[derive(Contract)]
struct Args {
    #[arg(minimum = 1)]
    days: u8,
    #[serde(alias = "town")]
    city: String,
    #[arg(format = "postcode")]
    code: String,
}

fn main() {}

use outrigger_macros::Contract;

#[derive(Contract)]
struct Args {
    city: String,
    #[arg(rename = "city")]
    town: String,
}

#[derive(Contract)]
enum Unit {
    Celsius,
    #[serde(rename = "Celsius")]
    Kelvin,
}

fn main() {}

use outrigger_macros::Contract;

#[derive(Contract)]
struct Place {
    city: String,
}

#[derive(Contract)]
struct Args {
    city: String,
    #[serde(flatten)]
    place: Place,
}

fn main() {}

use std::collections::BTreeMap;

use outrigger_macros::Contract;

#[derive(Contract)]
struct Args {
    city: String,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

fn main() {}

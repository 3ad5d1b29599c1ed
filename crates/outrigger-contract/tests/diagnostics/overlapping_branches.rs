use outrigger_macros::Contract;

#[derive(Contract)]
#[serde(untagged)]
enum Loose {
    Whole(i64),
    Part(f64),
    Point { x: f64, y: Option<f64> },
    Line { x: f64, z: Option<f64> },
}

fn main() {}

use outrigger_macros::Contract;

#[derive(Contract)]
#[serde(rename_all = "snake_case")]
enum Figure {
    Circle { radius: f64 },
    Square { side: f64 },
}

fn main() {}

#![allow(unused, reason = "only the errors are of interest")]

use outrigger_macros::harness;

struct Weather;

#[harness]
impl Weather {
    #[tool(example(ask = "How warm is it in Paris?", args = { ctiy: "Paris" }))]
    fn current(&self, city: String, #[arg(rename = "unit")] scale: String) {}

    #[tool(example(ask = "How warm is it?", args = { scale: "Celsius" }))]
    fn later(&self, #[arg(rename = "unit")] scale: String) {}

    #[tool(example(ask = "Now?", args = { city: Paris }), example(ask = "Now?"), example(args = { n: 1u8 }))]
    fn never(&self, city: String) {}

    #[tool(example(ask = "Now?", args = { city: "Paris" }))]
    fn nothing(&self) {}
}

fn main() {}

//! The macros in a crate that knows the facade by another name, has no other dependency of ours or of serde's, imports
//! nothing but the macros, and forbids unsafe code.
#![forbid(unsafe_code)]

use rigging::{Contract, harness};

/// A place.
#[derive(Contract)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// How it is measured.
    #[arg(default)]
    pub unit: Unit,
}

/// A unit.
#[derive(Contract, Clone, Copy, Default)]
pub enum Unit {
    /// Metres.
    #[default]
    Metre,
    /// Feet.
    Foot,
}

/// Heights.
pub struct Heights;

/// Heights of places.
#[harness]
impl Heights {
    /// How high a place is.
    #[tool(read_only, example(ask = "How high is Oslo?", args = { place: { name: "Oslo" } }))]
    async fn height(
        &self,
        /// The place.
        place: Place,
    ) -> String {
        let unit = match place.unit {
            Unit::Metre => "m",
            Unit::Foot => "ft",
        };
        format!("{}: 23 {unit}", place.name)
    }
}

/// Doubles a number.
#[rigging::tool]
pub fn double(
    /// The number.
    number: i32,
) -> i32 {
    number.saturating_mul(2)
}

#[cfg(test)]
mod tests {
    use rigging::scripted::{Script, ScriptedModel};

    use super::{Heights, double};

    #[tokio::test]
    async fn the_macros_find_the_facade_under_its_other_name() {
        let calls = [("height", r#"{"place":{"name":"Oslo","unit":"Foot"}}"#), ("double", r#"{"number":21}"#)];
        let model = ScriptedModel::new(Script::new().calls(calls).text("done"));
        let builder = rigging::Agent::builder().model(model.clone()).harness(Heights).tool(double::tool());
        builder.build().await.unwrap().run("go").await.unwrap();
        let last = model.requests().pop().unwrap().messages().messages().pop().unwrap();
        let rigging::transcript::Message::Results(batch) = &*last else { panic!("no results") };
        let said: Vec<String> = batch.results.iter().map(|result| result.text_content()).collect();
        assert_eq!(said, ["Oslo: 23 ft", "42"]);
    }
}

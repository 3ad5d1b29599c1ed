//! One signature, and the five things it becomes: the schema, the binder, the carrier, the defaults, the adapter.
//!
//! `cargo run -p outrigger --example contracts`

use std::sync::Arc;

use outrigger::contract::{Limits, SchemaProfile, WirePlan, encode, project};
use outrigger::harness::Harness;
use outrigger::prelude::*;
use outrigger::transcript::OutputPart;

/// How fast something must be there.
#[derive(Contract, Clone, Copy, Debug, Default, PartialEq)]
pub enum Speed {
    /// Within a week.
    #[default]
    Standard,
    /// Tomorrow.
    Express,
}

/// Where something goes.
#[derive(Contract, Clone, Debug, PartialEq)]
pub struct Address {
    /// Street and number.
    street: String,
    /// Two letters, as in `DE`.
    #[arg(pattern = "^[A-Z]{2}$")]
    country: String,
}

/// Parcels.
pub struct Parcels;

/// Sends parcels.
#[harness]
impl Parcels {
    /// Sends a parcel.
    #[tool]
    async fn send(
        &self,
        /// Where to.
        to: Address,
        /// Weight in grams.
        #[arg(min = 1, max = 30_000)]
        grams: u32,
        /// How fast.
        #[arg(default)]
        speed: Speed,
        /// What to write on it.
        note: Option<String>,
        context: &ToolContext,
    ) -> String {
        let note = note.map(|note| format!(" ({note})")).unwrap_or_default();
        format!("{}: {grams} g to {}, {}, {speed:?}{note}", context.tool(), to.street, to.country)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let tools = Arc::new(Parcels).tools();
    let Some(send) = tools.first() else { return };

    println!("1. The closed schema that a model sees (the parameter `context` is not in it):\n");
    let projection = project(&send.shape(), &SchemaProfile::canonical(), &[], &[]);
    println!("{}\n", String::from_utf8_lossy(&projection.schema));

    println!("2. The strict binder, and what a model reads when it errs. All problems come at once:\n");
    let (plan, limits) = (WirePlan::default(), Limits::default());
    for wrong in [
        r#"{"to":{"street":"Main St 1","Country":"de"},"grams":"250"}"#,
        r#"{"to":{"street":"Main St 1","country":"DE"},"grams":99000,"speed":"express"}"#,
        r#"{"to":{"street":"Main St 1","country":"DE"},"grams":250,"express":true}"#,
    ] {
        println!("{wrong}");
        if let Err(error) = send.bind(wrong, &plan, &limits) {
            println!("{error}\n");
        }
    }

    println!("3. The typed carrier of the arguments, to build, log and compare them:\n");
    let to = Address { street: "Main St 1".into(), country: "DE".into() };
    let arguments = ParcelsSendArgs { to, grams: 250, speed: Speed::Express, note: None };
    println!("{}\n", encode(&arguments));

    println!("4. The defaults: what a model may leave out is there when the body runs:\n");
    let sent = r#"{"to":{"street":"Main St 1","country":"DE"},"grams":250.0}"#;
    let bound = match send.bind(sent, &plan, &limits) {
        Ok(bound) => bound,
        Err(error) => return println!("{error}"),
    };
    println!("{sent}\n{}\n", bound.canonical());

    println!("5. The adapter that calls the body, with what only the running program knows:\n");
    match bound.run(ToolContext::detached("Parcels.send")).await {
        Ok(output) => {
            for part in output.parts {
                if let OutputPart::Text(text) = part {
                    println!("{text}");
                }
            }
        }
        Err(error) => println!("{error}"),
    }
}

//! How to test an agent of your own: a script for the model, and expectations on what it is sent.
//!
//! The tests at the end are the point; `cargo test -p outrigger --example scripted_test` runs them. Run as a program it
//! plays one of them and prints what the model was sent.

use std::sync::Mutex;

use outrigger::model::RequestLine;
use outrigger::prelude::*;
use outrigger::scripted::{Script, ScriptedModel};

/// A shop's stock, by article.
#[derive(Default)]
pub struct Shop {
    sold: Mutex<Vec<(String, u32)>>,
}

/// A small shop.
#[harness]
impl Shop {
    /// Sells an article.
    #[tool(idempotent)]
    fn sell(
        &self,
        /// What to sell.
        article: String,
        /// How many pieces.
        #[arg(min = 1, max = 10)]
        pieces: u32,
    ) -> Result<String, String> {
        let mut sold = self.sold.lock().map_err(|_| "the till is broken".to_owned())?;
        sold.push((article.clone(), pieces));
        Ok(format!("Sold {pieces} of {article}."))
    }
}

/// An agent of the shop with any model: the program gives it a real one, a test a scripted one.
///
/// # Errors
/// When the agent cannot be built.
pub async fn clerk(model: impl outrigger::model::IntoModel) -> outrigger::Result<Agent> {
    let builder = Agent::builder().name("clerk").instructions("You sell things.").model(model).harness(Shop::default());
    Ok(builder.build().await?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> outrigger::Result<()> {
    let script = Script::new().call("sell", r#"{"article":"lamp","pieces":2}"#).text("Two lamps, there you are.");
    let model = ScriptedModel::new(script);
    let turn = clerk(model.clone()).await?.run("Two lamps, please.").await?;
    println!("{}\n", turn.text());
    for (seq, request) in (1..).zip(model.requests()) {
        match serde_json::to_string(&RequestLine { seq, request: &request }) {
            Ok(line) => println!("{line}"),
            Err(error) => eprintln!("a request that cannot be shown: {error}"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use outrigger::scripted::Expect;
    use outrigger::transcript::StopReason;

    use super::*;

    #[tokio::test]
    async fn a_sale_is_made_and_told() {
        let sold = Expect { last_contains: Some("Sold 2 of lamp.".into()), ..Expect::default() };
        let script = Script::new()
            .call("sell", r#"{"article":"lamp","pieces":2}"#)
            .text("Two lamps, there you are.")
            .expecting(sold);
        let turn = clerk(ScriptedModel::new(script)).await.unwrap().run("Two lamps, please.").await.unwrap();
        assert_eq!((turn.stop, turn.text()), (StopReason::Answered, "Two lamps, there you are."));
    }

    #[tokio::test]
    async fn a_model_that_asks_for_too_many_is_told_so_and_can_mend_it() {
        let refused = Expect { contains: vec!["/pieces".into()], ..Expect::default() };
        let script = Script::new()
            .call("sell", r#"{"article":"lamp","pieces":200}"#)
            .call("sell", r#"{"article":"lamp","pieces":10}"#)
            .expecting(refused)
            .text("I can give you ten.");
        let model = ScriptedModel::new(script);
        let turn = clerk(model.clone()).await.unwrap().run("200 lamps!").await.unwrap();
        assert_eq!((turn.iterations, model.steps_left()), (3, 0));
    }
}

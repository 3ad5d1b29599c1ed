//! Record and replay: what a model said in one run is a script that says it again, without the model.
//!
//! `outrigger run --record FILE` does the same with a real model. The file is JSON to be read and edited: cut an answer
//! short, change an argument, add an expectation, and see what your agent makes of it. Here a scripted model stands for
//! the real one, so that the example needs no key and no network.

use std::path::PathBuf;

use outrigger::model::IntoModel;
use outrigger::prelude::*;
use outrigger::scripted::{Recording, Script, ScriptedModel};

#[derive(Default)]
struct Weather;

/// Weather reports.
#[harness]
impl Weather {
    /// Gets the current weather for a city.
    #[tool]
    fn current(
        &self,
        /// The city to look up.
        city: String,
    ) -> String {
        format!("It is sunny in {city}, 18 °C.")
    }
}

async fn ask(model: impl IntoModel) -> outrigger::Result<TurnResult> {
    let agent = Agent::builder().model(model).harness(Weather).build().await?;
    Ok(agent.run("What should I wear in Chicago?").await?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // In place of `model("openai:gpt-5-mini")`.
    let script = Script::new().call("current", r#"{"city": "Chicago"}"#).text("A light jacket will do.");
    let live = ScriptedModel::new(script);

    let path: PathBuf = std::env::temp_dir().join(format!("outrigger-recording-{}.json", std::process::id()));
    let first = ask(Recording::to_file(&path)?.of(live)).await?;
    println!("{}", std::fs::read_to_string(&path)?);

    let replay = ScriptedModel::open(&path)?;
    let again = ask(replay.clone()).await?;
    std::fs::remove_file(&path)?;
    assert_eq!((first.text(), first.stop, first.iterations), (again.text(), again.stop, again.iterations));
    assert_eq!((first.usage, replay.steps_left()), (again.usage, 0));
    println!("Played back, the run says the same: {}", again.text());
    Ok(())
}

//! One program for every model: which one is a string, and those after it are asked when it fails.
//!
//! `cargo run -p outrigger --example any_model -- scripted:examples/any_model/script.json`
//! `cargo run -p outrigger --example any_model -- openai:gpt-5-mini anthropic:claude-sonnet-4-5`
//! `cargo run -p outrigger --example any_model -- ollama:llama3.2`
//!
//! Keys come from the environment (`OPENAI_API_KEY`, `ANTHROPIC_API_KEY`).

use std::io::Write;

use futures_util::StreamExt;
use outrigger::event::EventKind;
use outrigger::prelude::*;

struct Dice;

/// Dice.
#[harness]
impl Dice {
    /// Rolls dice and tells what each shows.
    #[tool(read_only)]
    fn roll(
        &self,
        /// How many.
        #[arg(default = 1, min = 1, max = 10)]
        dice: u8,
    ) -> Vec<u8> {
        // As fair as this example needs it.
        (0..dice).map(|die| 1 + (die * 4 + 2) % 6).collect()
    }
}

#[tokio::main]
async fn main() -> outrigger::Result<()> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names.push("scripted:examples/any_model/script.json".to_owned());
    }
    let mut names = names.into_iter();
    let first = names.next().unwrap_or_default();
    let builder = Agent::builder().model(model(first)).harness(Dice).instructions("Roll when you are asked to.");
    let agent = names.fold(builder, |builder, name| builder.fallback(model(name))).build().await?;

    let mut run = agent.stream("Roll two dice for me.");
    while let Some(event) = run.next().await {
        match event.kind {
            EventKind::TextDelta { text, .. } => print!("{text}"),
            EventKind::ToolCallResult { name, content, .. } => println!("\n[{name}: {content}]"),
            EventKind::Retry { message, wait_ms, model, .. } => {
                println!("[{message}; asking {}:{} in {wait_ms} ms]", model.provider, model.model);
            }
            _ => {}
        }
        std::io::stdout().flush().ok();
    }
    let turn = run.result().await?;
    let usage = turn.usage;
    println!(
        "\n[{}:{}, {} iterations, {} tokens in ({} cached), {} out]",
        turn.model.provider, turn.model.model, turn.iterations, usage.input, usage.cached, usage.output
    );
    Ok(())
}

//! A run that ends with a value instead of text, and what of it is complete while it is still being written.
//!
//! `cargo run -p outrigger --example structured_output`

use futures_util::StreamExt;
use outrigger::prelude::*;
use outrigger::scripted::{Script, ScriptedModel};

/// A person, as a text tells of one.
#[derive(Contract, Debug)]
struct Person {
    /// Full name.
    name: String,
    /// Year of birth, if it is said.
    born: Option<u16>,
    /// What they are known for.
    known_for: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> outrigger::Result<()> {
    // A real model may answer in text first; it is asked for the value then. This one does, and then errs once.
    let script = || {
        Script::new()
            .text("That is Ada Lovelace.")
            .call("final_answer", r#"{"name":"Ada Lovelace","born":"1815","known_for":[]}"#)
            .call("final_answer", r#"{"name":"Ada Lovelace","born":1815,"known_for":["the first program"]}"#)
    };
    let question = "Who wrote the first program, in 1843?";

    let agent = Agent::builder().model(ScriptedModel::new(script())).build().await?;
    let typed = agent.run_as::<Person>(question).await?;
    let Person { name, born, known_for } = &typed.output;
    println!("{name}, born {born:?}, known for {known_for:?} (after {} iterations)", typed.turn.iterations);

    let agent = Agent::builder().model(ScriptedModel::new(script())).build().await?;
    let mut stream = agent.stream_as::<Person>(question);
    while let Some(document) = stream.next().await {
        println!("so far: {document}");
    }
    println!("in the end: {:?}", stream.result().await?.output);
    Ok(())
}

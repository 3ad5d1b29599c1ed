//! Two ways on from one point: a thread is forked in the middle, and each goes its own way over the records they share.

use std::sync::Arc;

use outrigger::prelude::*;
use outrigger::scripted::{Script, ScriptedModel};
use outrigger::session::{ForkPoint, StoreError, ThreadQuery};
use outrigger::store::SqliteStore;
use outrigger::store::transfer::ThreadFile;
use outrigger::transcript::{Message, UserPart};

#[tokio::main(flavor = "current_thread")]
async fn main() -> outrigger::Result<()> {
    let folder = std::env::temp_dir().join(format!("outrigger-fork-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(StoreError::failed)?;
    let store = Arc::new(SqliteStore::open(folder.join("threads.db"))?);
    let script = Script::new()
        .text("Where to: the sea or the mountains?")
        .text("The sea, then. I found a house on the shore.")
        .text("The mountains, then. I found a hut.");
    let agent = Agent::builder().model(ScriptedModel::new(script)).store(store).build().await?;

    let sea = agent.thread("holiday", "main");
    sea.run("Plan my holiday.").await?;
    sea.run("The sea.").await?;

    // The first two messages, which is where the question was asked.
    let mountains = sea.fork(ForkPoint::Messages(2)).await?;
    mountains.run("The mountains.").await?;

    for thread in agent.threads(ThreadQuery::session("holiday")).await? {
        let told = thread
            .lineage
            .map_or("begun here".to_owned(), |from| format!("forked from {} at {}", from.parent, from.at));
        println!("{}: {} records, {told}", if thread.key == *sea.key() { "sea" } else { "mountains" }, thread.records);
    }
    for thread in [&sea, &mountains] {
        println!();
        thread.view().await?.messages().with(|messages| messages.iter().for_each(|message| show(message)));
    }
    let (file, _) = ThreadFile::export(&**agent.store(), mountains.key()).await?;
    println!("\nThe fork as a file, to be carried elsewhere, has {} lines.", file.lines.len() + 1);
    drop(std::fs::remove_dir_all(folder));
    Ok(())
}

fn show(message: &Message) {
    match message {
        Message::User(message) => {
            for part in &message.parts {
                if let UserPart::Text(text) = part {
                    println!("  user: {text}");
                }
            }
        }
        Message::Assistant(message) => println!("  assistant: {}", message.text()),
        _ => {}
    }
}

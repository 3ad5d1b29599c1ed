//! A conversation that outlives its process: the thread is in a file, and whoever opens it goes on where it stopped.
//!
//! The first process here goes away in the middle of a payment. The second finds the call open, cannot know whether it
//! took effect, and tells the model so, on record; the payment is not made again by itself.

use std::sync::{Arc, Mutex};

use outrigger::prelude::*;
use outrigger::scripted::{Script, ScriptedModel};
use outrigger::store::SqliteStore;
use outrigger::transcript::Message;

/// A bank, with the payments it made.
#[derive(Clone, Default)]
struct Bank {
    paid: Arc<Mutex<Vec<String>>>,
}

/// A bank.
#[harness]
impl Bank {
    /// Pays an amount to somebody.
    #[tool]
    async fn pay(
        &self,
        /// To whom.
        to: String,
        context: &ToolContext,
    ) -> String {
        if let Ok(mut paid) = self.paid.lock() {
            // The key is the same for every attempt of this call: a bank that knows it pays once.
            paid.push(format!("{to} ({})", context.idempotency_key()));
        }
        // The answer never comes.
        std::future::pending().await
    }
}

#[tokio::main]
async fn main() -> outrigger::Result<()> {
    let folder = std::env::temp_dir().join(format!("outrigger-resume-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(outrigger::session::StoreError::failed)?;
    let (file, bank) = (folder.join("threads.db"), Bank::default());

    first_process(&file, bank.clone())?;

    let store = Arc::new(SqliteStore::open(&file)?);
    let model = ScriptedModel::new(Script::new().text("I do not know whether Zoë was paid. Shall I look?"));
    let agent = Agent::builder().model(model).store(store).harness(bank.clone()).build().await?;
    let thread = agent.thread("home", "main");
    println!("found open: {:?}", thread.view().await?.open_calls().iter().map(|call| &*call.name).collect::<Vec<_>>());
    let turn = thread.run("Did it work?").await?;
    println!("{}\n\nthe conversation:", turn.text());
    thread.view().await?.messages().with(|messages| messages.iter().for_each(|message| show(message)));
    println!("\npayments made: {}", bank.paid.lock().map_or(0, |paid| paid.len()));
    drop(std::fs::remove_dir_all(folder));
    Ok(())
}

/// A process that goes away while the payment runs: its executor ends, and everything it was doing with it.
fn first_process(file: &std::path::Path, bank: Bank) -> outrigger::Result<()> {
    let file = file.to_owned();
    let process = std::thread::spawn(move || -> outrigger::Result<()> {
        let failed = outrigger::session::StoreError::failed;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
        let run = runtime.block_on(async {
            let store = Arc::new(SqliteStore::open(file)?);
            let model = ScriptedModel::new(Script::new().call("pay", r#"{"to":"Zoë"}"#));
            let agent = Agent::builder().model(model).store(store).harness(bank.clone()).build().await?;
            let run = agent.thread("home", "main").stream("Pay Zoë 5, please.");
            while bank.paid.lock().is_ok_and(|paid| paid.is_empty()) {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            outrigger::Result::Ok(run)
        });
        runtime.shutdown_timeout(std::time::Duration::ZERO);
        run.map(drop)
    });
    process.join().unwrap_or(Ok(()))
}

fn show(message: &Message) {
    match message {
        Message::User(message) => println!("  user: {:?}", message.parts),
        Message::Assistant(message) => {
            let calls: Vec<_> = message.calls().map(|call| format!("{} {}", call.name, call.arguments)).collect();
            println!("  assistant: {}{}", message.text(), calls.join(", "));
        }
        Message::Results(batch) => {
            batch.results.iter().for_each(|one| println!("  {}: {}", one.status.as_str(), one.text_content()));
        }
        _ => {}
    }
}

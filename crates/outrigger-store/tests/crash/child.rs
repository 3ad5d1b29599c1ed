//! The process that is killed: an agent that goes on with a thread, turn after turn.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outrigger_core::agent::{Agent, RunError};
use outrigger_core::harness;
use outrigger_core::session::{ContentHash, Store};
use outrigger_core::tool::ToolContext;
use outrigger_core::transcript::Envelope;
use outrigger_models::scripted::{Script, ScriptedModel};
use outrigger_store::conformance::Faulty;
use outrigger_store::{PostgresOptions, PostgresStore, SqliteStore};
use serde::{Deserialize, Serialize};

/// The variable that has what a child is to do, as JSON.
pub(crate) const CHILD: &str = "OUTRIGGER_CRASH_CHILD";

/// Where the thread is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Place {
    Sqlite(PathBuf),
    Postgres { url: String, schema: String },
}

/// What a child is to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Child {
    pub(crate) place: Place,
    pub(crate) thread: String,
    /// Where its tools have their effects.
    pub(crate) effects: PathBuf,
    pub(crate) turns: u32,
}

impl Place {
    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        match self {
            Self::Sqlite(path) => Arc::new(SqliteStore::open(path).unwrap()),
            Self::Postgres { url, schema } => {
                let options = PostgresOptions { schema: schema.clone(), connections: 4 };
                Arc::new(PostgresStore::connect_with(url, options).await.unwrap())
            }
        }
    }
}

/// Tools whose effects can be counted: each is one line in a file, on disk before the tool returns.
struct Bank {
    effects: PathBuf,
}

/// A bank.
#[harness]
impl Bank {
    /// Pays. It must not happen twice.
    #[tool]
    fn pay(&self, context: &ToolContext) -> Result<String, String> {
        effect(&self.effects, "pay", context.idempotency_key())
    }

    /// Notes something. It may happen again.
    #[tool(idempotent)]
    fn note(&self, context: &ToolContext) -> Result<String, String> {
        effect(&self.effects, "note", context.idempotency_key())
    }
}

fn effect(path: &Path, what: &str, key: &str) -> Result<String, String> {
    let done = || {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(format!("{what} {key}\n").as_bytes())?;
        file.sync_data()
    };
    done().map(|()| "done".to_owned()).map_err(|error| error.to_string())
}

/// What an append is known by in the pipe: the thread's new length and the hash of its last record.
pub(crate) fn hash(record: &Envelope) -> String {
    ContentHash::of(serde_json::to_string(record).unwrap().as_bytes()).to_string()
}

/// Goes on with the thread, telling each acknowledged append on standard output.
#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn run(child: Child) {
    let watch = |_: &_, length: u64, records: &[Envelope]| {
        if let Some(last) = records.last() {
            say(&format!("ack {length} {}", hash(last)));
        }
    };
    let store: Arc<dyn Store> = Arc::new(Faulty::watched(child.place.open().await, Box::new(watch)));
    for _ in 0..child.turns {
        let script = Script::new()
            .calls([("pay", "{}"), ("note", "{}"), ("pay", "{}")])
            .call("pay", "{}")
            .calls([("note", "{}"), ("pay", "{}")])
            .text("done");
        let builder = Agent::builder().model(ScriptedModel::new(script)).store(Arc::clone(&store));
        let agent = builder.harness(Bank { effects: child.effects.clone() }).build().await.unwrap();
        match agent.thread("crash", child.thread.as_str()).run("Pay.").await {
            Ok(_) => say("turn"),
            Err(RunError::Failed { fault, .. }) => say(&format!("failed {} {}", fault.kind, fault.message)),
            Err(error) => say(&format!("failed run {error}")),
        }
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

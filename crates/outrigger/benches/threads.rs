//! What threads cost: appending and reopening at 10,000 records, 1,000 turns at once.
//!
//! `cargo bench -p outrigger --features sqlite,postgres --bench threads`; Postgres where `OUTRIGGER_TEST_POSTGRES` has the
//! URL of a server.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::sync::Arc;

use divan::Bencher;
use futures_util::future::join_all;
use outrigger::Agent;
use outrigger::handle::SystemClock;
use outrigger::scripted::{Script, ScriptedModel};
use outrigger::session::{MemoryStore, Store, ThreadKey, ThreadLog};
use outrigger::store::{PostgresOptions, PostgresStore, SqliteStore};
use outrigger::tool::{Body, NativeTool, ToolOutput, ToolSpec};
use outrigger::transcript::{Envelope, Record, StopReason, Timestamp, UserMessage};
use tokio::runtime::{Builder, Runtime};

const RECORDS: u64 = 10_000;
const TURNS: usize = 1_000;

fn main() {
    divan::main();
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Memory,
    Sqlite,
    Postgres,
}

const KINDS: [Kind; 3] = [Kind::Memory, Kind::Sqlite, Kind::Postgres];

/// A store with nothing in it, and what it lies in; none where there is no server.
async fn store(kind: Kind) -> Option<(Arc<dyn Store>, Option<tempfile::TempDir>)> {
    Some(match kind {
        Kind::Memory => (Arc::new(MemoryStore::default()), None),
        Kind::Sqlite => {
            let folder = tempfile::TempDir::new().unwrap();
            (Arc::new(SqliteStore::open(folder.path().join("threads.db")).unwrap()), Some(folder))
        }
        Kind::Postgres => {
            let url = std::env::var("OUTRIGGER_TEST_POSTGRES").ok()?;
            let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos();
            let options = PostgresOptions { schema: format!("outrigger_bench_{now}"), connections: 16 };
            (Arc::new(PostgresStore::connect_with(&url, options).await.unwrap()), None)
        }
    })
}

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn record(number: u64) -> Envelope {
    let text = format!("This is message {number} of a conversation, about as long as people write.");
    Envelope::new(Timestamp(1), None, Record::UserMessage(UserMessage::text(text)))
}

async fn filled(store: &Arc<dyn Store>) -> ThreadKey {
    let key = ThreadKey::new("s", "main");
    store.append(&key, 0, (0..RECORDS).map(record).collect()).await.unwrap();
    key
}

/// One record behind 10,000, acknowledged as on disk.
#[divan::bench(args = KINDS, sample_count = 200, sample_size = 1)]
fn append_behind_10000(bencher: Bencher<'_, '_>, kind: Kind) {
    let runtime = runtime();
    let Some((store, _folder)) = runtime.block_on(store(kind)) else { return };
    let key = runtime.block_on(filled(&store));
    let mut length = RECORDS;
    bencher.bench_local(|| {
        length = runtime.block_on(store.append(&key, length, Arc::new([record(length)]))).unwrap();
    });
}

/// A thread of 10,000 records read, checked and folded.
#[divan::bench(args = KINDS, sample_count = 20, sample_size = 1)]
fn reopen_10000(bencher: Bencher<'_, '_>, kind: Kind) {
    let runtime = runtime();
    let Some((store, _folder)) = runtime.block_on(store(kind)) else { return };
    let key = runtime.block_on(filled(&store));
    bencher.bench_local(|| {
        let open = ThreadLog::open(Arc::clone(&store), key.clone(), Arc::new(SystemClock));
        assert_eq!(runtime.block_on(open).unwrap().view().sequence(), RECORDS);
    });
}

/// 1,000 turns at once, each on a thread of its own, with one call each: six appends, one lease.
#[divan::bench(args = KINDS, sample_count = 3, sample_size = 1)]
fn turns_at_once_1000(bencher: Bencher<'_, '_>, kind: Kind) {
    let runtime = runtime();
    let Some((store, _folder)) = runtime.block_on(store(kind)) else { return };
    let body = Body::<(), std::collections::BTreeMap<String, String>>::Future(|_, _, _| {
        Box::pin(std::future::ready(Ok(ToolOutput::text("ok"))))
    });
    let tool = Arc::new(NativeTool::new(Arc::new(()), ToolSpec::new("tool", "Does nothing, quickly."), body));
    let mut round = 0;
    bencher.bench_local(|| {
        round += 1;
        runtime.block_on(async {
            let turns = (0..TURNS).map(|number| {
                let (store, tool) = (Arc::clone(&store), Arc::clone(&tool));
                async move {
                    let script = Script::new().call("tool", r#"{"text":"a"}"#).text("done");
                    let agent = Agent::builder().model(ScriptedModel::new(script)).store(store).tool(tool);
                    let thread =
                        agent.build().await.unwrap().thread(format!("{round}").as_str(), format!("{number}").as_str());
                    assert_eq!(thread.run("go").await.unwrap().stop, StopReason::Answered);
                }
            });
            join_all(turns).await;
        });
    });
}

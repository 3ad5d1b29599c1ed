//! What a thread that nobody talks on holds in memory: counted, so that the gate holds on any machine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::alloc::System;
use std::sync::Arc;

use futures_util::future::join_all;
use outrigger::Agent;
use outrigger::scripted::{Script, ScriptedModel};
use outrigger::session::{MemoryStore, Store};
use outrigger::transcript::{
    AssistantMessage, AssistantPart, Envelope, Finish, ModelName, Origin, Record, RunId, StopReason, Timestamp,
    TurnEnded, TurnId, TurnStarted, Usage, UserMessage,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const THREADS: usize = 10_000;

/// One short turn, as a run leaves it.
fn turn() -> Arc<[Envelope]> {
    let (turn, run): (TurnId, RunId) = (TurnId::fresh(), RunId::fresh());
    let by = ModelName { provider: "scripted".into(), model: "script".into() };
    let parts = vec![AssistantPart::Text("Good to hear.".into())];
    let records = [
        Record::TurnStarted(TurnStarted { turn: turn.clone(), run }),
        Record::UserMessage(UserMessage::text("All is well.")),
        Record::AssistantMessage(Arc::new(AssistantMessage { parts, by, finish: Finish::Stop, partial: false })),
        Record::TurnEnded(TurnEnded { turn: turn.clone(), stop: StopReason::Answered, usage: Usage::default() }),
    ];
    let origin = |step| Some(Origin { turn: turn.clone(), step });
    (0..).zip(records).map(|(step, record)| Envelope::new(Timestamp(1), origin(step), record)).collect()
}

/// Live bytes and allocations of each of 10,000 threads that have had one short turn and are held.
async fn idle(store: Arc<dyn Store>) -> (usize, usize) {
    let builder = Agent::builder().model(ScriptedModel::new(Script::new().text("-"))).store(Arc::clone(&store));
    let agent = builder.build().await.unwrap();
    let before = Region::new(ALLOCATOR);
    let mut threads = Vec::with_capacity(THREADS);
    for number in 0..THREADS {
        threads.push(agent.thread("s", number.to_string().as_str()));
    }
    for some in threads.chunks(250) {
        join_all(some.iter().map(async |thread| store.append(thread.key(), 0, turn()).await.unwrap())).await;
    }
    for thread in &threads {
        assert_eq!(thread.view().await.unwrap().messages().len(), 2);
    }
    let now = before.change();
    let live = now.bytes_allocated.saturating_sub(now.bytes_deallocated);
    (live / THREADS, (now.allocations - now.deallocations) / THREADS)
}

// One test, since what others do at the same time would be counted.
#[tokio::test]
async fn an_idle_thread_holds_little() {
    let (bytes, allocations) = idle(Arc::new(MemoryStore::default())).await;
    println!("in memory, records included: {bytes} bytes in {allocations} allocations an idle thread");
    assert!(bytes < 4_000, "an idle thread holds {bytes} bytes");
    over_a_file().await;
}

#[cfg(feature = "sqlite")]
async fn over_a_file() {
    let folder = tempfile::TempDir::new().unwrap();
    let store = outrigger::store::SqliteStore::open(folder.path().join("threads.db")).unwrap();
    let (bytes, allocations) = idle(Arc::new(store)).await;
    println!("over SQLite: {bytes} bytes in {allocations} allocations an idle thread");
    assert!(bytes < 3_000, "an idle thread holds {bytes} bytes");
}

#[cfg(not(feature = "sqlite"))]
#[allow(clippy::unused_async, reason = "as with the feature")]
async fn over_a_file() {}

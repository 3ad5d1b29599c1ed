//! What a thread that nobody talks on holds in memory: counted, so that the gate holds on any machine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::alloc::System;
use std::sync::Arc;

use outrigger::Agent;
use outrigger::scripted::{Script, ScriptedModel};
use outrigger::session::{MemoryStore, Store};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const THREADS: usize = 10_000;

/// Live bytes and allocations of each of 10,000 threads that have had one short turn and are held.
async fn idle(store: Arc<dyn Store>) -> (usize, usize) {
    // The model keeps every request it was sent, so that each turn has a model of its own, gone after it.
    let held = Agent::builder().model(ScriptedModel::new(Script::new().text("-"))).store(Arc::clone(&store));
    let held = held.build().await.unwrap();
    let before = Region::new(ALLOCATOR);
    let mut threads = Vec::with_capacity(THREADS);
    for number in 0..THREADS {
        let name = number.to_string();
        let script = ScriptedModel::new(Script::new().text("Good to hear."));
        let agent = Agent::builder().model(script).store(Arc::clone(&store)).build().await.unwrap();
        agent.thread("s", name.as_str()).run("All is well.").await.unwrap();
        let thread = held.thread("s", name.as_str());
        assert_eq!(thread.view().await.unwrap().messages().len(), 2);
        threads.push(thread);
    }
    let now = before.change();
    let live = now.bytes_allocated.saturating_sub(now.bytes_deallocated);
    (live / THREADS, (now.allocations - now.deallocations) / THREADS)
}

#[tokio::test]
async fn an_idle_thread_holds_little() {
    let (bytes, allocations) = idle(Arc::new(MemoryStore::default())).await;
    println!("in memory, records included: {bytes} bytes in {allocations} allocations an idle thread");
    assert!(bytes < 6_000, "an idle thread holds {bytes} bytes");
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn an_idle_thread_over_a_file_holds_less() {
    let folder = tempfile::TempDir::new().unwrap();
    let store = outrigger::store::SqliteStore::open(folder.path().join("threads.db")).unwrap();
    let (bytes, allocations) = idle(Arc::new(store)).await;
    println!("over SQLite: {bytes} bytes in {allocations} allocations an idle thread");
    assert!(bytes < 5_000, "an idle thread holds {bytes} bytes");
}

//! The Postgres store: the conformance suite, and what is done to its tables by others. Skipped by name without a server:
//! `OUTRIGGER_TEST_POSTGRES` has its URL, as `.ci/postgres` prints it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use outrigger_core::handle::SystemClock;
use outrigger_core::session::{DamageReason, Fork, Page, Store, StoreError, ThreadKey, ThreadLog};
use outrigger_core::transcript::{Envelope, Record, Timestamp, UserMessage};
use outrigger_store::{PostgresOptions, PostgresStore};
use tokio_postgres::NoTls;

fn url() -> Option<String> {
    let url = std::env::var("OUTRIGGER_TEST_POSTGRES").ok();
    if url.is_none() {
        println!("SKIPPED: a test of the Postgres store: OUTRIGGER_TEST_POSTGRES is not set");
    }
    url
}

/// A schema of its own for each test.
fn options() -> PostgresOptions {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let schema = format!("outrigger_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::SeqCst));
    PostgresOptions { schema, connections: 4 }
}

async fn open(url: &str, options: &PostgresOptions) -> PostgresStore {
    PostgresStore::connect_with(url, options.clone()).await.unwrap()
}

async fn edit(url: &str, options: &PostgresOptions, sql: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let sql = format!("SET search_path = {}; {sql}", options.schema);
    client.batch_execute(&sql).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
}

mod suite {
    use super::*;

    async fn postgres() -> Option<Arc<dyn Store>> {
        Some(Arc::new(open(&url()?, &options()).await))
    }

    outrigger_store::conformance!(postgres);
}

fn key(thread: &str) -> ThreadKey {
    ThreadKey::new("s", thread)
}

fn said(texts: &[&str]) -> Arc<[Envelope]> {
    let record = |text: &&str| Record::UserMessage(UserMessage::text(*text));
    texts.iter().map(|text| Envelope::new(Timestamp(1), None, record(text))).collect()
}

// T6: whatever another program did to a thread's rows is found at its place; the others are as they were; the thread
// goes on, with what was lost on record and set aside.
#[tokio::test]
async fn rows_that_others_changed_are_found_and_set_aside() {
    let Some(url) = url() else { return };
    let main = "segment = (SELECT segment FROM threads WHERE thread = 'main')";
    let edits = [
        ("DELETE FROM records WHERE MAIN AND number = 2", 2, 3, DamageReason::Missing),
        ("DELETE FROM records WHERE MAIN AND number >= 3", 3, 2, DamageReason::Missing),
        (
            "UPDATE records SET text = replace(text, '\"b\"', '\"B\"') WHERE MAIN AND number = 1",
            1,
            4,
            DamageReason::Changed,
        ),
        ("UPDATE records SET digest = '' WHERE MAIN AND number = 1", 1, 4, DamageReason::Changed),
        (
            "INSERT INTO records SELECT segment, 5, digest, text FROM records WHERE MAIN AND number = 4",
            5,
            1,
            DamageReason::Surplus,
        ),
        (
            "ALTER TABLE records DROP CONSTRAINT records_pkey; INSERT INTO records SELECT * FROM records WHERE MAIN AND number = 2",
            2,
            3,
            DamageReason::Surplus,
        ),
        ("UPDATE threads SET length = 3 WHERE thread = 'main'", 3, 2, DamageReason::Surplus),
        ("UPDATE threads SET digest = '' WHERE thread = 'main'", 4, 1, DamageReason::Changed),
        (
            "DELETE FROM segments WHERE id = (SELECT segment FROM threads WHERE thread = 'main')",
            0,
            5,
            DamageReason::Missing,
        ),
    ];
    for (sql, from, count, reason) in edits {
        let options = options();
        let store = Arc::new(open(&url, &options).await);
        for thread in ["main", "other"] {
            store.append(&key(thread), 0, said(&["a", "b", "c", "d", "e"])).await.unwrap();
        }
        edit(&url, &options, &sql.replace("MAIN", main)).await;
        let reading = store.read(&key("main"), 0).await.unwrap();
        let whole = said(&["a", "b", "c", "d", "e"]);
        assert_eq!(reading.records, whole[..usize::try_from(from).unwrap()], "{sql}");
        let damage = reading.damage.unwrap_or_else(|| panic!("not found: {sql}"));
        assert_eq!((damage.from, damage.count, &damage.reason), (from, count, &reason), "{sql}: {damage}");
        assert!(damage.place.contains(&options.schema), "{damage}");
        assert_eq!(store.read(&key("other"), 0).await.unwrap().records, whole[..], "{sql}");

        let over: Arc<dyn Store> = Arc::<PostgresStore>::clone(&store);
        let log = ThreadLog::open(over, key("main"), Arc::new(SystemClock)).await.unwrap();
        assert_eq!(log.set_damage_aside().await.unwrap().as_ref(), Some(&damage), "{sql}");
        log.append(None, vec![Record::UserMessage(UserMessage::text("f"))]).await.unwrap();
        let after = store.read(&key("main"), 0).await.unwrap();
        assert_eq!((after.records.len() as u64, after.damage), (from + 2, None), "{sql}");
        assert_eq!(store.aside(&key("main")).await.unwrap()[0].from, from);
    }
}

// T3: two stores on one database, as in two processes: numbers and leases hold between them, and a lease whose
// connection is gone is free.
#[tokio::test]
async fn two_stores_on_one_database_never_interleave() {
    let Some(url) = url() else { return };
    let options = options();
    let (one, two) = (open(&url, &options).await, open(&url, &options).await);
    one.append(&key("main"), 0, said(&["a"])).await.unwrap();
    assert!(matches!(two.append(&key("main"), 0, said(&["b"])).await, Err(StoreError::Stale { found: 1, .. })));
    let lease = one.lease(&key("main")).await.unwrap();
    let main = key("main");
    let mut waiting = two.lease(&main);
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut waiting).await.is_err());
    drop(lease);
    drop(tokio::time::timeout(Duration::from_secs(20), waiting).await.unwrap().unwrap());

    let lease = one.lease(&key("main")).await.unwrap();
    drop(one);
    drop(lease);
    drop(tokio::time::timeout(Duration::from_secs(20), two.lease(&key("main"))).await.unwrap().unwrap());
}

// T3: a server that ends our connections is met again by the next call.
#[tokio::test]
async fn connections_that_break_are_made_again() {
    let Some(url) = url() else { return };
    let options = options();
    let sign = if url.contains('?') { '&' } else { '?' };
    let store = open(&format!("{url}{sign}application_name={}", options.schema), &options).await;
    store.append(&key("main"), 0, said(&["a"])).await.unwrap();
    let lease = store.lease(&key("main")).await.unwrap();
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = current_schema";
    edit(&url, &options, end).await;
    drop(lease);
    let mut length = 1;
    for _ in 0..8 {
        if let Ok(new) = store.append(&key("main"), length, said(&["b"])).await {
            length = new;
        }
        drop(store.lease(&key("main")).await);
    }
    assert!(length >= 4, "most appends go through: {length}");
    drop(tokio::time::timeout(Duration::from_secs(20), store.lease(&key("main"))).await.unwrap().unwrap());
}

// Two processes may make the tables at once; tables of a newer program are refused; a wrong URL is told without it.
#[tokio::test]
async fn tables_are_made_once_and_newer_ones_refused() {
    let Some(url) = url() else { return };
    let options = options();
    let made = futures_util::future::join_all((0..6).map(|_| PostgresStore::connect_with(&url, options.clone()))).await;
    let made: Vec<PostgresStore> = made.into_iter().map(Result::unwrap).collect();
    made[0].append(&key("main"), 0, said(&["a"])).await.unwrap();
    assert_eq!(made[5].sessions(Page::default()).await.unwrap().len(), 1);
    edit(&url, &options, "UPDATE version SET version = 900").await;
    let refused = PostgresStore::connect_with(&url, options.clone()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Newer { found: 900, .. }), "{refused}");
    let odd = PostgresOptions { schema: "a; drop".to_owned(), ..options };
    assert!(matches!(PostgresStore::connect_with(&url, odd).await, Err(StoreError::NotAStore { .. })));
    let wrong = PostgresStore::connect("postgres://me:secret@[::1/x").await.unwrap_err();
    assert!(!wrong.to_string().contains("secret"), "{wrong}");
}

// Forks and deletions at once never leave a thread without its records.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forks_and_deletions_at_once_lose_nothing() {
    let Some(url) = url() else { return };
    let store = Arc::new(open(&url, &options()).await);
    store.append(&key("main"), 0, said(&["a", "b", "c"])).await.unwrap();
    let work = (0..24).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let target = key(&number.to_string());
            let fork = Fork { source: key("main"), at: Some(number % 4), target: target.clone(), time: Timestamp(1) };
            store.fork(fork).await.unwrap();
            store.append(&target, number % 4, said(&["x"])).await.unwrap();
            if number % 2 == 0 {
                assert!(store.delete(&target).await.unwrap());
            }
            if number == 11 {
                // What is forked from it before stays; what comes later finds nothing to fork.
                assert_eq!(store.read(&key("main"), 0).await.unwrap().records.len(), 3);
            }
        })
    });
    for one in work.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    assert!(store.delete(&key("main")).await.unwrap());
    for number in (1..24_u64).step_by(2) {
        let reading = store.read(&key(&number.to_string()), 0).await.unwrap();
        assert_eq!((reading.records.len() as u64, reading.damage), (number % 4 + 1, None));
    }
}

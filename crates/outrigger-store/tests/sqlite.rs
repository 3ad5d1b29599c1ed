//! The SQLite store: the conformance suite, and what is done to its file by others.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use outrigger_core::handle::SystemClock;
use outrigger_core::session::{DamageReason, Fork, Page, Store, StoreError, ThreadKey, ThreadLog, ThreadQuery};
use outrigger_core::transcript::{Envelope, Record, Timestamp, UserMessage};
use outrigger_store::SqliteStore;
use rusqlite::Connection;
use tempfile::TempDir;

mod suite {
    use super::*;

    #[allow(clippy::unused_async, reason = "as the suite wants it")]
    async fn sqlite() -> Option<Arc<dyn Store>> {
        // The target's own folder of temporary files: it is emptied with the target.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap().keep();
        Some(Arc::new(SqliteStore::open(folder.join("threads.db")).unwrap()))
    }

    outrigger_store::conformance!(sqlite);
}

fn key(thread: &str) -> ThreadKey {
    ThreadKey::new("s", thread)
}

fn said(texts: &[&str]) -> Arc<[Envelope]> {
    let record = |text: &&str| Record::UserMessage(UserMessage::text(*text));
    texts.iter().map(|text| Envelope::new(Timestamp(1), None, record(text))).collect()
}

/// A file with two threads of five records, and a fork of the first at 4; nobody has it open.
async fn file(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("threads.db");
    let store = SqliteStore::open(&path).unwrap();
    for thread in ["main", "other"] {
        store.append(&key(thread), 0, said(&["a", "b", "c", "d", "e"])).await.unwrap();
    }
    let fork = Fork { source: key("main"), at: Some(4), target: key("fork"), time: Timestamp(2) };
    store.fork(fork).await.unwrap();
    store.append(&key("fork"), 4, said(&["x"])).await.unwrap();
    // Closing takes the write-ahead log into the file.
    store.close().await;
    path
}

fn edit(path: &Path, sql: &str) {
    let changed = Connection::open(path).unwrap().execute_batch(sql);
    changed.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// What another program does to the first thread, where it is found, and for what it is held.
fn edits() -> Vec<(&'static str, u64, u64, DamageReason)> {
    let main = "segment = (SELECT segment FROM threads WHERE thread = 'main')";
    let row = |sql: &str| -> &'static str { Box::leak(sql.replace("MAIN", main).into_boxed_str()) };
    let valid = r#"replace(text, '"b"', '"B"')"#;
    vec![
        (row("DELETE FROM records WHERE MAIN AND number = 2"), 2, 3, DamageReason::Missing),
        (row("DELETE FROM records WHERE MAIN AND number >= 3"), 3, 2, DamageReason::Missing),
        (row("DELETE FROM records WHERE MAIN"), 0, 5, DamageReason::Missing),
        (row(&format!("UPDATE records SET text = {valid} WHERE MAIN AND number = 1")), 1, 4, DamageReason::Changed),
        (row("UPDATE records SET digest = zeroblob(16) WHERE MAIN AND number = 1"), 1, 4, DamageReason::Changed),
        (row("UPDATE records SET digest = x'00' WHERE MAIN AND number = 1"), 1, 4, DamageReason::Changed),
        (
            row(
                "UPDATE records SET number = -1 WHERE MAIN AND number = 0; UPDATE records SET number = 0 WHERE MAIN AND number = 4",
            ),
            0,
            5,
            DamageReason::Changed,
        ),
        (row("UPDATE records SET number = 99 WHERE MAIN AND number = 4"), 4, 1, DamageReason::Missing),
        (
            row("INSERT INTO records SELECT segment, 5, digest, text FROM records WHERE MAIN AND number = 4"),
            5,
            1,
            DamageReason::Surplus,
        ),
        (row("UPDATE threads SET length = 3 WHERE thread = 'main'"), 3, 2, DamageReason::Surplus),
        (row("UPDATE threads SET length = 9 WHERE thread = 'main'"), 5, 4, DamageReason::Missing),
        (row("UPDATE threads SET digest = x'01' WHERE thread = 'main'"), 4, 1, DamageReason::Changed),
        (
            row("DELETE FROM segments WHERE id = (SELECT segment FROM threads WHERE thread = 'main')"),
            0,
            5,
            DamageReason::Missing,
        ),
        (
            row(
                "UPDATE segments SET parent = id, start = 3 WHERE id = (SELECT segment FROM threads WHERE thread = 'main')",
            ),
            0,
            5,
            DamageReason::Missing,
        ),
    ]
}

// T6: whatever another program did to a thread's rows is found at its place; the others are as they were; the thread
// goes on, with what was lost on record and set aside.
#[tokio::test]
async fn rows_that_others_changed_are_found_and_set_aside() {
    for (sql, from, count, reason) in edits() {
        let folder = TempDir::new().unwrap();
        let path = file(&folder).await;
        edit(&path, sql);
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path).unwrap());
        let reading = store.read(&key("main"), 0).await.unwrap();
        let whole = said(&["a", "b", "c", "d", "e"]);
        assert_eq!(reading.records, whole[..usize::try_from(from).unwrap()], "{sql}");
        let damage = reading.damage.unwrap_or_else(|| panic!("not found: {sql}"));
        assert_eq!((damage.from, damage.count, &damage.reason), (from, count, &reason), "{sql}: {damage}");
        assert!(damage.place.contains(&*path.to_string_lossy()), "{damage}");

        let other = store.read(&key("other"), 0).await.unwrap();
        assert_eq!((&other.records[..], other.damage), (&whole[..], None), "{sql}");
        assert_eq!(store.threads(ThreadQuery::default()).await.unwrap().len(), 3);

        let log = ThreadLog::open(Arc::clone(&store), key("main"), Arc::new(SystemClock)).await.unwrap();
        let refused = log.append(None, vec![Record::UserMessage(UserMessage::text("f"))]).await;
        assert!(matches!(refused, Err(StoreError::Damaged(_))), "{sql}: {refused:?}");
        assert_eq!(log.set_damage_aside().await.unwrap().as_ref(), Some(&damage), "{sql}");
        log.append(None, vec![Record::UserMessage(UserMessage::text("f"))]).await.unwrap();
        let after = store.read(&key("main"), 0).await.unwrap();
        assert_eq!((after.records.len() as u64, after.damage), (from + 2, None), "{sql}");
        assert_eq!(after.records[usize::try_from(from).unwrap()].record, Record::RecordsLost(damage.fact()));
        assert_eq!(store.aside(&key("main")).await.unwrap()[0].from, from);
    }
}

// T6: rows that a fork shares are found damaged in both, and each goes on by itself.
#[tokio::test]
async fn damage_in_shared_rows_is_each_ones_own() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder).await;
    edit(&path, "UPDATE records SET text = 'gone' WHERE number = 2 AND segment = 1");
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path).unwrap());
    for thread in ["main", "fork"] {
        let reading = store.read(&key(thread), 0).await.unwrap();
        assert!(matches!(reading.damage.unwrap().reason, DamageReason::Unreadable(_)));
        let log = ThreadLog::open(Arc::clone(&store), key(thread), Arc::new(SystemClock)).await.unwrap();
        assert_eq!(log.set_damage_aside().await.unwrap().unwrap().from, 2);
        assert_eq!(store.read(&key(thread), 0).await.unwrap().records.len(), 3);
    }
    let aside = store.aside(&key("fork")).await.unwrap();
    assert_eq!(&*aside[0].rows[0], "gone");
    assert_eq!(aside[0].rows.len(), 3);
}

// T4: a write that was torn is gone whole, and nothing before it.
#[tokio::test]
async fn a_torn_write_is_gone_whole() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("threads.db");
    let store = SqliteStore::open(&path).unwrap();
    let wal = folder.path().join("threads.db-wal");
    let mut ends = Vec::new();
    for number in 0..6 {
        store.append(&key("main"), number * 3, said(&["a", "b", "c"])).await.unwrap();
        ends.push(std::fs::metadata(&wal).unwrap().len());
    }
    let copy = TempDir::new().unwrap();
    let to = copy.path().join("threads.db");
    let whole = std::fs::read(&wal).unwrap();
    let start = usize::try_from(ends[1]).unwrap();
    for cut in (start..=whole.len()).step_by(617) {
        std::fs::copy(&path, &to).unwrap();
        std::fs::write(copy.path().join("threads.db-wal"), &whole[..cut]).unwrap();
        let kept = ends.iter().filter(|end| usize::try_from(**end).unwrap() <= cut).count();
        let torn = SqliteStore::open(&to).unwrap();
        let reading = torn.read(&key("main"), 0).await.unwrap();
        assert_eq!((reading.records.len(), reading.damage), (kept * 3, None), "cut at {cut}");
        torn.close().await;
        for end in ["", "-wal", "-shm"] {
            drop(std::fs::remove_file(copy.path().join(format!("threads.db{end}"))));
        }
    }
}

// T6: flipped bytes anywhere in the file never panic, never hang, and never change what a thread says: it is told as it
// was, as far as it is told.
#[tokio::test]
async fn flipped_bytes_never_change_what_a_thread_says() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder).await;
    let whole = std::fs::read(&path).unwrap();
    let expected = said(&["a", "b", "c", "d", "e"]);
    let (mut found, mut refused, mut same) = (0, 0, 0);
    let mut at = 1;
    while at < whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        std::fs::write(&path, &bytes).unwrap();
        match SqliteStore::open(&path) {
            Err(_) => refused += 1,
            Ok(store) => {
                match store.read(&key("main"), 0).await {
                    Err(_) => refused += 1,
                    Ok(reading) => {
                        assert_eq!(reading.records, expected[..reading.records.len()], "byte {at}");
                        let lost = reading.records.len() < 5;
                        // A thread whose own row is gone cannot be told from one that never was.
                        let gone = reading.records.is_empty()
                            && store.info(&key("main")).await.map_or(true, |one| one.is_none());
                        assert!(!lost || reading.damage.is_some() || gone, "byte {at} lost records unsaid");
                        if reading.damage.is_some() { found += 1 } else { same += 1 }
                    }
                }
                store.close().await;
            }
        }
        for end in ["-wal", "-shm"] {
            drop(std::fs::remove_file(folder.path().join(format!("threads.db{end}"))));
        }
        at += 97;
    }
    println!("of {} flips: {found} found as damage, {refused} refused, {same} changed nothing", found + refused + same);
    assert!(found > 0 && refused > 0 && same > 0);
}

// A file that is no store, or one of a newer program, is refused in words to act on, and left alone.
#[tokio::test]
async fn files_that_are_not_ours_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.db");
    let refused = |path: &Path| SqliteStore::open(path).unwrap_err();
    std::fs::write(
        &path,
        "a letter, not a database, and longer than a header of one hundred bytes, to be sure that it is read as one",
    )
    .unwrap();
    assert!(matches!(refused(&path), StoreError::NotAStore { .. }), "{}", refused(&path));
    std::fs::remove_file(&path).unwrap();
    edit(&path, "CREATE TABLE t (x)");
    assert!(matches!(refused(&path), StoreError::NotAStore { .. }), "{}", refused(&path));
    std::fs::remove_file(&path).unwrap();
    drop(SqliteStore::open(&path).unwrap());
    edit(&path, "PRAGMA user_version = 900");
    let told = refused(&path);
    assert!(matches!(told, StoreError::Newer { found: 900, .. }), "{told}");
    assert!(told.to_string().contains("use a newer program"), "{told}");
    assert!(matches!(refused(&folder.path().join("no/such.db")), StoreError::Failed(_)));
}

// Two stores over one file, as in two processes: numbers and leases hold between them.
#[tokio::test]
async fn two_stores_over_one_file_never_interleave() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("threads.db");
    let (one, two) = (SqliteStore::open(&path).unwrap(), SqliteStore::open(&path).unwrap());
    one.append(&key("main"), 0, said(&["a"])).await.unwrap();
    assert!(matches!(two.append(&key("main"), 0, said(&["b"])).await, Err(StoreError::Stale { found: 1, .. })));
    let lease = one.lease(&key("main")).await.unwrap();
    let short = std::time::Duration::from_millis(60);
    assert!(tokio::time::timeout(short, two.lease(&key("main"))).await.is_err());
    drop(lease);
    drop(tokio::time::timeout(short * 100, two.lease(&key("main"))).await.unwrap().unwrap());
    let left = std::fs::read_dir(folder.path().join("threads.db-leases")).unwrap().count();
    assert_eq!(left, 0, "locks are removed");
    assert_eq!(one.sessions(Page::default()).await.unwrap(), two.sessions(Page::default()).await.unwrap());
}

// Many wait and few sync: appends of many threads at once are all there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_threads_append_at_once() {
    let folder = TempDir::new().unwrap();
    let store = Arc::new(SqliteStore::open(folder.path().join("threads.db")).unwrap());
    let appends = (0..300).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let key = key(&number.to_string());
            for expected in 0..4 {
                store.append(&key, expected, said(&["x"])).await.unwrap();
            }
        })
    });
    for append in appends.collect::<Vec<_>>() {
        append.await.unwrap();
    }
    let sessions = store.sessions(Page::default()).await.unwrap();
    assert_eq!((sessions[0].threads, sessions[0].records), (300, 1200));
}

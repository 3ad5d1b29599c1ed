//! Threads that share records.

use std::sync::Arc;

use outrigger_core::session::{
    Damage, DamageReason, Fork, Lineage, Store, StoreError, ThreadInfo, ThreadKey, ThreadQuery,
};
use outrigger_core::transcript::{Envelope, Record, Timestamp};
use serde_json::json;

use super::{key, said, texts};

async fn fork(store: &dyn Store, source: &str, at: Option<u64>, target: &str) -> Result<ThreadInfo, StoreError> {
    store.fork(Fork { source: key(source), at, target: key(target), time: Timestamp(77) }).await
}

async fn append(store: &dyn Store, thread: &str, expected: u64, said_: &[&str]) {
    let length = store.append(&key(thread), expected, said(said_)).await.unwrap();
    assert_eq!(length, expected + said_.len() as u64);
}

async fn told(store: &dyn Store, thread: &str) -> String {
    texts(store, &key(thread)).await.concat()
}

/// T5: a fork begins with the other's first records and goes its own way; the source is as it was.
pub async fn forks_share_and_part(store: Arc<dyn Store>) {
    let store = &*store;
    append(store, "main", 0, &["a", "b", "c", "d"]).await;
    store.set_metadata(&key("main"), json!({"title": "t"})).await.unwrap();
    let source = store.info(&key("main")).await.unwrap().unwrap();
    let made = fork(store, "main", Some(2), "two").await.unwrap();
    assert_eq!(
        made,
        ThreadInfo {
            key: key("two"),
            records: 2,
            created: Timestamp(77),
            changed: Timestamp(77),
            lineage: Some(Lineage { parent: key("main"), at: 2 }),
            metadata: json!({"title": "t"}),
        }
    );
    let all = fork(store, "main", None, "all").await.unwrap();
    fork(store, "main", Some(0), "none").await.unwrap();
    assert_eq!(store.info(&key("main")).await.unwrap(), Some(source));
    append(store, "two", 2, &["x", "y", "z"]).await;
    append(store, "main", 4, &["e"]).await;
    append(store, "none", 0, &["n"]).await;
    assert_eq!(told(store, "main").await, "abcde");
    assert_eq!(told(store, "two").await, "abxyz");
    assert_eq!(told(store, "all").await, "abcd");
    assert_eq!(told(store, "none").await, "n");
    for (from, expected) in [(1, "bxyz"), (2, "xyz"), (4, "z"), (5, "")] {
        let read = store.read(&key("two"), from).await.unwrap();
        assert_eq!(read.records.iter().map(super::text).collect::<String>(), expected);
    }
    assert!(matches!(store.append(&key("all"), 5, said(&["x"])).await, Err(StoreError::Stale { found: 4, .. })));
    let forks = store.threads(ThreadQuery::forks_of(key("main"))).await.unwrap();
    let names: Vec<&str> = forks.iter().map(|one| one.key.thread.as_str()).collect();
    assert_eq!(names, ["all", "none", "two"]);
    assert_eq!(forks[0], all);
}

/// T5: forks of forks share with all before them.
pub async fn forks_of_forks(store: Arc<dyn Store>) {
    let store = &*store;
    append(store, "0", 0, &["."]).await;
    let mut expected = ".".to_owned();
    // More than any store may want to keep in one chain.
    for n in 0..80_u64 {
        let (from, to) = (n.to_string(), (n + 1).to_string());
        fork(store, &from, None, &to).await.unwrap();
        append(store, &to, n + 1, &["x"]).await;
        expected.push('x');
    }
    assert_eq!(told(store, "80").await, expected);
    for at in [0, 1, 2, 40, 80, 81] {
        let name = format!("at {at}");
        fork(store, "80", Some(at), &name).await.unwrap();
        append(store, &name, at, &["!"]).await;
        assert_eq!(told(store, &name).await, format!("{}!", &expected[..usize::try_from(at).unwrap()]));
    }
    assert!(store.delete(&key("40")).await.unwrap());
    assert_eq!(told(store, "41").await, expected[..42]);
    assert_eq!(told(store, "80").await, expected);
}

/// Forks of nothing, from behind the end, or onto another thread.
pub async fn forks_that_cannot_be_made_are_refused(store: Arc<dyn Store>) {
    let store = &*store;
    append(store, "main", 0, &["a"]).await;
    append(store, "other", 0, &["b"]).await;
    assert!(matches!(fork(store, "none", None, "x").await, Err(StoreError::NoThread { .. })));
    assert!(matches!(fork(store, "main", Some(2), "x").await, Err(StoreError::ForkBeyondEnd { at: 2, length: 1, .. })));
    assert!(matches!(fork(store, "main", None, "other").await, Err(StoreError::Exists { .. })));
    assert!(matches!(fork(store, "main", None, "main").await, Err(StoreError::Exists { .. })));
    assert!(matches!(fork(store, "main", None, "").await, Err(StoreError::BadName { .. })));
    assert_eq!((told(store, "main").await, told(store, "other").await), ("a".to_owned(), "b".to_owned()));
}

/// T3: a thread that is deleted takes nothing from those that share its records.
pub async fn deleting_leaves_what_others_share(store: Arc<dyn Store>) {
    let store = &*store;
    assert!(!store.delete(&key("main")).await.unwrap());
    append(store, "main", 0, &["a", "b", "c", "d"]).await;
    fork(store, "main", Some(3), "fork").await.unwrap();
    append(store, "fork", 3, &["x"]).await;
    fork(store, "fork", Some(2), "of fork").await.unwrap();
    assert!(store.delete(&key("main")).await.unwrap());
    assert_eq!(store.info(&key("main")).await.unwrap(), None);
    assert_eq!(told(store, "main").await, "");
    assert_eq!(told(store, "fork").await, "abcx");
    append(store, "main", 0, &["new"]).await;
    assert!(store.delete(&key("fork")).await.unwrap());
    assert_eq!(told(store, "of fork").await, "ab");
    append(store, "of fork", 2, &["y"]).await;
    assert_eq!(told(store, "of fork").await, "aby");
    assert_eq!(told(store, "main").await, "new");
    assert!(store.delete(&key("of fork")).await.unwrap());
    assert!(!store.delete(&key("of fork")).await.unwrap());
}

fn damage(key: ThreadKey, from: u64, length: u64) -> Damage {
    let (count, place) = (length - from, "table records, row 1".into());
    Damage { key, from, count, length, place, reason: DamageReason::Changed }
}

async fn set_aside(store: &dyn Store, thread: &str, from: u64, length: u64) -> Result<u64, StoreError> {
    let damage = damage(key(thread), from, length);
    let fact = Envelope::new(Timestamp(88), None, Record::RecordsLost(damage.fact()));
    store.set_aside(&key(thread), &damage, fact).await
}

/// T4: what is set aside is kept, and the thread goes on with the fact of it.
pub async fn what_is_set_aside_is_kept(store: Arc<dyn Store>) {
    let store = &*store;
    append(store, "main", 0, &["a", "b", "c", "d"]).await;
    let lines = store.lines(&key("main")).await.unwrap().lines;
    assert_eq!(store.aside(&key("main")).await.unwrap(), []);
    assert!(matches!(set_aside(store, "main", 2, 3).await, Err(StoreError::Stale { expected: 3, found: 4, .. })));
    assert_eq!(set_aside(store, "main", 2, 4).await.unwrap(), 3);
    assert_eq!(told(store, "main").await, "abrecords_lost");
    append(store, "main", 3, &["e"]).await;
    assert_eq!(set_aside(store, "main", 0, 4).await.unwrap(), 1);
    append(store, "main", 1, &["f"]).await;
    assert_eq!(told(store, "main").await, "records_lostf");
    let aside = store.aside(&key("main")).await.unwrap();
    assert_eq!(aside.iter().map(|one| (one.from, one.rows.len())).collect::<Vec<_>>(), [(2, 2), (0, 4)]);
    assert_eq!(aside[0].rows, lines[2..]);
    assert_eq!(aside[1].rows[..2], lines[..2]);
    assert!(aside[0].reason.contains("its check differs"), "{}", aside[0].reason);
    assert_eq!(store.info(&key("main")).await.unwrap().unwrap().changed.0, 1_700_000_000_000);
    assert!(store.delete(&key("main")).await.unwrap());
    assert_eq!(store.aside(&key("main")).await.unwrap(), []);
}

/// T5, T6: a thread that goes on from before its damage changes nothing for those that share what it set aside.
pub async fn what_is_set_aside_stays_with_its_forks(store: Arc<dyn Store>) {
    let store = &*store;
    append(store, "main", 0, &["a", "b", "c", "d"]).await;
    fork(store, "main", Some(3), "fork").await.unwrap();
    append(store, "fork", 3, &["x"]).await;
    set_aside(store, "main", 1, 4).await.unwrap();
    append(store, "main", 2, &["n", "m"]).await;
    assert_eq!(told(store, "fork").await, "abcx");
    assert_eq!(told(store, "main").await, "arecords_lostnm");
    set_aside(store, "fork", 2, 4).await.unwrap();
    assert_eq!(told(store, "fork").await, "abrecords_lost");
    let rows: Vec<usize> = store.aside(&key("fork")).await.unwrap().iter().map(|one| one.rows.len()).collect();
    assert_eq!(rows, [2]);
    assert!(store.delete(&key("main")).await.unwrap());
    assert_eq!(told(store, "fork").await, "abrecords_lost");
    append(store, "fork", 3, &["y"]).await;
    assert_eq!(told(store, "fork").await, "abrecords_losty");
}

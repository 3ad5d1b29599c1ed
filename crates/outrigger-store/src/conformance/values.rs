//! What is kept beside threads, and threads that come from elsewhere.

use std::sync::Arc;

use outrigger_core::session::{ContentHash, Fork, MAX_DERIVED, MAX_METADATA, Restore, Store, StoreError, ThreadKey};
use outrigger_core::transcript::{Text, Timestamp};
use serde_json::{Value, json};

use super::{key, records, said, step, texts};

/// Metadata is whatever JSON a host keeps, within bounds.
pub async fn metadata_is_replaced_and_bounded(store: Arc<dyn Store>) {
    let main = key("main");
    assert!(matches!(store.set_metadata(&main, json!(1)).await, Err(StoreError::NoThread { .. })));
    store.append(&main, 0, said(&["a"])).await.unwrap();
    let get = async || store.info(&main).await.unwrap().unwrap().metadata;
    assert_eq!(get().await, Value::Null);
    for metadata in [json!({"title": "A talk \u{0} 🙂", "n": [1, null]}), json!("text"), Value::Null, json!(false)] {
        store.set_metadata(&main, metadata.clone()).await.unwrap();
        assert_eq!(get().await, metadata);
    }
    let large = json!("x".repeat(MAX_METADATA - 1));
    assert!(matches!(store.set_metadata(&main, large).await, Err(StoreError::TooLarge { .. })));
    assert_eq!(get().await, json!(false));
    store.set_metadata(&main, json!("x".repeat(MAX_METADATA - 2))).await.unwrap();
}

/// X16: derived data lies beside threads, by the hash of what it was derived from; forks share it, others do not.
pub async fn derived_values_are_shared_by_forks(store: Arc<dyn Store>) {
    let (main, fork, other) = (key("main"), key("fork"), key("other"));
    let (one, two) = (ContentHash::of(b"one"), ContentHash::of(b"two"));
    let get = async |key: &ThreadKey, hash| store.derived_get(key, hash).await.unwrap().map(|value| value.to_vec());
    let put = async |key: &ThreadKey, hash, value: &[u8]| store.derived_put(key, hash, value.into()).await;
    assert!(matches!(put(&main, one, b"x").await, Err(StoreError::NoThread { .. })));
    assert_eq!(get(&main, one).await, None);
    store.append(&main, 0, said(&["a"])).await.unwrap();
    store.append(&other, 0, said(&["a"])).await.unwrap();
    put(&main, one, b"first").await.unwrap();
    put(&main, one, b"\0\xff").await.unwrap();
    store.fork(Fork { source: main.clone(), at: Some(0), target: fork.clone(), time: Timestamp(2) }).await.unwrap();
    put(&fork, two, b"").await.unwrap();
    for key in [&main, &fork] {
        assert_eq!((get(key, one).await, get(key, two).await), (Some(b"\0\xff".to_vec()), Some(vec![])));
    }
    assert_eq!((get(&other, one).await, get(&other, two).await), (None, None));
    let large = vec![7; MAX_DERIVED + 1];
    assert!(matches!(put(&main, one, &large).await, Err(StoreError::TooLarge { .. })));
    assert!(store.delete(&main).await.unwrap());
    assert_eq!(get(&fork, one).await, Some(b"\0\xff".to_vec()));
    assert!(store.delete(&fork).await.unwrap());
    store.append(&main, 0, said(&["a"])).await.unwrap();
    assert_eq!(get(&main, one).await, None, "a new thread has nothing of one that had its name");
}

/// T5: a thread can be taken out of one store and put into another.
pub async fn threads_are_restored_as_they_were(store: Arc<dyn Store>) {
    let (main, copy) = (key("main"), key("copy"));
    assert!(matches!(store.lines(&main).await, Err(StoreError::NoThread { .. })));
    let mut said = said(&["a", "b"]).to_vec();
    said[1].origin = step("t", 7);
    store.append(&main, 0, said.into()).await.unwrap();
    let lines = store.lines(&main).await.unwrap().lines;
    let restore = |key: &ThreadKey, lines: &[Text]| Restore {
        key: key.clone(),
        lines: lines.to_vec(),
        metadata: json!({"title": "t"}),
        time: Timestamp(9),
    };
    let info = store.restore(restore(&copy, &lines)).await.unwrap();
    assert_eq!(Some(&info), store.info(&copy).await.unwrap().as_ref());
    let of_main = store.info(&main).await.unwrap().unwrap();
    assert_eq!((info.records, info.created, info.changed), (2, of_main.created, of_main.changed));
    assert_eq!(info.metadata, json!({"title": "t"}));
    assert_eq!(records(&*store, &copy).await, records(&*store, &main).await);
    assert_eq!(store.lines(&copy).await.unwrap().lines, lines);
    assert!(matches!(store.restore(restore(&copy, &lines)).await, Err(StoreError::Exists { .. })));

    let late: Arc<[_]> = Arc::new([super::at(1, step("t", 7), "late")]);
    assert_eq!(store.append(&copy, 2, late).await.unwrap(), 2, "its newest origin came with it");
    let bad: Vec<Text> = vec![lines[0].clone(), "{\"v\":1}".into()];
    let refused = store.restore(restore(&key("bad"), &bad)).await;
    assert!(matches!(refused, Err(StoreError::NotARecord { number: 1, .. })), "{refused:?}");
    assert_eq!(store.info(&key("bad")).await.unwrap(), None);
    let empty = store.restore(restore(&key("empty"), &[])).await.unwrap();
    assert_eq!((empty.records, empty.created), (0, Timestamp(9)));
    store.append(&key("empty"), 0, super::said(&["x"])).await.unwrap();
    assert_eq!(texts(&*store, &key("empty")).await, ["x"]);
}

//! Appending and reading.

use std::sync::Arc;

use outrigger_core::session::{Store, StoreError, ThreadKey};
use outrigger_core::transcript::{Envelope, Record};

use super::{at, key, records, said, step, texts};

/// T3: records have the numbers of their places and come back as they were, from any number on.
pub async fn appends_are_numbered_and_read_back(store: Arc<dyn Store>) {
    let main = key("main");
    assert_eq!(records(&*store, &main).await, []);
    assert_eq!(store.info(&main).await.unwrap(), None);
    let (first, second) = (said(&["a", "b"]), said(&["c"]));
    assert_eq!(store.append(&main, 0, Arc::clone(&first)).await.unwrap(), 2);
    assert_eq!(store.append(&main, 2, Arc::clone(&second)).await.unwrap(), 3);
    let all: Vec<Envelope> = first.iter().chain(&*second).cloned().collect();
    for from in 0..=3 {
        let reading = store.read(&main, from as u64).await.unwrap();
        assert_eq!((reading.records, reading.damage), (all[from..].to_vec(), None), "from {from}");
    }
    assert!(matches!(store.read(&main, 4).await, Err(StoreError::Stale { expected: 4, found: 3, .. })));
    assert_eq!(store.append(&main, 3, Arc::new([])).await.unwrap(), 3);
    assert_eq!(store.info(&main).await.unwrap().unwrap().records, 3);
}

/// T3: an append that expects another length does nothing.
pub async fn a_stale_writer_fails(store: Arc<dyn Store>) {
    let main = key("main");
    for (expected, length) in [(1, 0), (0, 2), (1, 2), (3, 2)] {
        if length == 2 && records(&*store, &main).await.is_empty() {
            store.append(&main, 0, said(&["a", "b"])).await.unwrap();
        }
        match store.append(&main, expected, said(&["x"])).await {
            Err(StoreError::Stale { key, expected: told, found }) => {
                assert_eq!((key, told, found), (main.clone(), expected, length));
            }
            other => panic!("expected {expected}, found {length}: {other:?}"),
        }
    }
    assert_eq!(texts(&*store, &main).await, ["a", "b"]);
}

/// T3: what is there by its (turn, step) is not appended again, whatever length its writer expects.
pub async fn an_append_is_there_once_by_its_origin(store: Arc<dyn Store>) {
    let main = key("main");
    let append = async |expected, turn: &str, number, text: &str| {
        store.append(&main, expected, Arc::new([at(1, step(turn, number), text)])).await
    };
    assert_eq!(append(0, "t1", 0, "a").await.unwrap(), 1);
    assert_eq!(append(0, "t1", 0, "a").await.unwrap(), 1, "the acknowledgement was lost");
    assert_eq!(append(1, "t1", 0, "a").await.unwrap(), 1, "the log was read again");
    store.append(&main, 1, said(&["b"])).await.unwrap();
    assert_eq!(append(0, "t1", 0, "a").await.unwrap(), 2, "others appended meanwhile");
    assert_eq!(append(2, "t1", 3, "c").await.unwrap(), 3);
    assert_eq!(append(3, "t1", 2, "late").await.unwrap(), 3, "a step before the newest");
    assert_eq!(append(3, "t2", 0, "d").await.unwrap(), 4, "another turn");
    assert!(matches!(append(1, "t3", 0, "x").await, Err(StoreError::Stale { .. })));
    assert_eq!(texts(&*store, &main).await, ["a", "b", "c", "d"]);
}

/// T3: of writers that expect the same length exactly one appends.
pub async fn of_many_writers_one_is_first(store: Arc<dyn Store>) {
    let main = key("main");
    for round in 0..8 {
        let writers = (0..6).map(|writer| {
            let (store, main) = (Arc::clone(&store), main.clone());
            tokio::spawn(async move {
                let text = format!("{round}.{writer}");
                store.append(&main, round * 2, said(&[&text, &text])).await
            })
        });
        let mut first = 0;
        for writer in writers.collect::<Vec<_>>() {
            match writer.await.unwrap() {
                Ok(length) => {
                    assert_eq!(length, round * 2 + 2);
                    first += 1;
                }
                Err(error) => assert!(matches!(error, StoreError::Stale { .. }), "{error}"),
            }
        }
        assert_eq!(first, 1);
    }
    let texts = texts(&*store, &main).await;
    assert_eq!(texts.len(), 16);
    assert!(texts.chunks(2).all(|pair| pair[0] == pair[1]), "{texts:?}");
}

/// A caller that goes away finds its records appended or not, never in part; and nobody waits for it.
pub async fn an_append_is_whole_or_not_at_all(store: Arc<dyn Store>) {
    for polls in 0..4 {
        let main = key(&format!("main {polls}"));
        {
            let mut append = store.append(&main, 0, said(&["a", "b", "c"]));
            for _ in 0..polls {
                if futures_util::poll!(append.as_mut()).is_ready() {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        }
        // Whatever was begun ends before or after this, and one of the two is there.
        let own = store.append(&main, 0, said(&["x"])).await;
        let texts = texts(&*store, &main).await;
        assert!(
            if own.is_ok() { texts == ["x"] } else { texts == ["a", "b", "c"] },
            "after {polls}: {own:?} {texts:?}"
        );
    }
}

/// T6: threads of one store have nothing to do with each other, whatever they are called.
pub async fn threads_do_not_see_each_other(store: Arc<dyn Store>) {
    let names =
        ["main", "Main", "main ", "ma/in", "../main", "ma%in", "ma_in", "'; --", "später", "🙂", "\u{e9}", "e\u{301}"];
    let keys = names.iter().flat_map(|one| names.iter().map(|two| ThreadKey::new(*one, *two))).collect::<Vec<_>>();
    for key in &keys {
        store.append(key, 0, said(&[&key.to_string()])).await.unwrap();
    }
    for key in &keys {
        assert_eq!(texts(&*store, key).await, [key.to_string()]);
    }
}

/// Names come from outside.
pub async fn names_that_cannot_be_kept_are_refused(store: Arc<dyn Store>) {
    let long = "x".repeat(513);
    for name in ["", "a\0b", "a\nb", &long] {
        for key in [ThreadKey::new(name, "main"), ThreadKey::new("s", name)] {
            let refused = store.append(&key, 0, said(&["x"])).await;
            assert!(matches!(refused, Err(StoreError::BadName { .. })), "{refused:?}");
        }
    }
    store.append(&ThreadKey::new(&long[1..], &long[1..]), 0, said(&["x"])).await.unwrap();
}

/// T2: a record that a newer program wrote is kept byte for byte.
pub async fn what_is_not_understood_is_kept(store: Arc<dyn Store>) {
    let lines = [
        r#"{"v":1,"time":"2026-01-02T03:04:05.678Z","type":"moon_phase","body":{"phase": 0.50, "phase": 1e0}}"#,
        r#"{"v":900,"time":"2026-01-02T03:04:05.678Z","origin":{"turn":"t","step":4},"type":"user_message","body":[ "\u0000" ]}"#,
    ];
    let main = key("main");
    let read: Vec<Envelope> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(read.iter().all(|record| matches!(record.record, Record::Unknown(_))));
    store.append(&main, 0, read.clone().into()).await.unwrap();
    assert_eq!(records(&*store, &main).await, read);
    let kept = store.lines(&main).await.unwrap();
    assert_eq!(kept.lines.iter().map(|line| &**line).collect::<Vec<_>>(), lines);
}

/// Nothing is too large or too many for a thread.
pub async fn large_records_and_many_at_once(store: Arc<dyn Store>) {
    let main = key("main");
    let large = "ä".repeat(1 << 20);
    store.append(&main, 0, said(&[&large])).await.unwrap();
    let many: Vec<String> = (0..3000).map(|n| n.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(store.append(&main, 1, said(&many)).await.unwrap(), 3001);
    let texts = texts(&*store, &main).await;
    assert!(texts[0] == large && texts[1..] == many);
}

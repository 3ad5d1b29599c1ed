//! Threads as files: what is written is what is read, and what is wrong is said with its line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::sync::Arc;

use outrigger_core::session::{Fork, MemoryStore, Store, StoreError, ThreadKey, ThreadLog};
use outrigger_core::transcript::{Envelope, Record, StopReason, Timestamp, UserMessage};
use outrigger_store::SqliteStore;
use outrigger_store::transfer::{ThreadFile, TransferError};
use serde_json::json;
use tempfile::TempDir;

fn key(thread: &str) -> ThreadKey {
    ThreadKey::new("s", thread)
}

fn said(texts: &[&str]) -> Arc<[Envelope]> {
    let record = |text: &&str| Record::UserMessage(UserMessage::text(*text));
    texts.iter().map(|text| Envelope::new(Timestamp(1), None, record(text))).collect()
}

fn read(text: &str) -> Result<ThreadFile, TransferError> {
    ThreadFile::read(&mut text.as_bytes())
}

fn written(file: &ThreadFile) -> String {
    let mut text = Vec::new();
    file.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

// T5: a thread goes from one store through a file into another as it is, fork or not.
#[tokio::test]
async fn a_thread_is_carried_from_store_to_store() {
    let folder = TempDir::new().unwrap();
    let (from, to) = (MemoryStore::default(), SqliteStore::open(folder.path().join("x.db")).unwrap());
    from.append(&key("main"), 0, said(&["a", "b", "c"])).await.unwrap();
    from.set_metadata(&key("main"), json!({"title": "t"})).await.unwrap();
    let fork = Fork { source: key("main"), at: Some(2), target: key("fork"), time: Timestamp(2) };
    from.fork(fork).await.unwrap();
    from.append(&key("fork"), 2, said(&["x"])).await.unwrap();
    for thread in ["main", "fork"] {
        let (file, damage) = ThreadFile::export(&from, &key(thread)).await.unwrap();
        assert_eq!(damage, None);
        let text = written(&file);
        let again = read(&text).unwrap();
        assert_eq!(again, file);
        again.import(&to, None, Timestamp(9)).await.unwrap();
        assert_eq!(to.read(&key(thread), 0).await.unwrap(), from.read(&key(thread), 0).await.unwrap());
        let (back, _) = ThreadFile::export(&to, &key(thread)).await.unwrap();
        assert_eq!((back.lines, back.metadata), (file.lines.clone(), json!({"title": "t"})));
        let twice = file.clone().import(&to, None, Timestamp(9)).await;
        assert!(matches!(twice, Err(StoreError::Exists { .. })));
        file.import(&to, Some(key(&format!("copy of {thread}"))), Timestamp(9)).await.unwrap();
    }
    insta::assert_snapshot!(written(&ThreadFile::export(&to, &key("copy of fork")).await.unwrap().0));
}

// What a newer program wrote beside what this one knows comes through to the byte.
#[tokio::test]
async fn lines_are_carried_byte_for_byte() {
    let folder = TempDir::new().unwrap();
    let store = SqliteStore::open(folder.path().join("x.db")).unwrap();
    let line = r#"{"type":"user_message", "v":1, "new":[1.50], "time":"2026-01-02T03:04:05.678Z", "body":{"parts":[], "more": 1e0}}"#;
    let file = format!(
        "{{\"format\":\"outrigger.thread\",\"version\":1,\"session\":\"s\",\"thread\":\"main\",\"records\":1}}\r\n{line}\r\n"
    );
    read(&file).unwrap().import(&store, None, Timestamp(9)).await.unwrap();
    let (back, _) = ThreadFile::export(&store, &key("main")).await.unwrap();
    assert_eq!(back.lines.iter().map(|line| &**line).collect::<Vec<_>>(), [line]);
}

// T6: whatever another program did to a file is said with the line and what is wrong there.
#[tokio::test]
async fn what_is_wrong_with_a_file_is_said_with_its_line() {
    let store = MemoryStore::default();
    store.append(&key("main"), 0, said(&["a", "b", "c"])).await.unwrap();
    let text = written(&ThreadFile::export(&store, &key("main")).await.unwrap().0);
    let lines: Vec<&str> = text.lines().collect();
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        change(&mut lines);
        read(&lines.join("\n")).unwrap_err().to_string()
    };
    let mut told = vec![
        ("empty", read("").unwrap_err().to_string()),
        ("no header", with(&|lines| drop(lines.remove(0)))),
        ("another format", with(&|lines| lines[0] = lines[0].replace("outrigger.thread", "other"))),
        ("a newer version", with(&|lines| lines[0] = lines[0].replace("\"version\":1", "\"version\":7"))),
        ("a field short", with(&|lines| lines[0] = lines[0].replace("\"records\":3,", ""))),
        ("torn in the last line", read(&text[..text.len() - 9]).unwrap_err().to_string()),
        ("cut after a line", with(&|lines| drop(lines.pop()))),
        ("a line twice", with(&|lines| lines.insert(2, lines[2].clone()))),
        ("a blank line", with(&|lines| lines[2] = String::new())),
        ("another record", with(&|lines| lines[2] = lines[2].replace("\"b\"", "\"B\""))),
        ("moved", with(&|lines| lines.swap(1, 3))),
        (
            "glued",
            with(&|lines| {
                let last = lines.remove(3);
                lines[2].push_str(&last)
            }),
        ),
    ];
    let bytes = ThreadFile::read(&mut &[text.as_bytes(), b"\xff\xfe\n"].concat()[..]);
    told.push(("no text", bytes.unwrap_err().to_string()));
    let told: Vec<String> = told.into_iter().map(|(what, told)| format!("{what}: {told}")).collect();
    insta::assert_snapshot!(told.join("\n"));
}

// T2: a file that the first version wrote is read for ever, and folds to the same conversation.
#[tokio::test]
async fn a_file_of_the_first_version_reads() {
    let text = include_str!("files/thread-1.jsonl");
    let file = read(text).unwrap();
    assert_eq!(written(&file), text);
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let info = file.import(&*store, None, Timestamp(9)).await.unwrap();
    let log =
        ThreadLog::open(Arc::clone(&store), info.key, Arc::new(outrigger_core::handle::SystemClock)).await.unwrap();
    let view = log.view();
    assert_eq!(view.repairs(), []);
    let records = store.read(log.key(), 0).await.unwrap().records;
    assert!(matches!(&records.last().unwrap().record, Record::TurnEnded(end) if end.stop == StopReason::Answered));
    insta::assert_debug_snapshot!(view.messages());
}

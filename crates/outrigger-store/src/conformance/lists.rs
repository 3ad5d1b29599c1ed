//! Listing.

use std::sync::Arc;

use outrigger_core::session::{Page, Store, ThreadKey, ThreadQuery};
use outrigger_core::transcript::Timestamp;

use super::at;

/// Sessions and threads are listed by name, in pages, with their counts and times.
pub async fn sessions_and_threads_are_listed_in_pages(store: Arc<dyn Store>) {
    let append = async |session: &str, thread: &str, expected: u64, times: &[i64]| {
        let records = times.iter().map(|time| at(*time, None, "x")).collect();
        store.append(&ThreadKey::new(session, thread), expected, records).await.unwrap();
    };
    append("b", "main", 0, &[20, 30]).await;
    append("b", "main", 2, &[50]).await;
    append("a", "z", 0, &[10]).await;
    append("b", "Main", 0, &[40]).await;
    append("ä", "main", 0, &[60]).await;

    let sessions = store.sessions(Page::default()).await.unwrap();
    let shown: Vec<_> = sessions
        .iter()
        .map(|one| (one.session.as_str(), one.threads, one.records, one.created.0, one.changed.0))
        .collect();
    assert_eq!(shown, [("a", 1, 1, 10, 10), ("b", 2, 4, 20, 50), ("ä", 1, 1, 60, 60)]);
    let mut paged = Vec::new();
    let mut page = Page { after: None, limit: 1 };
    while let Some(one) = store.sessions(page.clone()).await.unwrap().pop() {
        page.after = Some(one.session.clone());
        paged.push(one);
    }
    assert_eq!(paged, sessions);

    let threads = store.threads(ThreadQuery::default()).await.unwrap();
    let shown: Vec<_> =
        threads.iter().map(|one| (one.key.to_string(), one.records, one.created, one.changed)).collect();
    let time = Timestamp;
    assert_eq!(
        shown,
        [
            ("a/z".to_owned(), 1, time(10), time(10)),
            ("b/Main".to_owned(), 1, time(40), time(40)),
            ("b/main".to_owned(), 3, time(20), time(50)),
            ("ä/main".to_owned(), 1, time(60), time(60)),
        ]
    );
    assert_eq!(store.threads(ThreadQuery::session("b")).await.unwrap(), threads[1..3]);
    assert_eq!(store.threads(ThreadQuery::session("none")).await.unwrap(), []);
    let after = Some(threads[1].key.clone());
    let second = ThreadQuery { page: Page { after, limit: 1 }, ..ThreadQuery::default() };
    assert_eq!(store.threads(second).await.unwrap(), threads[2..3]);
    assert_eq!(store.info(&threads[2].key).await.unwrap().as_ref(), Some(&threads[2]));
}

//! Driving a thread.

use std::sync::Arc;
use std::time::Duration;

use outrigger_core::session::Store;
use tokio::time::timeout;

use super::key;

const LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(50);

/// T3: a lease keeps other drivers of the thread away, and nobody else's, until it is dropped.
pub async fn one_drives_at_a_time(store: Arc<dyn Store>) {
    let (main, other) = (key("main"), key("other"));
    let lease = store.lease(&main).await.unwrap();
    let of_other = timeout(LONG, store.lease(&other)).await.unwrap().unwrap();
    assert!(timeout(SHORT, store.lease(&main)).await.is_err(), "two drive");
    let waiting = {
        let (store, main) = (Arc::clone(&store), main.clone());
        tokio::spawn(async move { store.lease(&main).await })
    };
    drop(lease);
    let lease = timeout(LONG, waiting).await.expect("nobody drives").unwrap().unwrap();
    assert!(timeout(SHORT, store.lease(&main)).await.is_err(), "two drive");
    drop((lease, of_other));
    timeout(LONG, store.lease(&main)).await.expect("nobody drives").unwrap();
    assert!(store.info(&main).await.unwrap().is_none(), "a lease makes no thread");
}

/// Who stops waiting for a lease does not get it.
pub async fn a_lease_that_is_not_waited_for_holds_nobody_up(store: Arc<dyn Store>) {
    let main = key("main");
    for polls in 0..6 {
        {
            let mut lease = store.lease(&main);
            for _ in 0..polls {
                if futures_util::poll!(lease.as_mut()).is_ready() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        drop(timeout(LONG, store.lease(&main)).await.expect("nobody drives").unwrap());
    }
}

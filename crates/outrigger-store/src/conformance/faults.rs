//! Logs over stores that misbehave.

use std::sync::Arc;

use outrigger_core::handle::SystemClock;
use outrigger_core::session::{Store, ThreadKey, ThreadLog};
use outrigger_core::transcript::{Record, UserMessage, View};

use super::faulty::{Faulty, When};
use super::{key, records, step, texts};

async fn open(store: &Arc<dyn Store>, key: &ThreadKey) -> Arc<ThreadLog> {
    ThreadLog::open(Arc::clone(store), key.clone(), Arc::new(SystemClock)).await.unwrap()
}

fn record(text: &str) -> Vec<Record> {
    vec![Record::UserMessage(UserMessage::text(text))]
}

/// T3: over a store that acknowledges late, an append that nobody waits for any more is in the log as it is in the store.
pub async fn a_log_over_a_late_store_never_parts_from_it(store: Arc<dyn Store>) {
    let late: Arc<dyn Store> = Arc::new(Faulty::late(Arc::clone(&store)));
    for polls in 0..10 {
        let main = key(&format!("main {polls}"));
        let log = open(&late, &main).await;
        {
            let mut append = Box::pin(log.append(step("t", 0), record("a")));
            for _ in 0..polls {
                if futures_util::poll!(append.as_mut()).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        assert_eq!(log.settled().await, View::fold(&records(&*store, &main).await), "dropped after {polls} polls");
        log.append(step("t", 0), record("a")).await.unwrap();
        log.append(step("t", 1), record("b")).await.unwrap();
        assert_eq!(texts(&*store, &main).await, ["a", "b"]);
    }
}

/// T3: whichever call fails, before or after it was done, every append that succeeds or is tried again is there once.
pub async fn a_log_over_a_store_that_fails_at_each_call(store: Arc<dyn Store>) {
    for when in [When::Before, When::After] {
        let mut call = 0;
        loop {
            let main = key(&format!("main {when:?} {call}"));
            let faulty = Arc::new(Faulty::failing(Arc::clone(&store), call, when));
            let over: Arc<dyn Store> = Arc::<Faulty>::clone(&faulty);
            let opened = ThreadLog::open(Arc::clone(&over), main.clone(), Arc::new(SystemClock)).await;
            let log = match opened {
                Ok(log) => log,
                Err(_) => open(&over, &main).await,
            };
            for number in 0..4 {
                let text = number.to_string();
                if log.append(step("t", number), record(&text)).await.is_err() {
                    log.append(step("t", number), record(&text)).await.unwrap();
                }
            }
            assert_eq!(texts(&*store, &main).await, ["0", "1", "2", "3"], "{when:?} call {call}");
            assert_eq!(log.view(), View::fold(&records(&*store, &main).await));
            if faulty.calls() <= call {
                break;
            }
            call += 1;
        }
        assert!(call >= 5, "only {call} calls were made to fail");
    }
}

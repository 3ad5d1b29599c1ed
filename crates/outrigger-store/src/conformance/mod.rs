//! What every store is held to. Give each case a store with nothing in it:
//!
//! ```ignore
//! async fn make() -> Option<std::sync::Arc<dyn Store>> { /* `None` skips, with a word why */ }
//! outrigger_store::conformance!(make);
//! ```
//!
//! Each case is an ordinary test that panics.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "it is all tests"
)]
#![allow(clippy::missing_panics_doc, clippy::missing_errors_doc, reason = "cases panic where a store errs")]

mod appends;
mod faults;
mod faulty;
mod forks;
mod leases;
mod lists;
mod values;

use std::sync::Arc;

pub use appends::*;
pub use faults::*;
pub use faulty::{Faulty, Watch, When};
pub use forks::*;
pub use leases::*;
pub use lists::*;
use outrigger_core::session::{Store, ThreadKey};
use outrigger_core::transcript::{Envelope, Origin, Record, Timestamp, UserMessage};
pub use values::*;

/// One test for each case of the suite, over the stores that an async function makes. Needs tokio's test macro.
#[macro_export]
macro_rules! conformance {
    ($make:path) => {
        $crate::conformance!(@cases $make:
            appends_are_numbered_and_read_back,
            a_stale_writer_fails,
            an_append_is_there_once_by_its_origin,
            of_many_writers_one_is_first,
            an_append_is_whole_or_not_at_all,
            threads_do_not_see_each_other,
            names_that_cannot_be_kept_are_refused,
            what_is_not_understood_is_kept,
            large_records_and_many_at_once,
            one_drives_at_a_time,
            a_lease_that_is_not_waited_for_holds_nobody_up,
            sessions_and_threads_are_listed_in_pages,
            metadata_is_replaced_and_bounded,
            derived_values_are_shared_by_forks,
            forks_share_and_part,
            forks_of_forks,
            forks_that_cannot_be_made_are_refused,
            deleting_leaves_what_others_share,
            what_is_set_aside_is_kept,
            what_is_set_aside_stays_with_its_forks,
            threads_are_restored_as_they_were,
            a_log_over_a_late_store_never_parts_from_it,
            a_log_over_a_store_that_fails_at_each_call,
        );
    };
    (@cases $make:path: $($case:ident,)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            if let Some(store) = $make().await {
                $crate::conformance::$case(store).await;
            }
        }
    )*};
}

fn key(thread: &str) -> ThreadKey {
    ThreadKey::new("s", thread)
}

fn step(turn: &str, step: u32) -> Option<Origin> {
    Some(Origin { turn: turn.into(), step })
}

fn at(time: i64, origin: Option<Origin>, text: &str) -> Envelope {
    Envelope::new(Timestamp(time), origin, Record::UserMessage(UserMessage::text(text)))
}

fn said(texts: &[&str]) -> Arc<[Envelope]> {
    texts.iter().map(|text| at(1_700_000_000_000, None, text)).collect()
}

/// The records of a thread that must be in order.
async fn records(store: &dyn Store, key: &ThreadKey) -> Vec<Envelope> {
    let reading = store.read(key, 0).await.unwrap();
    assert_eq!(reading.damage, None);
    reading.records
}

async fn texts(store: &dyn Store, key: &ThreadKey) -> Vec<String> {
    records(store, key).await.iter().map(text).collect()
}

fn text(record: &Envelope) -> String {
    use outrigger_core::transcript::UserPart;
    match &record.record {
        Record::UserMessage(message) => match message.parts.as_slice() {
            [UserPart::Text(text)] => text.to_string(),
            parts => panic!("not one text: {parts:?}"),
        },
        other => other.kind().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use outrigger_core::session::MemoryStore;

    use super::*;

    #[allow(clippy::unused_async, reason = "as the suite wants it")]
    async fn memory() -> Option<Arc<dyn Store>> {
        Some(Arc::new(MemoryStore::default()))
    }

    crate::conformance!(memory);

    #[test]
    fn every_case_is_in_the_suite() {
        let suite = include_str!("mod.rs");
        let files = [
            include_str!("appends.rs"),
            include_str!("faults.rs"),
            include_str!("forks.rs"),
            include_str!("leases.rs"),
            include_str!("lists.rs"),
            include_str!("values.rs"),
        ];
        let cases = files
            .iter()
            .flat_map(|file| file.lines())
            .filter_map(|line| line.strip_prefix("pub async fn ")?.split('(').next());
        let missing: Vec<&str> = cases.filter(|case| !suite.contains(&format!("{case},\n"))).collect();
        assert_eq!(missing, Vec::<&str>::new());
    }
}

//! Section 3: types of other crates are read, refused with `format`, and read back as they were written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(all(feature = "chrono", feature = "jiff", feature = "url", feature = "uuid"))]

use outrigger_contract::{Code, Contract, Limits, WirePlan, bind, encode};

/// Reads `good` and its canonical form as the same value, and refuses `bad`.
#[track_caller]
fn holds<T: Contract + std::fmt::Debug>(good: &str, canonical: &str, bad: &str) {
    let read = |text: &str| bind::<T>(&format!("{text:?}"), &WirePlan::default(), &Limits::default());
    let value = read(good).unwrap().value;
    assert_eq!(encode(&value), format!("{canonical:?}"));
    assert_eq!(encode(&read(canonical).unwrap().value), format!("{canonical:?}"));
    assert_eq!(read(bad).unwrap_err().issues[0].code, Code::Format);
}

#[test]
fn dates_and_times_of_jiff() {
    holds::<jiff::Timestamp>("2026-01-31T10:30:00+01:00", "2026-01-31T09:30:00Z", "2026-01-31");
    holds::<jiff::civil::Date>("2026-01-31", "2026-01-31", "2026-02-31");
    holds::<jiff::civil::Time>("09:30", "09:30:00", "25:00");
    holds::<jiff::civil::DateTime>("2026-01-31T09:30", "2026-01-31T09:30:00", "tomorrow");
    holds::<jiff::Span>("P1M2DT3H", "P1M2DT3H", "soon");
}

#[test]
fn dates_and_times_of_chrono() {
    holds::<chrono::DateTime<chrono::Utc>>("2026-01-31T10:30:00+01:00", "2026-01-31T09:30:00Z", "2026-01-31");
    holds::<chrono::NaiveDate>("2026-01-31", "2026-01-31", "2026-02-31");
    holds::<chrono::NaiveTime>("09:30:00", "09:30:00", "25:00:00");
    holds::<chrono::NaiveDateTime>("2026-01-31T09:30:00.5", "2026-01-31T09:30:00.500", "tomorrow");
}

#[test]
fn urls_and_uuids() {
    holds::<url::Url>("https://example.org", "https://example.org/", "example.org");
    holds::<uuid::Uuid>(
        "123E4567-e89b-12d3-a456-426614174000",
        "123e4567-e89b-12d3-a456-426614174000",
        "123e4567e89b12d3a456426614174000",
    );
}

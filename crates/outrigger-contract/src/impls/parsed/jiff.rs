//! Dates and times of `jiff`. Civil times carry no offset, so the JSON Schema format `time`, which wants one, would
//! mislead: they are described in words.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span, Timestamp, ZonedDateTime};

super::parsed! {
    Timestamp, Some("date-time"), "an instant such as \"2026-01-31T09:30:00Z\"", from_text, ToString::to_string;
    ZonedDateTime, None, "a time in a zone such as \"2026-01-31T09:30:00+01:00[Europe/Oslo]\"", from_text, ToString::to_string;
    Date, Some("date"), "a date such as \"2026-01-31\"", from_text, ToString::to_string;
    Time, None, "a time without zone such as \"09:30:00\"", from_text, ToString::to_string;
    DateTime, None, "a date and time without zone such as \"2026-01-31T09:30:00\"", from_text, ToString::to_string;
    Span, Some("duration"), "a span such as \"P1M2DT3H\"", from_text, ToString::to_string;
    SignedDuration, Some("duration"), "a duration such as \"PT1H30M\"", from_text, ToString::to_string;
}

fn from_text<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

//! Dates and times of `chrono`.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, Utc};

super::parsed! {
    DateTime<Utc>, Some("date-time"), "an instant such as \"2026-01-31T09:30:00Z\"", utc, |time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    DateTime<FixedOffset>, Some("date-time"), "a time with offset such as \"2026-01-31T09:30:00+01:00\"", fixed, |time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    NaiveDate, Some("date"), "a date such as \"2026-01-31\"", from_text, ToString::to_string;
    NaiveTime, None, "a time without zone such as \"09:30:00\"", from_text, ToString::to_string;
    NaiveDateTime, None, "a date and time without zone such as \"2026-01-31T09:30:00\"", from_text, |time| time.format("%Y-%m-%dT%H:%M:%S%.f").to_string();
}

fn fixed(text: &str) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(text).ok()
}

fn utc(text: &str) -> Option<DateTime<Utc>> {
    fixed(text).map(|time| time.to_utc())
}

fn from_text<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

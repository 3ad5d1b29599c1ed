//! The current date and time, in any time zone.

use jiff::tz::TimeZone;
use jiff::{Timestamp, tz};
use outrigger_core::contract::nearest_names as nearest;
use outrigger_core::harness;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// Where a [`Clock`] gets the time from.
pub trait TimeSource: Send + Sync + 'static {
    /// The current moment.
    fn now(&self) -> Timestamp;
}

impl<F: Fn() -> Timestamp + Send + Sync + 'static> TimeSource for F {
    fn now(&self) -> Timestamp {
        self()
    }
}

/// Tells the current date and time.
#[derive(Clone)]
pub struct Clock {
    source: Arc<dyn TimeSource>,
    zone: Option<TimeZone>,
}

/// A moment in a time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Now {
    /// ISO 8601 with the offset, in seconds: `2026-11-30T23:05:00+01:00`.
    pub time: String,
    /// The day of the week in English.
    pub weekday: &'static str,
    /// The zone's IANA name, or its offset where it has no name.
    pub time_zone: String,
    /// Seconds since 1970-01-01T00:00:00Z.
    pub unix_seconds: i64,
}

/// Why there is no time to tell. Each text is written for the model that asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClockError {
    /// A zone that is not in the database.
    #[error("`{zone}` is no time zone: use an IANA name such as `Europe/Paris` or `UTC`{}", did_you_mean(.nearest))]
    UnknownZone {
        /// The beginning of what came.
        zone: String,
        /// The names that are written most like it.
        nearest: Vec<String>,
    },
}

fn did_you_mean(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        names => format!("; did you mean `{}`?", names.join("` or `")),
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock {
    /// A clock that tells the machine's time, in the machine's zone unless another is asked for.
    pub fn new() -> Self {
        Self::with_source(Timestamp::now)
    }

    /// A clock that gets the time from `source`.
    pub fn with_source(source: impl TimeSource) -> Self {
        Self { source: Arc::new(source), zone: None }
    }

    /// The zone to use when none is asked for, in place of the machine's.
    #[must_use]
    pub fn in_zone(mut self, zone: TimeZone) -> Self {
        self.zone = Some(zone);
        self
    }
}

/// The current date and time.
#[harness]
impl Clock {
    /// Tells the current date, time and weekday, in a time zone if one is named.
    #[tool(
        read_only,
        idempotent,
        example(ask = "What's the time?", args = {}),
        example(ask = "Give me the current date.", args = {}),
        example(ask = "What day of the week is it?", args = {}),
        example(ask = "What is the time in Europe/Berlin?", args = { time_zone: "Europe/Berlin" }),
        example(ask = "Tell me the date in America/New_York, please", args = { time_zone: "America/New_York" }),
        example(ask = "Is it already afternoon?", args = {})
    )]
    pub fn now(
        &self,
        /// The IANA name of the zone, such as `Europe/Paris`; the local zone if left out.
        time_zone: Option<String>,
    ) -> Result<Now, ClockError> {
        let zone = match time_zone.as_deref().map(str::trim) {
            None | Some("") => self.zone.clone().unwrap_or_else(TimeZone::system),
            Some(name) => named(name)?,
        };
        let now = self.source.now().to_zoned_datetime(zone);
        let offset = now.offset();
        Ok(Now {
            time: now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
            weekday: weekday(now.weekday()),
            time_zone: now.time_zone().iana_name().map_or_else(|| offset.to_string(), str::to_owned),
            unix_seconds: now.timestamp().as_second(),
        })
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").field("zone", &self.zone).finish_non_exhaustive()
    }
}

/// A zone by its name, in any case and with spaces for underscores, or a city alone.
fn named(name: &str) -> Result<TimeZone, ClockError> {
    if matches!(name, "Z" | "z") {
        return Ok(TimeZone::UTC);
    }
    let name: String = name.chars().take(64).collect();
    let underscored = name.replace(' ', "_");
    if let Ok(zone) = TimeZone::get(&underscored) {
        return Ok(zone);
    }
    let names: Vec<String> = tz::db().available().map(|zone| zone.as_str().to_owned()).collect();
    let cities: Vec<&String> = names.iter().filter(|zone| city(zone).eq_ignore_ascii_case(&underscored)).collect();
    if let [only] = cities.as_slice()
        && let Ok(zone) = TimeZone::get(only)
    {
        return Ok(zone);
    }
    Err(ClockError::UnknownZone { zone: name, nearest: suggestions(&underscored, &names, cities) })
}

/// Up to three names: the zones of a city, else those written most alike in whole or in city.
fn suggestions(name: &str, names: &[String], cities: Vec<&String>) -> Vec<String> {
    if !cities.is_empty() {
        return cities.into_iter().take(3).cloned().collect();
    }
    let whole = nearest(name, names.iter().map(String::as_str), 3);
    if !whole.is_empty() {
        return whole.into_iter().map(str::to_owned).collect();
    }
    let near = nearest(city(name), names.iter().map(|zone| city(zone)), 3);
    names.iter().filter(|zone| near.contains(&city(zone))).take(3).cloned().collect()
}

fn city(zone: &str) -> &str {
    zone.rsplit('/').next().unwrap_or(zone)
}

fn weekday(day: jiff::civil::Weekday) -> &'static str {
    use jiff::civil::Weekday;
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, ClockError, Now};
    use jiff::{Timestamp, tz::TimeZone};

    fn clock() -> Clock {
        let fixed: Timestamp = "2026-11-30T22:05:00.75Z".parse().unwrap();
        Clock::with_source(move || fixed).in_zone(TimeZone::UTC)
    }

    fn error(zone: &str) -> String {
        clock().now(Some(zone.to_owned())).unwrap_err().to_string()
    }

    #[test]
    fn the_time_is_told_in_the_zone_that_was_asked_for() {
        let now = clock().now(Some("Asia/Tokyo".to_owned())).unwrap();
        let expected = Now {
            time: "2026-12-01T07:05:00+09:00".to_owned(),
            weekday: "Tuesday",
            time_zone: "Asia/Tokyo".to_owned(),
            unix_seconds: 1_796_076_300,
        };
        assert_eq!(now, expected);
    }

    #[test]
    fn without_a_zone_the_clock_uses_its_own() {
        let now = clock().now(None).unwrap();
        assert_eq!((now.time.as_str(), now.time_zone.as_str()), ("2026-11-30T22:05:00+00:00", "UTC"));
        assert!(Clock::new().now(None).unwrap().unix_seconds > 1_700_000_000);
    }

    #[test]
    fn spelling_is_forgiven_where_only_one_zone_can_be_meant() {
        for zone in ["america/new york", "America/New_York", "new york"] {
            assert_eq!(clock().now(Some(zone.to_owned())).unwrap().time_zone, "America/New_York");
        }
    }

    #[test]
    fn an_unknown_zone_is_answered_with_the_nearest_names() {
        insta::assert_snapshot!(error("Europe/Pariss"), @r#"`Europe/Pariss` is no time zone: use an IANA name such as `Europe/Paris` or `UTC`; did you mean `Europe/Paris` or `Europe/Madrid` or `Europe/Prague`?"#);
        insta::assert_snapshot!(error("Tokio"), @r#"`Tokio` is no time zone: use an IANA name such as `Europe/Paris` or `UTC`; did you mean `Asia/Tokyo`?"#);
        insta::assert_snapshot!(error("Moon/Crater"), @r#"`Moon/Crater` is no time zone: use an IANA name such as `Europe/Paris` or `UTC`; did you mean `America/North_Dakota/Center`?"#);
        let long = error(&"x".repeat(10_000));
        assert!(long.len() < 300, "{long}");
    }

    #[test]
    fn a_zone_cannot_name_a_file() {
        for zone in ["../../etc/passwd", "/etc/localtime", "Europe/../Europe/Paris", "\0"] {
            let error = clock().now(Some(zone.to_owned())).unwrap_err();
            assert!(matches!(error, ClockError::UnknownZone { .. }), "{zone}");
        }
    }
}

//! Durations: `30s`, `5m`, `1h30m` or ISO 8601 are read, ISO 8601 is written.

use std::fmt::Write as _;
use std::time::Duration;

super::parsed! {
    Duration, Some("duration"), "a duration such as \"30s\", \"5m\" or \"PT1H30M\"", parse, write;
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

fn parse(text: &str) -> Option<Duration> {
    match text.strip_prefix('P') {
        Some(rest) => iso(rest),
        None => short(text),
    }
}

/// `1h30m`: amounts with units, the larger first.
fn short(text: &str) -> Option<Duration> {
    const UNITS: [(&str, Duration); 7] = [
        ("d", Duration::from_secs(DAY)),
        ("h", Duration::from_secs(HOUR)),
        ("m", Duration::from_secs(MINUTE)),
        ("s", Duration::from_secs(1)),
        ("ms", Duration::from_millis(1)),
        ("us", Duration::from_micros(1)),
        ("ns", Duration::from_nanos(1)),
    ];
    amounts(text, &UNITS)
}

/// What follows the `P` of ISO 8601. Years and months have no fixed length and are refused.
fn iso(text: &str) -> Option<Duration> {
    const DATE: [(&str, Duration); 2] = [("W", Duration::from_secs(7 * DAY)), ("D", Duration::from_secs(DAY))];
    const TIME: [(&str, Duration); 3] =
        [("H", Duration::from_secs(HOUR)), ("M", Duration::from_secs(MINUTE)), ("S", Duration::from_secs(1))];
    match text.split_once('T') {
        None => amounts(text, &DATE),
        Some(("", time)) => amounts(time, &TIME),
        Some((date, time)) => amounts(date, &DATE)?.checked_add(amounts(time, &TIME)?),
    }
}

/// At least one amount, each with one of the units, which come in order.
fn amounts(mut text: &str, mut units: &[(&str, Duration)]) -> Option<Duration> {
    let mut total = None;
    while !text.is_empty() {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (amount, rest) = text.split_at_checked(end)?;
        let unit_end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (unit, rest) = rest.split_at_checked(unit_end)?;
        let at = units.iter().position(|(name, _)| *name == unit)?;
        let (_, length) = units.get(at)?;
        let length = multiple(amount, *length)?;
        total = Some(total.unwrap_or(Duration::ZERO).checked_add(length)?);
        units = units.get(at + 1..)?;
        text = rest;
    }
    total
}

/// `amount` times a unit; the amount may have a fraction.
fn multiple(amount: &str, unit: Duration) -> Option<Duration> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let nanos = unit.as_nanos().checked_mul(whole.parse::<u64>().ok()?.into())?;
    // Digits beyond nanoseconds of a day change nothing.
    let fraction = fraction.get(..fraction.len().min(18))?;
    let scale = 10_u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let part = unit.as_nanos().checked_mul(fraction.parse::<u128>().ok()?)?.checked_div(scale)?;
    let nanos = nanos.checked_add(part)?;
    let seconds = u64::try_from(nanos / 1_000_000_000).ok()?;
    let rest = u32::try_from(nanos % 1_000_000_000).ok()?;
    Some(Duration::new(seconds, rest))
}

fn write(duration: &Duration) -> String {
    let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
    let (hours, minutes, seconds) = (seconds / HOUR, seconds % HOUR / MINUTE, seconds % MINUTE);
    let mut text = String::from("PT");
    // Writing to a `String` cannot fail.
    if hours > 0 {
        let _ = write!(text, "{hours}H");
    }
    if minutes > 0 {
        let _ = write!(text, "{minutes}M");
    }
    if nanos > 0 {
        let fraction = format!("{nanos:09}");
        let _ = write!(text, "{seconds}.{}S", fraction.trim_end_matches('0'));
    } else if seconds > 0 || text.len() == 2 {
        let _ = write!(text, "{seconds}S");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_iso_durations_are_read() {
        for (text, millis) in [
            ("30s", 30_000),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            ("1.5s", 1_500),
            ("250ms", 250),
            ("2d", 172_800_000),
            ("PT5M", 300_000),
            ("PT1H0.5S", 3_600_500),
            ("P1DT1S", 86_401_000),
            ("P2W", 1_209_600_000),
            ("0s", 0),
        ] {
            assert_eq!(parse(text), Some(Duration::from_millis(millis)), "{text}");
        }
        for text in [
            "",
            "30",
            "s",
            "P",
            "PT",
            "P1DT",
            "P1M",
            "P1Y",
            "30 s",
            "-5s",
            "1s1h",
            "1x",
            "PT5m",
            "1..5s",
            "99999999999999999999d",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for nanos in [0, 1, 999_999_999, 1_000_000_000, 5_400_000_000_000, u64::MAX] {
            let duration = Duration::from_nanos(nanos);
            assert_eq!(parse(&write(&duration)), Some(duration), "{}", write(&duration));
        }
        assert_eq!(write(&Duration::from_secs(5400)), "PT1H30M");
        assert_eq!(parse(&write(&Duration::MAX)), Some(Duration::MAX));
    }
}

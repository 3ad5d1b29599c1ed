//! The formats that `#[arg(format = "...")]` knows, and what is held to be in them.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::shape::Check;

/// The check of a format, by its JSON Schema name.
#[must_use]
pub const fn known_format(name: &str) -> Option<Check> {
    let (accepts, expected): (fn(&str) -> bool, _) = match name.as_bytes() {
        b"date-time" => (date_time, "a date and time such as \"2026-01-31T09:30:00Z\""),
        b"date" => (date, "a date such as \"2026-01-31\""),
        b"time" => (time, "a time such as \"09:30:00Z\""),
        b"email" => (email, "an e-mail address"),
        b"hostname" => (hostname, "a host name"),
        b"ipv4" => (ipv4, "an IPv4 address such as \"192.0.2.1\""),
        b"ipv6" => (ipv6, "an IPv6 address such as \"2001:db8::1\""),
        b"uuid" => (uuid, "a UUID such as \"123e4567-e89b-12d3-a456-426614174000\""),
        b"uri" => (uri, "a URI such as \"https://example.org/\""),
        _ => return None,
    };
    Some(Check { accepts, expected })
}

fn date_time(text: &str) -> bool {
    let Some((day, clock)) = text.split_once(['T', 't', ' ']) else {
        return false;
    };
    date(day) && time(clock)
}

fn date(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// A clock time with its offset, as RFC 3339 has it.
fn time(text: &str) -> bool {
    let (clock, offset) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => text.split_at(at),
        None => return false,
    };
    let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(c, f)| (c, Some(f)));
    let fraction_fits = fraction.is_none_or(|f| !f.is_empty() && f.bytes().all(|b| b.is_ascii_digit()));
    let parts: Vec<_> = clock.split(':').collect();
    let [hour, minute, second] = parts.as_slice() else {
        return false;
    };
    fraction_fits
        && digits(hour, 2).is_some_and(|hour| hour < 24)
        && digits(minute, 2).is_some_and(|minute| minute < 60)
        && digits(second, 2).is_some_and(|second| second <= 60)
        && (offset.eq_ignore_ascii_case("z") || numeric_offset(offset))
}

fn numeric_offset(offset: &str) -> bool {
    let Some(clock) = offset.strip_prefix(['+', '-']) else {
        return false;
    };
    clock.split_once(':').is_some_and(|(hour, minute)| {
        digits(hour, 2).is_some_and(|hour| hour < 24) && digits(minute, 2).is_some_and(|minute| minute < 60)
    })
}

fn digits(text: &str, len: usize) -> Option<u32> {
    let all = text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
    if all { text.parse().ok() } else { None }
}

/// A local part and a domain; what lies between is for the mail server to judge.
fn email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '@';
    !local.is_empty() && local.len() <= 64 && local.chars().all(plain) && hostname(domain)
}

fn hostname(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() <= 253 && text.split('.').all(label)
}

fn ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

fn ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

fn uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A scheme and something after it, in the characters of RFC 3986.
fn uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let scheme_fits = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    scheme_fits && !rest.is_empty() && rest.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(format: &str, text: &str) -> bool {
        (known_format(format).unwrap().accepts)(text)
    }

    #[test]
    fn formats_accept_their_own_and_refuse_their_neighbours() {
        for (format, good, bad) in [
            ("date", "2024-02-29", "2023-02-29"),
            ("date-time", "2026-01-31T09:30:00.5+02:00", "2026-01-31T09:30:00"),
            ("time", "23:59:60Z", "24:00:00Z"),
            ("email", "a.b@example.org", "a b@example.org"),
            ("hostname", "example.org", "-example.org"),
            ("ipv4", "192.0.2.1", "192.0.2.256"),
            ("ipv6", "2001:db8::1", "2001:db8:::1"),
            ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"),
            ("uri", "https://example.org/?q=1", "example.org"),
        ] {
            assert!(accepts(format, good), "{format}: {good}");
            assert!(!accepts(format, bad), "{format}: {bad}");
        }
    }
}

//! Durations and sizes as people write them.

/// Milliseconds of `250ms`, `30s`, `5m` or `2h`.
pub(crate) fn milliseconds(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let unit = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    number.checked_mul(unit).filter(|milliseconds| *milliseconds > 0)
}

/// Bytes of `512`, `512B`, `64KiB`, `1MiB`, `1GiB`, `64kB`, `1MB` or `1GB`.
pub(crate) fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let unit = match unit {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        _ => return None,
    };
    number.checked_mul(unit).filter(|bytes| *bytes > 0)
}

/// A whole number and what stands behind it.
fn split(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    Some((number.parse().ok()?, unit.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_name_their_unit() {
        assert_eq!(milliseconds("250ms"), Some(250));
        assert_eq!(milliseconds("30s"), Some(30_000));
        assert_eq!(milliseconds("5 m"), Some(300_000));
        assert_eq!(milliseconds("2h"), Some(7_200_000));
        for bad in ["", "30", "s", "1.5s", "-1s", "0s", "1d", "99999999999999999999s", "9999999999999999999h"] {
            assert_eq!(milliseconds(bad), None, "{bad}");
        }
    }

    #[test]
    fn sizes_are_binary_or_decimal() {
        assert_eq!(bytes("512"), Some(512));
        assert_eq!(bytes("1MiB"), Some(1 << 20));
        assert_eq!(bytes("64 kB"), Some(64_000));
        for bad in ["", "MiB", "0B", "1.5MiB", "1mib", "1TiB"] {
            assert_eq!(bytes(bad), None, "{bad}");
        }
    }
}

//! How long a provider asks to wait.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// How long the headers of an answer ask to wait: `retry-after-ms`, which says it finest, or `Retry-After` in seconds or
/// as a date (RFC 9110, section 10.2.3). `None`: they do not say, or not in a form there is.
pub(crate) fn asked(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let fine = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok());
    fine.and_then(|wait| Duration::try_from_secs_f64(wait / 1000.0).ok()).or_else(|| {
        let text = text(RETRY_AFTER.as_str())?;
        match text.parse::<f64>() {
            Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
            // One in the past asks for no wait.
            Err(_) => httpdate::parse_http_date(text).ok().map(|then| then.duration_since(now).unwrap_or_default()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(headers: &[(&'static str, &'static str)]) -> Option<f64> {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        asked(&headers, now).map(|wait| wait.as_secs_f64())
    }

    // M5: every form of it.
    #[test]
    fn every_form_is_read() {
        assert_eq!(wait(&[("retry-after", "20")]), Some(20.0));
        assert_eq!(wait(&[("retry-after", " 1.5 ")]), Some(1.5));
        assert_eq!(wait(&[("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT")]), Some(30.0));
        assert_eq!(wait(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")]), Some(0.0));
        assert_eq!(wait(&[("retry-after", "20"), ("retry-after-ms", "1500")]), Some(1.5));
        assert_eq!(wait(&[("retry-after", "20"), ("retry-after-ms", "soon")]), Some(20.0));
    }

    #[test]
    fn what_makes_no_sense_is_not_heeded() {
        for text in ["", "soon", "-1", "NaN", "inf", "1e300"] {
            assert_eq!(wait(&[("retry-after", text)]), None, "{text}");
        }
        assert_eq!(wait(&[]), None);
    }
}

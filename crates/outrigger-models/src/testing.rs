//! What tests share.

/// How many cases a property test runs: 1,000, or as many as `OUTRIGGER_CASES` says.
pub(crate) fn cases() -> u32 {
    std::env::var("OUTRIGGER_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1000)
}

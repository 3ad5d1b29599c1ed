//! Models over HTTP against a server on this machine (M2, M5, M6).

mod answers;
mod echo;
mod refusals;
mod server;
mod tls;

/// How many cases a property test runs: 1,000, or as many as `OUTRIGGER_CASES` says.
pub(super) fn cases() -> u32 {
    std::env::var("OUTRIGGER_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1000)
}

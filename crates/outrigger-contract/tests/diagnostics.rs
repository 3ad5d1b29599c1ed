//! Section 8: what the derive macro says about a declaration that cannot be closed.

#[test]
fn every_diagnostic_says_what_to_write() {
    trybuild::TestCases::new().compile_fail("tests/diagnostics/*.rs");
}

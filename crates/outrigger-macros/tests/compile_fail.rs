//! Every diagnostic has its program and its message.

#[test]
fn wrong_programs_are_told_why() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

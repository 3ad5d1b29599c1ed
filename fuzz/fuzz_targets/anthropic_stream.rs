//! A streamed answer of the Messages API. Nothing may panic or take for ever; what it means makes sense, and goes out
//! again as JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(stream) = std::str::from_utf8(data) else { return };
    assert_eq!(outrigger_models::testing::anthropic_stream(stream), None);
});

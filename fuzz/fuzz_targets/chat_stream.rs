//! Any bytes as a streamed answer of chat completions: every call begins before it grows, nothing follows the end, and
//! what was read can be written into a later request of every server.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(wrong) = outrigger_models::testing::chat_stream(data) {
        panic!("{wrong}");
    }
});

//! What one event of a streamed answer costs, in time and allocations, beside parsing the same JSON alone.
//!
//! `cargo bench -p outrigger-models --features testing --bench chat_stream`

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use divan::{AllocProfiler, Bencher};
use outrigger_core::model::Part;
use outrigger_models::testing::ChatStream;
use serde::de::IgnoredAny;
use serde_json::Value;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// A few characters of text, as OpenAI streams them.
const TEXT: &str = r#"{"id":"chatcmpl-BwJ0Q2vI5s8oZ1pXk3fT","object":"chat.completion.chunk","created":1764500000,"model":"gpt-5-mini-2025-08-07","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"content":" weather"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x3Kd9aQ"}"#;

/// A few characters of a call's arguments.
const ARGUMENTS: &str = r#"{"id":"chatcmpl-BwJ0Q2vI5s8oZ1pXk3fT","object":"chat.completion.chunk","created":1764500000,"model":"gpt-5-mini-2025-08-07","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\":\"Os"}}]},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x3"}"#;

/// The start of a call.
const START: &str = r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"current","arguments":"{\"city"}}]}}]}"#;

/// How many events one measured piece has: more than the fixed cost of a stream.
const EVENTS: usize = 1000;

fn decoded(bencher: Bencher<'_, '_>, event: &str) {
    bencher.counter(divan::counter::ItemsCount::new(EVENTS)).bench_local(|| {
        let mut stream = ChatStream::default();
        let mut parts: Vec<Part> = Vec::with_capacity(4);
        stream.event("", START, &mut parts).unwrap();
        for _ in 0..EVENTS {
            parts.clear();
            stream.event("", divan::black_box(event), &mut parts).unwrap();
            divan::black_box(&parts);
        }
    });
}

fn parsed<T: serde::de::DeserializeOwned>(bencher: Bencher<'_, '_>, event: &str) {
    bencher.counter(divan::counter::ItemsCount::new(EVENTS)).bench_local(|| {
        for _ in 0..EVENTS {
            divan::black_box(serde_json::from_str::<T>(divan::black_box(event)).unwrap());
        }
    });
}

/// A thousand events of text.
#[divan::bench_group]
mod text {
    use super::*;

    #[divan::bench]
    fn decoded(bencher: Bencher<'_, '_>) {
        super::decoded(bencher, TEXT);
    }

    #[divan::bench]
    fn json_tree(bencher: Bencher<'_, '_>) {
        super::parsed::<Value>(bencher, TEXT);
    }

    #[divan::bench]
    fn json_skipped(bencher: Bencher<'_, '_>) {
        super::parsed::<IgnoredAny>(bencher, TEXT);
    }
}

/// A thousand events of arguments.
#[divan::bench_group]
mod arguments {
    use super::*;

    #[divan::bench]
    fn decoded(bencher: Bencher<'_, '_>) {
        super::decoded(bencher, ARGUMENTS);
    }

    #[divan::bench]
    fn json_tree(bencher: Bencher<'_, '_>) {
        super::parsed::<Value>(bencher, ARGUMENTS);
    }

    #[divan::bench]
    fn json_skipped(bencher: Bencher<'_, '_>) {
        super::parsed::<IgnoredAny>(bencher, ARGUMENTS);
    }
}

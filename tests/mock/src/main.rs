//! Serves a script: `outrigger-mock chat|anthropic PORT SCRIPT.json`.
#![allow(clippy::expect_used, clippy::panic, reason = "a test's tool")]

use std::path::Path;

use outrigger_mock::{Mock, Wire};
use outrigger_models::scripted::Script;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let wire = match arguments.next().as_deref() {
        Some("chat") => Wire::Chat,
        Some("anthropic") => Wire::Anthropic,
        other => panic!("name a wire, chat or anthropic, not {other:?}"),
    };
    let port = arguments.next().and_then(|port| port.parse().ok()).expect("name a port");
    let script = arguments.next().expect("name a script");
    let script = Script::read(Path::new(&script)).unwrap_or_else(|error| panic!("{error}"));
    let mock = Mock::start_on(wire, script, port).await;
    eprintln!("{wire:?} at {}", mock.base_url());
    std::future::pending::<()>().await;
}

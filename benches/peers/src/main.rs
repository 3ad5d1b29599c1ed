//! What a round and a streamed chunk cost: Outrigger, a loop written by hand, and rig, over HTTP.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml` prints the table; with `--check` it fails when
//! Outrigger's CPU time for a round is above 1.3 times that of the loop written by hand.

mod contestants;
mod conversation;
mod meter;
mod server;
mod table;

use std::process::ExitCode;

use contestants::{Contestant, ENTRIES, Entry};
use conversation::Play;
use meter::{Cost, Meter};
use server::Server;
use table::Figures;
use tokio::runtime::Runtime;

/// How often each contestant is measured; the median counts.
const SAMPLES: usize = 9;

/// How many conversations one sample holds.
fn conversations(play: Play) -> usize {
    match play {
        Play::Rounds => 20,
        Play::Chunks => 10,
    }
}

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        Some(server::ARGUMENT) => {
            server::serve();
            ExitCode::SUCCESS
        }
        Some("--check") => measure().check(),
        None => {
            measure();
            ExitCode::SUCCESS
        }
        Some(other) => {
            eprintln!("there is no argument {other:?}, only --check");
            ExitCode::from(2)
        }
    }
}

/// Measures everybody in turn, again and again, and prints the table.
fn measure() -> Figures {
    // reqwest is built without a TLS provider here; plain HTTP is what is measured.
    drop(rustls::crypto::ring::default_provider().install_default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut server = Server::start().expect("this program can start itself");
    let mut figures = Figures::default();
    for _ in 0..SAMPLES {
        for play in [Play::Rounds, Play::Chunks] {
            for entry in &ENTRIES {
                figures.add(entry.name, play, sample(entry, play, &runtime, &mut server));
            }
        }
    }
    println!("{figures}");
    figures
}

/// Some conversations of one contestant, checked on both sides.
fn sample(entry: &Entry, play: Play, runtime: &Runtime, server: &mut Server) -> Cost {
    let (conversations, warm) = (conversations(play), 1);
    let url = server.play(play, warm + conversations);
    let contestant = runtime.block_on(entry.make(url));
    conversation::runs();
    runtime.block_on(hold(&*contestant, play, warm));
    let meter = Meter::start();
    runtime.block_on(hold(&*contestant, play, conversations));
    let cost = meter.each(conversations * play.units());
    let ran = conversation::runs();
    assert_eq!(ran, ((warm + conversations) * play.rounds()) as u64, "{}: the tool ran", entry.name);
    assert_eq!(server.seen(), play.seen(warm + conversations), "{}: what the server saw", entry.name);
    cost
}

async fn hold(contestant: &dyn Contestant, play: Play, conversations: usize) {
    let expected = play.answer();
    for _ in 0..conversations {
        let answer = contestant.converse().await;
        assert!(answer == expected, "the answer is whole: {answer}");
    }
}

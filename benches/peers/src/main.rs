//! What a round and a streamed chunk cost: Outrigger, a loop written by hand, and rig, over HTTP.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml` prints the table; with `--check` it fails when
//! Outrigger's CPU time for a round is above 1.3 times that of the loop written by hand. With `--only NAME` one
//! contestant plays its rounds and nothing is printed: that is for a profiler to look at.

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
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [server::ARGUMENT] => server::serve(),
        ["--check"] => return measure().check(),
        ["--only", name] => return play_rounds_of(name),
        [] => drop(measure()),
        _ => {
            eprintln!("there is no argument {:?}, only --check and --only NAME", arguments.join(" "));
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// The rounds of one contestant, again and again.
fn play_rounds_of(name: &str) -> ExitCode {
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else {
        let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
        eprintln!("there is no contestant {name:?}, only {}", names.join(", "));
        return ExitCode::from(2);
    };
    let (runtime, mut server) = stage();
    sample(entry, Play::Rounds, SAMPLES * conversations(Play::Rounds), &runtime, &mut server);
    ExitCode::SUCCESS
}

/// Where contestants play: a runtime of one thread here, the provider in a process of its own.
fn stage() -> (Runtime, Server) {
    // reqwest is built without a TLS provider here; plain HTTP is what is measured.
    drop(rustls::crypto::ring::default_provider().install_default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    (runtime, Server::start().expect("this program can start itself"))
}

/// Measures everybody in turn, again and again, and prints the table.
fn measure() -> Figures {
    let (runtime, mut server) = stage();
    let mut figures = Figures::default();
    for _ in 0..SAMPLES {
        for play in [Play::Rounds, Play::Chunks] {
            for entry in &ENTRIES {
                figures.add(entry.name, play, sample(entry, play, conversations(play), &runtime, &mut server));
            }
        }
    }
    println!("{figures}");
    figures
}

/// Some conversations of one contestant, checked on both sides.
fn sample(entry: &Entry, play: Play, conversations: usize, runtime: &Runtime, server: &mut Server) -> Cost {
    let warm = 1;
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

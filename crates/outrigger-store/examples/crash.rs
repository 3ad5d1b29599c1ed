//! Kills processes at random points of scripted turns with side effects, and checks what is left.
//!
//! `cargo run -p outrigger-store --example crash -- --store sqlite --rounds 500 [--seed N]`; for `--store postgres`,
//! `OUTRIGGER_TEST_POSTGRES` has the URL of a server, as `.ci/postgres` prints it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test, in the form of a program")]

#[path = "../tests/crash/child.rs"]
mod child;
#[path = "../tests/crash/rounds.rs"]
mod rounds;

use std::process::Command;
use std::time::Instant;

use child::Place;

fn main() {
    if let Ok(told) = std::env::var(child::CHILD) {
        return child::run(serde_json::from_str(&told).unwrap());
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (mut store, mut rounds, mut seed) = ("sqlite".to_owned(), 500, 1);
    let mut given = arguments.iter();
    while let (Some(option), value) = (given.next(), given.next()) {
        let value = value.unwrap_or_else(|| usage(option));
        match option.as_str() {
            "--store" => store.clone_from(value),
            "--rounds" => rounds = value.parse().unwrap_or_else(|_| usage(value)),
            "--seed" => seed = value.parse().unwrap_or_else(|_| usage(value)),
            other => usage(other),
        }
    }
    let folder = tempfile::TempDir::new().unwrap();
    let place = match store.as_str() {
        "sqlite" => Place::Sqlite(folder.path().join("threads.db")),
        "postgres" => {
            let url = std::env::var("OUTRIGGER_TEST_POSTGRES").expect("OUTRIGGER_TEST_POSTGRES has a server's URL");
            Place::Postgres { url, schema: format!("outrigger_crash_{}", std::process::id()) }
        }
        other => usage(other),
    };
    let begun = Instant::now();
    let numbers = rounds::run(&place, folder.path(), rounds, seed, || Command::new(std::env::current_exe().unwrap()));
    println!("{store}, seed {seed}, {:.0?}:\n{numbers}", begun.elapsed());
}

fn usage(what: &str) -> ! {
    eprintln!("what is {what:?}? Usage: crash [--store sqlite|postgres] [--rounds N] [--seed N]");
    std::process::exit(2)
}

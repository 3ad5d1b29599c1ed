//! T4: processes are killed at random points, and nothing that was acknowledged is lost, nothing done twice. The long form
//! is `cargo run -p outrigger-store --example crash`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod child;
mod rounds;

use std::process::Command;

use child::Place;
use tempfile::TempDir;

const ROUNDS: u32 = 20;

/// This program, as one that runs only the test below.
fn command() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "is_a_child_where_told_so", "--nocapture"]);
    command
}

#[test]
fn is_a_child_where_told_so() {
    if let Ok(told) = std::env::var(child::CHILD) {
        println!();
        child::run(serde_json::from_str(&told).unwrap());
    }
}

#[test]
fn killed_processes_on_sqlite() {
    let folder = TempDir::new().unwrap();
    let place = Place::Sqlite(folder.path().join("threads.db"));
    let numbers = rounds::run(&place, folder.path(), ROUNDS, 1, command);
    println!("{numbers}");
    assert!(numbers.within_a_turn > 0 && numbers.effects > 0);
}

#[test]
fn killed_processes_on_postgres() {
    let Ok(url) = std::env::var("OUTRIGGER_TEST_POSTGRES") else {
        println!("SKIPPED: the crash test of the Postgres store: OUTRIGGER_TEST_POSTGRES is not set");
        return;
    };
    let folder = TempDir::new().unwrap();
    let place = Place::Postgres { url, schema: format!("outrigger_crash_{}", std::process::id()) };
    let numbers = rounds::run(&place, folder.path(), ROUNDS, 2, command);
    println!("{numbers}");
    assert!(numbers.within_a_turn > 0 && numbers.effects > 0);
}

//! The house stands on floors: a crate, and a room of the core, uses only what stands below it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use std::fs;
use std::path::{Path, PathBuf};

/// Crates by floor, the ground floor first. Crates of one floor do not use each other.
const FLOORS: &[&[&str]] = &[
    &["outrigger-contract", "outrigger-macros", "outrigger-local"],
    &["outrigger-core"],
    &["outrigger-models", "outrigger-harnesses", "outrigger-store"],
    &["outrigger"],
    &["outrigger-cli"],
];

/// Rooms of the core, the lowest first.
const ROOMS: &[&str] = &[
    "transcript",
    "handle",
    "model",
    "session",
    "event",
    "question",
    "tool",
    "middleware",
    "harness",
    "catalog",
    "context",
    "turn",
    "runtime",
    "agent",
];

/// Rooms that a room does without, although they stand below it.
const SHUNNED: &[(&str, &[&str])] =
    &[("turn", &["handle", "model", "session", "question", "tool", "middleware", "harness", "catalog", "context"])];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The crates a manifest depends on, dev-dependencies left out: a test may use what stands above.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
    let mut section = String::new();
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            line.clone_into(&mut section);
        } else if section == "[dependencies]" || section == "[build-dependencies]" {
            found.extend(
                line.split(['=', ' ', '.']).next().filter(|word| word.starts_with("outrigger")).map(str::to_owned),
            );
        }
    }
    found
}

#[test]
fn every_crate_has_a_floor() {
    let mut known: Vec<&str> = FLOORS.concat();
    let mut present: Vec<String> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    known.sort_unstable();
    present.sort_unstable();
    assert_eq!(present, known);
}

#[test]
fn a_crate_uses_only_crates_below_it() {
    for (floor, crates) in FLOORS.iter().enumerate() {
        let below = FLOORS[..floor].concat();
        for name in *crates {
            for dependency in dependencies(name) {
                assert!(
                    below.contains(&dependency.as_str()),
                    "{name} uses {dependency}, which does not stand below it"
                );
            }
        }
    }
}

/// The rooms a source file names: `crate::room`, also inside braces.
fn rooms_used(source: &str) -> Vec<String> {
    let code: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    code.match_indices("crate::")
        .flat_map(|(at, found)| {
            let rest = &code[at + found.len()..];
            match rest.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap().split(',').map(|item| item.trim().to_owned()).collect(),
                None => vec![rest.to_owned()],
            }
        })
        .map(|path| path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        .collect()
}

#[test]
fn a_room_of_the_core_uses_only_rooms_below_it() {
    let source = root().join("crates/outrigger-core/src");
    let mut seen = 0;
    for (floor, room) in ROOMS.iter().enumerate() {
        let files = match source.join(room) {
            folder if folder.is_dir() => rust_files(&folder),
            folder => vec![folder.with_extension("rs")],
        };
        for file in files {
            for used in rooms_used(&fs::read_to_string(&file).unwrap()) {
                let Some(at) = ROOMS.iter().position(|known| *known == used) else { continue };
                seen += 1;
                assert!(at <= floor, "{}: {room} uses {used}, which stands above it", file.display());
                let shunned = SHUNNED.iter().any(|(shunner, rooms)| shunner == room && rooms.contains(&used.as_str()));
                assert!(!shunned, "{}: {room} does without {used}", file.display());
            }
        }
    }
    assert!(seen > 50, "the search for used rooms finds next to nothing; it is broken");
}

#[test]
fn every_module_of_the_core_is_a_room() {
    let lib = fs::read_to_string(root().join("crates/outrigger-core/src/lib.rs")).unwrap();
    let mut modules: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    modules.retain(|module| *module != "testing");
    let mut rooms = ROOMS.to_vec();
    modules.sort_unstable();
    rooms.sort_unstable();
    assert_eq!(modules, rooms);
}

/// Only the context room seals requests.
#[test]
fn only_the_context_room_seals() {
    for file in rust_files(&root().join("crates/outrigger-core/src")) {
        let calls = fs::read_to_string(&file).unwrap().contains("SealedRequest::seal(");
        let in_context = file.components().any(|part| part.as_os_str() == "context");
        assert!(!calls || in_context, "{} seals a request; only context may", file.display());
    }
}

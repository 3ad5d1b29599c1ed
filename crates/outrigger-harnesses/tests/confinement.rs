//! Nothing outside the root is ever read, and nothing inside can make a call hang.

#![cfg(unix)]
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

use outrigger_harnesses::Files;
use outrigger_harnesses::files::FilesError;
use proptest::prelude::*;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SENTINEL: &str = "sentinel-of-the-outside";

/// `outside/secret.txt` beside `root/`, which has files and links of every kind.
fn world() -> (TempDir, Files) {
    let dir = TempDir::new().unwrap();
    let (root, outside) = (dir.path().join("root"), dir.path().join("outside"));
    fs::create_dir_all(root.join("a/b")).unwrap();
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("secret.txt"), SENTINEL).unwrap();
    fs::write(root.join("a/inside.txt"), "inside").unwrap();
    symlink("../outside", root.join("up")).unwrap();
    symlink(&outside, root.join("absolute")).unwrap();
    symlink("../outside/secret.txt", root.join("secret")).unwrap();
    symlink("../../../outside", root.join("a/b/far")).unwrap();
    symlink("a/inside.txt", root.join("good")).unwrap();
    symlink("..", root.join("a/parent")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    let files = Files::new(&root).unwrap();
    (dir, files)
}

/// Everything that any of the tools says about a path.
fn everything(files: &Files, path: &str) -> String {
    let text = |result: Result<String, FilesError>| result.unwrap_or_else(|error| error.to_string());
    [
        text(files.read(path.into(), None, None).map(|it| it.to_string())),
        text(files.list(Some(path.into())).map(|it| it.to_string())),
        text(files.search("sentinel".into(), Some(path.into())).map(|it| it.to_string())),
        text(files.info(path.into()).map(|it| format!("{it:?}"))),
    ]
    .join("\n")
}

#[test]
fn links_and_dots_that_leave_the_root_are_refused_in_words() {
    let (_dir, files) = world();
    for path in ["../outside/secret.txt", "up/secret.txt", "absolute/secret.txt", "secret", "a/b/far/secret.txt"] {
        let error = files.read(path.into(), None, None).unwrap_err();
        assert!(matches!(error, FilesError::Outside { .. }), "{path}: {error}");
        assert!(error.to_string().contains("root directory, which is the limit"), "{error}");
    }
    assert!(files.read("loop".into(), None, None).is_err());
}

#[test]
fn links_and_dots_that_stay_inside_work() {
    let (_dir, files) = world();
    for path in ["good", "a/../a/inside.txt", "a/parent/a/inside.txt", "./a//inside.txt"] {
        assert_eq!(files.read(path.into(), None, None).unwrap().text, "inside", "{path}");
    }
}

#[test]
fn a_search_follows_no_links() {
    let (_dir, files) = world();
    assert_eq!(files.search("sentinel".into(), None).unwrap().matches, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_path_reads_the_sentinel(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "..", ".", "", "a", "b", "up", "absolute", "secret", "far", "parent", "good",
                "loop", "outside", "root", "secret.txt", "inside.txt", "etc", "…", "a b", "\\..",
            ]),
            0..8,
        ),
        absolute in any::<bool>(),
    ) {
        let (dir, files) = world();
        let below = parts.join("/");
        let path = if absolute { format!("{}/{below}", dir.path().display()) } else { below };
        prop_assert!(!everything(&files, &path).contains(SENTINEL), "{}", path);
    }
}

#[test]
fn a_pipe_or_a_device_is_refused_without_waiting() {
    let (dir, files) = world();
    let pipe = dir.path().join("root/pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let started = Instant::now();
    let error = files.read("pipe".into(), None, None).unwrap_err();
    assert_eq!(error.to_string(), "`pipe` is a pipe, only regular files can be read");
    assert!(files.list(None).unwrap().to_string().contains("pipe (pipe)"));
    assert!(files.search("sentinel".into(), None).is_ok());
    assert!(started.elapsed() < Duration::from_secs(1));
    let devices = Files::new("/dev").unwrap();
    let error = devices.read("zero".into(), None, None).unwrap_err();
    assert_eq!(error.to_string(), "`zero` is a device, only regular files can be read");
}

#[test]
fn a_name_that_is_no_utf8_is_listed_with_a_note_and_searched() {
    let (dir, files) = world();
    let name = OsStr::from_bytes(b"b\xffd\nname");
    fs::write(dir.path().join("root").join(Path::new(name)), "a needle").unwrap();
    let listing = files.list(None).unwrap().to_string();
    assert!(listing.contains("b\u{fffd}d\\nname (8 bytes) [its real name cannot be written here]"), "{listing}");
    let found = files.search("needle".into(), None).unwrap();
    assert_eq!(found.to_string(), "b\u{fffd}d\\nname:1: a needle");
}

#[test]
fn a_directory_that_turns_into_a_link_meanwhile_leads_nowhere() {
    let (dir, files) = world();
    let root = dir.path().join("root");
    fs::create_dir(root.join("door")).unwrap();
    fs::write(root.join("door/secret.txt"), "harmless").unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let _ = fs::rename(root.join("door"), root.join("kept"));
                let _ = symlink("../outside", root.join("door"));
                let _ = fs::remove_file(root.join("door"));
                let _ = fs::rename(root.join("kept"), root.join("door"));
            }
        });
        for _ in 0..2_000 {
            let text = everything(&files, "door/secret.txt") + &everything(&files, ".");
            assert!(!text.contains(SENTINEL), "{text}");
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_file_that_turns_into_a_pipe_meanwhile_blocks_no_one() {
    let (dir, files) = world();
    let root = dir.path().join("root");
    let stop = AtomicBool::new(false);
    let started = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let _ = fs::write(root.join("door"), "text");
                let _ = fs::remove_file(root.join("door"));
                let _ = rustix::fs::mknodat(
                    rustix::fs::CWD,
                    root.join("door"),
                    rustix::fs::FileType::Fifo,
                    0o600.into(),
                    0,
                );
                let _ = fs::remove_file(root.join("door"));
            }
        });
        for _ in 0..2_000 {
            let _ = files.read("door".into(), None, None);
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(started.elapsed() < Duration::from_secs(20));
}

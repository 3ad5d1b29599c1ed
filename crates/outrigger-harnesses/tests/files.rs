//! What `Files` shows of a directory, and where it stops.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

use outrigger_harnesses::Files;
use outrigger_harnesses::files::{FilesError, FilesOptions, Stop};
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn files(entries: &[(&str, &str)]) -> (TempDir, Files) {
    let dir = TempDir::new().unwrap();
    for (path, text) in entries {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let files = Files::new(dir.path()).unwrap();
    (dir, files)
}

fn project() -> (TempDir, Files) {
    files(&[
        ("Cargo.toml", "[package]\nname = \"demo\"\n"),
        ("src/main.rs", "fn main() {\n    println!(\"Hello\");\n}\n"),
        ("src/deep/notes.md", "hello again\n"),
        ("empty.txt", ""),
        (".git/config", "hello = 1\n"),
    ])
}

fn read(files: &Files, path: &str) -> String {
    files.read(path.into(), None, None).map_or_else(|error| error.to_string(), |it| it.to_string())
}

#[test]
fn a_listing_is_sorted_and_shows_kinds_and_sizes() {
    let (_dir, files) = project();
    let expected = ".git/\nCargo.toml (24 bytes)\nempty.txt (0 bytes)\nsrc/";
    for root in [None, Some(""), Some("."), Some("/")] {
        assert_eq!(files.list(root.map(str::to_owned)).unwrap().to_string(), expected);
    }
    assert_eq!(files.list(Some("src".into())).unwrap().to_string(), "deep/\nmain.rs (37 bytes)");
}

#[test]
fn a_long_listing_says_how_many_entries_were_left_out() {
    let dir = TempDir::new().unwrap();
    for n in 0..7 {
        fs::write(dir.path().join(format!("{n}")), "x").unwrap();
    }
    let options = FilesOptions { max_entries: 2, ..FilesOptions::default() };
    let listing = Files::with_options(dir.path(), options).unwrap().list(None).unwrap();
    insta::assert_snapshot!(listing, @r#"
0 (1 byte)
1 (1 byte)
[5 more entries left out: use `search`, or `info` with a name]
"#);
}

#[test]
fn text_is_read_whole_or_by_lines_and_says_where_to_go_on() {
    let (_dir, files) = project();
    insta::assert_snapshot!(read(&files, "src/main.rs"), @r#"
fn main() {
    println!("Hello");
}
[lines 1 to 3 of 3, the end of the file]
"#);
    let part = files.read("./src/main.rs".into(), Some(2), Some(1)).unwrap();
    insta::assert_snapshot!(part, @r#"
    println!("Hello");
[lines 2 to 2 of 3; to go on use from_line 3]
"#);
    assert_eq!(read(&files, "empty.txt"), "[the file is empty]");
}

#[test]
fn a_result_is_its_text_when_serialised() {
    let (_dir, files) = project();
    let json = serde_json::to_value(files.list(Some("src".into())).unwrap()).unwrap();
    assert_eq!(json, serde_json::json!("deep/\nmain.rs (37 bytes)"));
}

#[test]
fn a_long_text_stops_at_the_bound_and_goes_on_from_there() {
    let text: String = (1..=20_000).map(|n| format!("line {n}\n")).collect();
    let (_dir, files) = files(&[("long.txt", &text)]);
    let first = files.read("long.txt".into(), None, None).unwrap();
    assert!(first.text.len() <= 65_536);
    assert_eq!(first.total, Some(20_000));
    let next = u32::try_from(first.last).unwrap() + 1;
    let second = files.read("long.txt".into(), Some(next), Some(1)).unwrap();
    assert_eq!(second.text, format!("line {next}"));
    let behind = files.read("long.txt".into(), Some(20_001), None).unwrap_err();
    insta::assert_snapshot!(behind, @r#"`long.txt` has 20000 lines, line 20001 was asked for: use `from_line` from 1 to 20000"#);
}

#[test]
fn a_very_long_line_is_cut_on_a_character_boundary() {
    let (_dir, files) = files(&[("one.txt", &"é".repeat(100_000))]);
    let options = files.read("one.txt".into(), None, None).unwrap();
    assert_eq!(options.text, format!("{}… [cut: the line has 200000 bytes]", "é".repeat(1_000)));
}

#[test]
fn invalid_utf8_is_replaced_with_a_note_and_binary_refused() {
    let (dir, files) = project();
    fs::write(dir.path().join("latin.txt"), b"caf\xe9\n").unwrap();
    fs::write(dir.path().join("image.bin"), b"\x89PNG\0\0").unwrap();
    insta::assert_snapshot!(read(&files, "latin.txt"), @r#"
caf�
[lines 1 to 1 of 1, the end of the file; bytes that are not UTF-8 are shown as �]
"#);
    insta::assert_snapshot!(read(&files, "image.bin"), @r#"`image.bin` is a binary file of 6 bytes, only text can be read: use `info` for its size and date"#);
}

#[test]
fn a_sparse_gigabyte_is_read_by_its_beginning_in_bounded_time() {
    let (dir, files) = files(&[("big.log", &"text line\n".repeat(2_000)), ("holes.bin", "")]);
    for name in ["big.log", "holes.bin"] {
        let file = fs::OpenOptions::new().write(true).open(dir.path().join(name)).unwrap();
        file.set_len(1 << 30).unwrap();
    }
    let started = Instant::now();
    let part = files.read("big.log".into(), Some(5), Some(2)).unwrap();
    assert_eq!((part.text.as_str(), part.total), ("text line\ntext line", None));
    assert!(matches!(files.read("holes.bin".into(), None, None), Err(FilesError::Binary { .. })));
    let far = files.read("big.log".into(), Some(5_000), None).unwrap_err();
    insta::assert_snapshot!(far, @r#"line 5000 of `big.log` lies behind the first 67108864 bytes, which is as far as a file is read: ask for an earlier line or use `search`"#);
    let matches = files.search("nowhere".into(), None).unwrap();
    assert_eq!(matches.stopped, Some(Stop::Bytes));
    assert_eq!(files.info("big.log".into()).unwrap().lines, None);
    println!("a sparse gigabyte, four ways: {:?}", started.elapsed());
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_search_walks_text_files_and_folds_case_without_capitals() {
    let (_dir, files) = project();
    let found = files.search("hello".into(), None).unwrap();
    assert_eq!(found.to_string(), "src/main.rs:2:     println!(\"Hello\");\nsrc/deep/notes.md:1: hello again");
    let found = files.search("Hello".into(), Some("src".into())).unwrap();
    assert_eq!(found.matches.len(), 1);
    let found = files.search("hello".into(), Some("src/main.rs".into())).unwrap();
    assert_eq!(found.matches[0].line, 2);
    assert_eq!(files.search("absent".into(), None).unwrap().to_string(), "no match in 4 files");
}

#[test]
fn a_search_stops_at_its_bounds_and_says_so() {
    let many = "needle\n".repeat(500);
    let (_dir, files) = files(&[("a.txt", &many), ("long.txt", &format!("{}needle", "é".repeat(5_000)))]);
    let found = files.search("needle".into(), None).unwrap();
    assert_eq!((found.matches.len(), found.stopped), (100, Some(Stop::Matches)));
    let found = files.search("needle".into(), Some("long.txt".into())).unwrap();
    assert_eq!(found.matches[0].text, format!("…{}needle", "é".repeat(60)));
    for wrong in ["", "two\nlines", &"x".repeat(201)] {
        let error = files.search(wrong.to_owned(), None).unwrap_err();
        assert!(matches!(error, FilesError::SearchText { .. }));
    }
}

#[test]
fn a_search_enters_many_directories_but_not_endlessly_deep_ones() {
    let dir = TempDir::new().unwrap();
    for n in 0..2_000 {
        fs::create_dir(dir.path().join(format!("{n:04}"))).unwrap();
    }
    let deep = dir.path().join("0000/d".to_owned() + &"/d".repeat(40));
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("unseen.txt"), "needle").unwrap();
    fs::write(dir.path().join("1999/seen.txt"), "needle").unwrap();
    let found = Files::new(dir.path()).unwrap().search("needle".into(), None).unwrap();
    assert_eq!((found.skipped, found.stopped), (0, Some(Stop::Depth)));
    insta::assert_snapshot!(found, @r#"
1999/seen.txt:1: needle
[some directories are too deep or too large: search in one of them]
"#);
}

#[test]
fn info_tells_kind_size_date_and_lines() {
    let (dir, files) = project();
    let file = fs::File::options().write(true).open(dir.path().join("Cargo.toml")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000)).unwrap();
    let info = serde_json::to_string(&files.info("Cargo.toml".into()).unwrap()).unwrap();
    let expected = r#"{"kind":"file","size":24,"modified":"2001-09-09T01:46:40Z","lines":2}"#;
    assert_eq!(info, expected);
    assert_eq!(files.info("src".into()).unwrap().kind, "directory");
}

#[test]
fn errors_say_what_came_and_what_to_do() {
    let (_dir, files) = project();
    let errors = [
        read(&files, "cargo.toml"),
        read(&files, "src/mian.rs"),
        read(&files, "nothing/here.txt"),
        read(&files, "Cargo.toml/x"),
        read(&files, "src"),
        read(&files, "/etc/passwd"),
        read(&files, "../secret"),
        read(&files, "a\0b"),
        files.list(Some("Cargo.toml".into())).unwrap_err().to_string(),
        files.read("Cargo.toml".into(), Some(0), None).unwrap_err().to_string(),
        files.search(String::new(), None).unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(errors.join("\n"), @r#"
`cargo.toml` does not exist; did you mean `Cargo.toml`?
`src/mian.rs` does not exist; did you mean `src/main.rs`?
`nothing/here.txt` does not exist: use `list` to see what is there
`Cargo.toml/x` does not exist: use `list` to see what is there
`src` is a directory, a file was expected: use `list` to see what is in it
`/etc/passwd` is an absolute path: paths start at the root directory, which is the limit; write `etc/passwd`, or `.` for the root
`../secret` leads outside the root directory, which is the limit: use a path below it, without `..` beyond the root and without links that leave it
`ab` cannot be a path: it needs at most 4096 bytes and no NUL character
`Cargo.toml` is no directory: use `read` for a file, or list the directory it is in
`from_line` is 0: lines count from 1
the text to search for has 0 characters: give 1 to 200 on one line, as they stand in the file; patterns are not understood
"#);
}

#[test]
fn a_missing_root_is_an_error_for_the_host() {
    let (dir, _files) = project();
    for name in ["missing", "Cargo.toml"] {
        assert!(matches!(Files::new(dir.path().join(name)), Err(FilesError::Root { .. })), "{name}");
    }
}

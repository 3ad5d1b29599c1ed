//! A directory to run the program in.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A script that calls a tool and then answers.
pub(crate) const SCRIPT: &str = r#"{ "steps": [
    { "text": "Let me see.", "calls": [ { "id": "c1", "name": "calculate", "arguments": { "expression": "12.5% * 640" } } ] },
    { "text": "It is 80.", "usage": { "input": 120, "output": 5 } } ] }"#;

/// A directory to run the program in.
pub(crate) struct Bench {
    directory: TempDir,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    /// One with the script in `s.json`.
    pub(crate) fn scripted() -> Self {
        Self::new().with("s.json", SCRIPT)
    }

    pub(crate) fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outrigger"));
        command.args(args).current_dir(self.path()).env_remove("OUTRIGGER_MODEL").env("RUST_BACKTRACE", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Done {
        self.command(args).output().unwrap().into()
    }

    pub(crate) fn run_with_input(&self, args: &[&str], input: impl AsRef<[u8]>) -> Done {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_ref()).unwrap();
        child.wait_with_output().unwrap().into()
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        let done = Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        };
        assert!(!done.stderr.contains("panicked") && !done.stderr.contains("backtrace"), "{done:?}");
        done
    }
}

impl Done {
    /// Standard output as one JSON value.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// Standard output as JSON Lines.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// What stands on standard error beside the notes that nothing was configured.
    pub(crate) fn complaints(&self) -> String {
        let lines = self.stderr.lines().filter(|line| !line.starts_with("note: no "));
        lines.map(|line| format!("{line}\n")).collect()
    }

    /// Everything, for a snapshot.
    pub(crate) fn shown(&self) -> String {
        format!("-- out\n{}-- err\n{}-- exit {:?}\n", self.stdout, self.stderr, self.code.unwrap_or(-1))
    }
}

/// Sends Ctrl-C.
pub(crate) fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

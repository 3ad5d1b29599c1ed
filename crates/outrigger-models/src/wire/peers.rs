//! Bodies against the request types of the providers' own clients, for tests.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The Python that has the clients: `pip install openai anthropic`.
const PYTHON: &str = "OUTRIGGER_PEERS_PYTHON";

/// Checks that the official client of a wire (`chat`, `anthropic`) could have made each of these bodies. Where there is
/// no such Python, the test says so and passes.
pub(crate) fn check(wire: &str, bodies: &[Value]) {
    let Some(python) = std::env::var_os(PYTHON) else {
        eprintln!("skipped: {PYTHON} names no Python with the packages openai and anthropic");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/check_requests.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{PYTHON}: {error}"));
    let lines: String = bodies.iter().map(|body| format!("{}\n", json!({ "wire": wire, "body": body }))).collect();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the script failed");
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), bodies.len());
    for (answer, body) in answers.lines().zip(bodies) {
        assert_eq!(answer, "ok", "{body}");
    }
}

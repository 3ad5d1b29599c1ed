//! The server: a process of its own on a free port, with the fixtures of one test.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// How long Node may take to start.
const START: Duration = Duration::from_secs(60);

/// A running server. It ends with this.
pub(crate) struct Aimock {
    process: Child,
    address: String,
    _fixtures: TempDir,
}

/// A request as the server understood it: either wire's, in the words of chat completions.
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) status: u64,
    pub(crate) body: Value,
}

impl Aimock {
    /// Starts a server that answers by `fixtures`. `None`: there is none here, which was said.
    pub(crate) fn start(fixtures: Vec<Value>) -> Option<Self> {
        let Some(package) = std::env::var_os("OUTRIGGER_AIMOCK").map(PathBuf::from) else {
            println!("skipped: OUTRIGGER_AIMOCK does not name an installed @copilotkit/aimock");
            return None;
        };
        let program = if package.is_dir() { package.join("dist/cli.js") } else { package };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("fixtures.json");
        std::fs::write(&file, json!({ "fixtures": fixtures }).to_string()).unwrap();
        let mut command = Command::new("node");
        command.arg(program).args(["--port", "0", "--validate-on-load", "--fixtures"]).arg(file);
        let mut process = match command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() {
            Ok(process) => process,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                println!("skipped: there is no Node to run @copilotkit/aimock with");
                return None;
            }
            Err(error) => panic!("node cannot be started: {error}"),
        };
        let (tell, told) = mpsc::channel();
        let output = BufReader::new(process.stdout.take().unwrap());
        // Reads on to the end, so that the server never waits for a reader.
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if let Some((_, address)) = line.split_once("listening on http://") {
                    drop(tell.send(address.trim().to_owned()));
                }
            }
        });
        let address = told.recv_timeout(START).expect("the server says where it listens");
        Some(Self { process, address, _fixtures: folder })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, in order.
    pub(crate) fn requests(&self) -> Vec<Request> {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(socket, "GET /__aimock/journal HTTP/1.0\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let entries: Vec<Value> = serde_json::from_str(body).expect("a journal of JSON");
        let request = |entry: Value| Request {
            path: entry["path"].as_str().unwrap().to_owned(),
            status: entry["response"]["status"].as_u64().unwrap_or_default(),
            body: entry["body"].clone(),
        };
        entries.into_iter().map(request).collect()
    }
}

impl Drop for Aimock {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

impl Request {
    /// The conversation, a line for each thing in it.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.body["messages"].as_array().unwrap().iter().flat_map(lines).collect()
    }
}

fn lines(message: &Value) -> Vec<String> {
    let (role, text) = (message["role"].as_str().unwrap(), text(&message["content"]));
    let said = match role {
        "tool" => format!("result of {}: {text}", message["tool_call_id"].as_str().unwrap()),
        // OpenAI's newer name of the role.
        "developer" => format!("system: {text}"),
        _ => format!("{role}: {text}"),
    };
    let calls = message["tool_calls"].as_array().into_iter().flatten().map(|call| {
        let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
        format!("call {}: {} {arguments}", call["id"].as_str().unwrap(), call["function"]["name"].as_str().unwrap())
    });
    let said = Some(said).filter(|_| role != "assistant" || !text.is_empty());
    said.into_iter().chain(calls).collect()
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

//! Models over HTTP (M2, M6, M10): what is sent where, and that no output shows a key.
#![cfg(feature = "http")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::bench::{Bench, Done};

const KEY: &str = "sk-proj-0123/456789+abcdefXYZ=";

/// A server on this machine: each request gets the next answer.
struct Server {
    url: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let seeing = Arc::clone(&seen);
        std::thread::spawn(move || {
            for answer in answers {
                let Ok((mut socket, _)) = listener.accept() else { return };
                seeing.lock().unwrap().push(read(&mut socket));
                drop(socket.write_all(answer.as_bytes()));
            }
        });
        Self { url, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

fn read(socket: &mut TcpStream) -> String {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let count = socket.read(&mut buffer).unwrap();
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if count == 0 || body.len() >= length.parse().unwrap() {
            return text.into_owned();
        }
    }
}

fn answer(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nx-your-key: {KEY}\r\nretry-after-ms: 1\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn chunk(delta: &Value, finish: Option<&str>) -> String {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
    format!("data: {}\n\n", json!({ "id": KEY, "object": "chat.completion.chunk", "model": KEY, "choices": [choice] }))
}

/// A stream that says the key in text, in reasoning, in a call's id, name and arguments, each split.
fn stream(deltas: &[Value], finish: &str) -> String {
    let events: String = deltas.iter().map(|delta| chunk(delta, None)).collect();
    answer("200 OK", &format!(": {KEY}\n\n{events}{}data: [DONE]\n\n", chunk(&json!({}), Some(finish))))
}

fn split(wrap: impl Fn(&str) -> Value) -> Vec<Value> {
    let (one, two) = KEY.split_at(13);
    ["Your key is ", one, two, " indeed."].into_iter().map(wrap).collect()
}

fn file(server: &Server, more: &str) -> String {
    format!(
        "base_url = {:?}\nharnesses = [\"Clock\"]\n[limits]\nretries = 1\n[model]\nname = \"openai:gpt-4o-mini\"\n{more}",
        server.url
    )
}

fn run(bench: &Bench, args: &[&str]) -> Done {
    let mut command = bench.command(args);
    command.env("OPENAI_API_KEY", KEY).env("RUST_LOG", "trace");
    command.output().unwrap().into()
}

/// No eight characters of the key are in the text.
fn assert_hidden(what: &str, text: &str) {
    for window in KEY.as_bytes().windows(8) {
        let window = std::str::from_utf8(window).unwrap();
        assert!(!text.contains(window), "{what} shows {window}:\n{text}");
    }
}

// M2: the key is in no output, whatever the provider says back.
#[test]
fn no_output_shows_the_key() {
    let call = |index, function| json!({ "tool_calls": [{ "index": index, "id": format!("call_{KEY}"), "type": "function", "function": function }] });
    let (one, two) = KEY.split_at(13);
    let calls = [
        call(0, json!({ "name": KEY, "arguments": "" })),
        json!({ "tool_calls": [{ "index": 0, "function": { "arguments": format!("{{\"key\":\"{one}") } }] }),
        json!({ "tool_calls": [{ "index": 0, "function": { "arguments": format!("{two}\"}}") } }] }),
    ];
    let error =
        json!({ "error": { "message": format!("Incorrect API key provided: {KEY}"), "type": "x", "code": KEY } });
    let escaped = error.to_string().replace('/', "\\/");
    let masked = json!({ "error": { "message": format!("wrong: {}***{}", KEY.split_at(14).0, KEY.split_at(17).1) } })
        .to_string();
    let talks = [split(|text| json!({ "content": text })), split(|text| json!({ "reasoning_content": text }))].concat();
    let cases: Vec<(&str, Vec<String>)> = vec![
        ("text and reasoning", vec![stream(&talks, "stop")]),
        ("calls", vec![stream(&calls, "tool_calls"), stream(&talks, "stop")]),
        ("a refusal", vec![answer("400 Bad", &error.to_string())]),
        ("a refusal with escapes", vec![answer("400 Bad", &escaped)]),
        ("a masked key", vec![answer("401 Unauthorized", &masked)]),
        ("a retry", vec![answer("429 Slow", &error.to_string()), answer("503 Busy", &format!("<html>{KEY}"))]),
        ("an error under a success", vec![answer("200 OK", &error.to_string())]),
        ("no stream", vec![answer("200 OK", &json!({ "choices": [KEY] }).to_string())]),
        (
            "an error in the stream",
            vec![answer("200 OK", &format!("data: {error}\n\n")), answer("200 OK", &format!("{{\"x\":\"{KEY}\"}}"))],
        ),
        ("a stray error", vec![answer("200 OK", &format!("{}{error}\n", chunk(&json!({ "content": "a" }), None))); 2]),
        ("a redirect", vec![answer(&format!("307 To\r\nlocation: http://127.0.0.1:1/{KEY}"), "")]),
        ("nonsense", vec![KEY.to_owned(), format!("HTTP/1.1 200 {KEY}\r\n{KEY}\r\n\r\n")]),
    ];
    for (what, answers) in cases {
        let expected = answers.len();
        let server = Server::start(answers);
        let bench = Bench::new().with("agent.toml", file(&server, ""));
        let done = run(&bench, &["run", "Say my key.", "--events", "--json", "--requests", "requests.jsonl"]);
        assert_eq!(server.seen().len(), expected, "{what}: {done:?}");
        assert!(server.seen().iter().all(|seen| seen.contains(&format!("authorization: Bearer {KEY}\r\n"))), "{what}");
        for (output, text) in
            [("stdout", &done.stdout), ("stderr", &done.stderr), ("requests", &bench.read("requests.jsonl"))]
        {
            assert_hidden(&format!("{output} of {what}"), text);
        }
        assert!(!bench.read("requests.jsonl").is_empty() && done.stdout.contains("run_finished"), "{what}: {done:?}");
    }
}

#[test]
fn text_without_events_shows_no_key_either() {
    let server = Server::start(vec![stream(&split(|text| json!({ "content": text })), "stop")]);
    let bench = Bench::new().with("agent.toml", file(&server, ""));
    let done = run(&bench, &["run", "Say my key."]);
    assert_eq!(done.stdout, "Your key is [key] indeed.\n");
}

// M10: `check` says which model, base URL and key are in effect, and never the key.
#[test]
fn check_says_how_the_model_is_reached() {
    let file = "[model]\nname = \"openai:gpt-4o-mini\"\nbase_url = \"http://127.0.0.1:9/v1\"\nfallback = [\"ollama:llama3.2\"]\nheaders = { x-api-token = \"hunter22\" }\n";
    let bench = Bench::new().with("agent.toml", file);
    let done = run(&bench, &["check", "--json"]);
    assert_hidden("check", &format!("{done:?}"));
    let notes: Vec<String> = done.json()["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| note["message"].as_str().unwrap().to_owned())
        .collect();
    let expected = "openai:gpt-4o-mini: http://127.0.0.1:9/v1, key from the environment variable OPENAI_API_KEY, with the headers x-api-token";
    assert!(notes.iter().any(|note| note == expected), "{notes:#?}");
    assert!(
        notes.iter().any(|note| note.starts_with("ollama:llama3.2: http://127.0.0.1:11434/v1, without a key")),
        "{notes:#?}"
    );
    assert!(!format!("{done:?}").contains("hunter22"));
}

// M2: what is missing is told where the file names the model, at once.
#[test]
fn a_missing_key_is_an_error_of_the_file() {
    let file =
        "name = \"a\"\nmodel = { name = \"openai:gpt-4o-mini\", fallback = [\"scripted:none.json\", \"mistral:x\"] }\n";
    let bench = Bench::new().with("agent.toml", file);
    let mut command = bench.command(&["check", "--json"]);
    let done: Done = command.env_remove("OPENAI_API_KEY").env_remove("MISTRAL_API_KEY").output().unwrap().into();
    assert_eq!(done.code, Some(2));
    let errors = done.json()["errors"].as_array().unwrap().clone();
    let places: Vec<(u64, &str)> =
        errors.iter().map(|one| (one["column"].as_u64().unwrap(), one["path"].as_str().unwrap())).collect();
    assert_eq!(places, [(9, "/model"), (52, "/model/fallback/0"), (74, "/model/fallback/1")], "{errors:#?}");
    assert!(errors[0]["message"].as_str().unwrap().contains("OPENAI_API_KEY"), "{errors:#?}");
}

// The next model is asked when the first fails for good.
#[test]
fn a_fallback_answers() {
    let server = Server::start(vec![answer("400 Bad", "no"), stream(&[json!({ "content": "Here." })], "stop")]);
    let fallback = format!(
        "fallback = [{{ name = \"vllm:x\", base_url = {:?}, key = {{ env = \"OPENAI_API_KEY\" }} }}]\n",
        server.url
    );
    let bench = Bench::new().with("agent.toml", file(&server, &fallback));
    assert_eq!(run(&bench, &["run", "Hello?"]).stdout, "Here.\n");
}

// A file that came with somebody else's directory starts nothing and sends nothing elsewhere; one that is named may.
#[test]
fn a_file_that_was_found_is_not_trusted_with_all() {
    let wrong = "model = { name = \"openai:x\", base_url = \"https://models.example/v1\", key = { command = [\"touch\", \"ran\"] }, proxy = \"http://proxy.example\", ca = \"ca.pem\" }\n";
    let bench = Bench::new().with("agent.toml", wrong);
    insta::assert_snapshot!(run(&bench, &["run", "Hello?"]).shown());
    assert!(!bench.path().join("ran").exists());
}

// What the file says is refused where it would be used, and only there.
#[test]
fn a_found_file_is_refused_where_it_would_be_used() {
    let url = "base_url = \"https://models.example/v1\"\n";
    let lone = Bench::new().with("agent.toml", url);
    let with_model = Bench::new().with("agent.toml", format!("{url}model = \"openai:x\"\n"));
    for (bench, asked, code) in [(&lone, "openai:x", 2), (&with_model, "openai:y", 2), (&with_model, "ollama:x", 0)] {
        let done = run(bench, &["check", "--model", asked]);
        assert_eq!(done.code, Some(code), "{asked}: {done:?}");
        assert_eq!(
            done.stderr.matches("choose where conversations are sent").count(),
            usize::from(code == 2),
            "{done:?}"
        );
        assert_eq!(run(bench, &["check", "--model", asked, "--agent", "agent.toml"]).code, Some(0), "{asked}");
    }
}

// A key from a command: relative paths start from the file's directory, and it runs when a key is needed.
#[cfg(unix)]
#[test]
fn a_command_gives_the_key_of_a_named_file() {
    let server = Server::start(vec![stream(&[json!({ "content": "Hi." })], "stop")]);
    let bench = Bench::new()
        .with("sub/key.txt", format!("{KEY}\n"))
        .with("sub/a.toml", file(&server, "key = { command = [\"cat\", \"key.txt\"] }\n"));
    assert_eq!(run(&bench, &["check", "--agent", "sub/a.toml"]).code, Some(0));
    assert_eq!(run(&bench, &["run", "Hello?", "--agent", "sub/a.toml"]).stdout, "Hi.\n");
    assert!(server.seen()[0].contains(&format!("authorization: Bearer {KEY}\r\n")));
}

// `--model` of the file's provider keeps the file's way to it.
#[test]
fn another_model_of_the_same_provider_is_reached_the_same_way() {
    let server = Server::start(vec![stream(&[json!({ "content": "Hi." })], "stop")]);
    let bench = Bench::new().with("agent.toml", file(&server, ""));
    assert_eq!(run(&bench, &["run", "Hello?", "--model", "openai:other"]).stdout, "Hi.\n");
    assert!(server.seen()[0].contains("\"model\":\"other\""));
}

#[test]
fn models_lists_keys_and_whether_they_are_set() {
    let bench = Bench::new();
    let list = run(&bench, &["models", "--json"]).json();
    let openai = list["models"].as_array().unwrap().iter().find(|one| one["name"] == "openai").unwrap().clone();
    assert_eq!(openai["key"], json!({ "variable": "OPENAI_API_KEY", "required": true, "set": true }));
    assert_eq!(openai["base_url"], "https://api.openai.com/v1");
    let told = run(&bench, &["models"]);
    assert_hidden("models", &told.stdout);
    assert!(told.stdout.contains("key in OPENAI_API_KEY, which is set"), "{}", told.stdout);
}

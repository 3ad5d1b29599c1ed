use std::time::Duration;

use outrigger_core::model::ModelErrorKind;

use super::echo::{KEY, access, error, model};
use super::server::{Act, Server, whole};
use crate::wire::key::Key;

// M5: what a provider asks to wait is on the error.
#[tokio::test]
async fn a_refusal_has_its_kind_and_its_wait() {
    let server = Server::start(vec![whole("429 Slow", "retry-after-ms: 1500\r\n", "slow down")]).await;
    let error = error(&model(access(&server.url(), None))).await;
    assert_eq!((error.kind(), error.retry_after()), (ModelErrorKind::RateLimited, Some(Duration::from_millis(1500))));
    assert_eq!(error.to_string(), "429: slow down");
}

// M2: the key is taken out of what a provider says, also in pieces, and also where only JSON's escapes hid it.
#[tokio::test]
async fn a_refusal_shows_no_key() {
    let escaped = format!("\"{}\"", KEY.replace('/', "\\/"));
    let masked = format!("wrong key {}***{}", KEY.split_at(12).0, KEY.split_at(KEY.len() - 9).1);
    let bodies = [format!("wrong key {KEY}"), masked, escaped];
    let server =
        Server::start(bodies.iter().map(|body| whole("400 Bad", &format!("x-echo: {KEY}\r\n"), body)).collect()).await;
    let model = model(access(&server.url(), Some(Key::new(KEY))));
    for expected in ["400: wrong key [key]", "400: wrong key [key]***[key]", "400: [key]"] {
        assert_eq!(error(&model).await.to_string(), expected);
    }
}

#[tokio::test]
async fn a_long_refusal_is_read_in_part() {
    let server = Server::start(vec![whole("400 Bad", "", &"x".repeat(100_000))]).await;
    assert_eq!(error(&model(access(&server.url(), None))).await.to_string().len(), "400: ".len() + 8192);
}

// M2: a refused key is fetched anew for the next request; it is said where it came from.
#[cfg(unix)]
#[tokio::test]
async fn a_refused_key_is_fetched_anew() {
    let server =
        Server::start(vec![whole("401 No", "", "no"), whole("401 No", "", "no"), whole("403 No", "", "no")]).await;
    let directory = tempfile::tempdir().unwrap();
    let script = "echo x >> runs; wc -l < runs";
    let key = Key::command(["sh", "-c", script]).in_directory(directory.path());
    let model = model(access(&server.url(), Some(key)));
    assert_eq!(error(&model).await.to_string(), "401: no (the key came from the command \"sh\")");
    error(&model).await;
    error(&model).await;
    let keys: Vec<String> = server
        .seen()
        .iter()
        .filter_map(|seen| Some(seen.lines().find_map(|line| line.strip_prefix("authorization: Bearer "))?.to_owned()))
        .collect();
    assert_eq!(keys, ["1", "2", "3"]);
}

#[tokio::test]
async fn a_refusal_without_a_key_says_how_to_give_one() {
    let server = Server::start(vec![whole("401 No", "", "no")]).await;
    let told = error(&model(access(&server.url(), None))).await.to_string();
    assert_eq!(told, "401: no (no key was sent: set ECHO_API_KEY)");
}

// M2: the key goes only where it was meant to go.
#[tokio::test]
async fn redirects_are_not_followed() {
    let other = Server::start(vec![]).await;
    let location = format!("location: http://{}/v1/echo?key=1\r\n", other.address);
    let server = Server::start(vec![whole("308 Moved", &location, "")]).await;
    let error = error(&model(access(&server.url(), Some(Key::new(KEY))))).await;
    assert_eq!((error.kind(), other.seen().len()), (ModelErrorKind::Rejected, 0));
    let told = error.to_string();
    assert!(told.contains(&format!("redirects requests to http://{} (308)", other.address)), "{told}");
}

// A server that does not stream, or reports an error as a success, is told as what it is, and not asked again.
#[tokio::test]
async fn an_answer_that_is_no_stream_is_told_as_what_it_is() {
    let json = "content-type: application/json\r\n";
    let error_body = format!(r#"{{"error":{{"message":"no such model {KEY}"}}}}"#);
    let answers = vec![
        whole("200 OK", json, &error_body),
        whole("200 OK", "content-type: text/event-stream\r\n", &format!("\n {error_body}")),
        whole("200 OK", json, r#"{"choices":[{"message":{"content":"hi"}}]}"#),
        whole("200 OK", "content-type: text/html\r\n", "<html>welcome</html>"),
    ];
    let server = Server::start(answers).await;
    let model = model(access(&server.url(), Some(Key::new(KEY))));
    let mut told = Vec::new();
    for _ in 0..4 {
        let error = error(&model).await;
        assert_eq!(error.kind(), ModelErrorKind::Rejected, "{error}");
        told.push(error.to_string());
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test]
async fn an_answer_without_events_is_told() {
    let server = Server::start(vec![
        whole("200 OK", "", ""),
        whole("204 Nothing", "", ""),
        whole("200 OK", "content-type: text/plain\r\n", "busy"),
    ])
    .await;
    let model = model(access(&server.url(), None));
    let mut told = Vec::new();
    for _ in 0..3 {
        let error = error(&model).await;
        assert_eq!(error.kind(), ModelErrorKind::Stream);
        told.push(error.to_string());
    }
    insta::assert_snapshot!(told.join("\n"));
}

// A refusal whose body does not end is told with what came of it.
#[tokio::test]
async fn a_refusal_that_does_not_end_is_told() {
    let act = Act::Send(b"HTTP/1.1 400 Bad\r\ncontent-length: 100\r\n\r\nhalf".to_vec());
    let server = Server::start(vec![vec![act, Act::Hold]]).await;
    assert_eq!(error(&model(access(&server.url(), None))).await.to_string(), "400: half");
}

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use outrigger_core::model::{Model, ModelErrorKind, Part};
use outrigger_core::transcript::Finish;

use super::echo::{KEY, access, ask, error, model, request, run, text, through};
use super::server::{Act, Server, chunk, events, head};
use crate::wire::http::Access;
use crate::wire::key::Key;

const SECONDS: Duration = Duration::from_secs(5);

fn part(text: &str) -> Part {
    Part::Text(text.into())
}

// The body has its length, the key its header; headers of the user's win.
#[tokio::test]
async fn a_request_has_its_length_its_key_and_its_headers() {
    let server = Server::start(vec![events(&["hi", "[DONE]"])]).await;
    let headers = [("x-team", "blue"), ("echo-version", "2")];
    let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
    let model = model(Access { headers, ..access(&server.url(), Some(Key::new(KEY))) });
    let (parts, error) = ask(&model).await;
    assert_eq!(
        (parts, error.map(|error| error.to_string())),
        (vec![Part::Alive, part("hi"), Part::Finish(Finish::Stop)], None)
    );
    let seen = server.seen().remove(0);
    let (head, body) = seen.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /v1/echo HTTP/1.1\r\n"), "{head}");
    let length = format!("content-length: {}", body.len());
    let bearer = format!("authorization: Bearer {KEY}");
    for line in [&length, "content-type: application/json", &bearer, "x-team: blue", "echo-version: 2"] {
        assert_eq!(head.lines().filter(|sent| sent == &line).count(), 1, "{line} in {head}");
    }
    assert!(!head.contains("transfer-encoding") && !head.contains("echo-version: 1"), "{head}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()[0]["parts"][0]["text"], "hello");
}

// M6: the headers are a sign of life, and so is a comment.
#[tokio::test]
async fn headers_and_comments_are_signs_of_life() {
    let server = Server::start(vec![vec![
        head(),
        Act::Gate,
        chunk(": waiting\n\n"),
        Act::Gate,
        chunk("data: [DONE]\n\n"),
        Act::Hold,
    ]])
    .await;
    let model = model(access(&server.url(), None));
    let mut stream = model.stream(request("hello").await, run(SECONDS));
    assert_eq!(stream.next().await.unwrap().unwrap(), Part::Alive);
    server.open_gate();
    assert_eq!(stream.next().await.unwrap().unwrap(), Part::Alive);
    server.open_gate();
    assert_eq!(stream.next().await.unwrap().unwrap(), Part::Finish(Finish::Stop));
}

// Some servers do not close after the last event.
#[tokio::test]
async fn an_answer_that_is_over_does_not_wait_for_the_servers_end() {
    let server =
        Server::start(vec![vec![head(), chunk("data: hi\n\ndata: [DONE]\n\ndata: late\n\n"), Act::Hold]]).await;
    let began = Instant::now();
    let (parts, error) = ask(&model(access(&server.url(), None))).await;
    assert!(error.is_none() && parts.ends_with(&[Part::Finish(Finish::Stop)]), "{parts:?}");
    assert!(began.elapsed() < Duration::from_secs(3));
    server.client_left().await;
}

#[tokio::test]
async fn connections_are_used_again() {
    let server =
        Server::start(vec![events(&["1", "[DONE]"]), events(&["2", "[DONE]"]), events(&["3", "[DONE]"])]).await;
    let model = model(access(&server.url(), None));
    for expected in ["1", "2", "3"] {
        assert_eq!(text(&ask(&model).await.0), expected);
    }
    assert_eq!((server.seen().len(), server.connections()), (3, 1));
}

// R10: cancelling reaches the server, whatever it is doing.
#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    let silent = vec![Act::Hold];
    let talking = vec![head(), chunk("data: hi\n\n"), Act::Hold];
    let server = Server::start(vec![silent, talking]).await;
    let model = model(access(&server.url(), None));
    let request = request("hello").await;
    let mut stream = model.stream(request.clone(), run(SECONDS));
    let waited = tokio::time::timeout(Duration::from_millis(300), stream.next()).await;
    assert!(waited.is_err() && server.seen().len() == 1);
    drop(stream);
    server.client_left().await;
    let mut stream = model.stream(request, run(SECONDS));
    while stream.next().await.unwrap().unwrap() != part("hi") {}
    drop(stream);
    server.client_left().await;
}

// M3: a stream that ends early is an error that says how much came.
#[tokio::test]
async fn a_broken_body_says_how_much_came() {
    let server = Server::start(vec![vec![head(), chunk("data: hi\n\n"), Act::Wait(20), Act::Close]]).await;
    let (parts, error) = ask(&model(access(&server.url(), None))).await;
    let error = error.unwrap();
    assert_eq!((text(&parts).as_str(), error.kind()), ("hi", ModelErrorKind::Stream));
    let told = error.to_string();
    assert!(
        told.starts_with("the connection broke in the middle of the answer, after 10 bytes and 1 events: "),
        "{told}"
    );
}

#[tokio::test]
async fn a_connection_that_closes_without_an_answer_is_told() {
    let server = Server::start(vec![vec![Act::Close], vec![Act::Close], vec![Act::Close]]).await;
    let error = error(&model(access(&server.url(), None))).await;
    assert_eq!(error.kind(), ModelErrorKind::Stream);
    let told = error.to_string();
    assert!(told.contains("broke before its answer began"), "{told}");
}

// Parts that came before an error are there; what only the server's error says is told with it.
#[tokio::test]
async fn an_error_in_the_middle_comes_after_what_was_said() {
    let stray = "data: hi\n\n{\"error\":\"out of memory\"}\n";
    let server = Server::start(vec![
        events(&["one", "bad", "two"]),
        vec![head(), chunk(stray), Act::Send(b"0\r\n\r\n".to_vec())],
    ])
    .await;
    let model = model(access(&server.url(), Some(Key::new(KEY))));
    let (parts, bad) = ask(&model).await;
    assert_eq!((text(&parts).as_str(), bad.unwrap().to_string().as_str()), ("one", "bad: [key]"));
    let (parts, stray) = ask(&model).await;
    let told = stray.unwrap().to_string();
    assert_eq!(
        (text(&parts).as_str(), told.as_str()),
        ("hi", "cut off; the server sent {\"error\":\"out of memory\"}")
    );
}

// M2: the key does not come back in what the model says, however it is split.
#[tokio::test]
async fn a_key_in_the_answer_is_taken_out() {
    let (one, two) = KEY.split_at(11);
    let server = Server::start(vec![events(&["it is ", one, two, ".", "[DONE]"])]).await;
    let (parts, _) = ask(&model(access(&server.url(), Some(Key::new(KEY))))).await;
    assert_eq!(text(&parts), "it is [key].");
}

// M6: a proxy is used where one is named, and its password is shown nowhere.
#[tokio::test]
async fn a_named_proxy_is_used() {
    let proxy = Server::start(vec![events(&["hi", "[DONE]"]), vec![Act::Close]]).await;
    let url = format!("http://me:hunter22@{}", proxy.address);
    let model = model(through(access("http://models.example/v1", None), &url));
    assert_eq!(text(&ask(&model).await.0), "hi");
    let seen = proxy.seen().remove(0);
    assert!(seen.starts_with("POST http://models.example/v1/echo HTTP/1.1"), "{seen}");
    assert!(seen.contains("proxy-authorization: Basic "), "{seen}");
    let told = error(&model).await;
    assert!(!format!("{told} {told:?}").contains("hunter22"));
}

// M6: without a connection nothing is sent, and it is said to where there is none.
#[tokio::test]
async fn no_connection_is_told_with_its_server() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = error(&model(access(&format!("http://127.0.0.1:{port}/v1/private"), Some(Key::new(KEY))))).await;
    assert_eq!(error.kind(), ModelErrorKind::Connect);
    let told = error.to_string();
    assert!(told.starts_with(&format!("no connection to http://127.0.0.1:{port}: ")), "{told}");
    assert!(told.contains("refused") && !told.contains("private"), "{told}");
}

// M6: the connect time-out includes the handshake.
#[tokio::test]
async fn connecting_has_a_time_out() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/v1", silent.local_addr().unwrap());
    let model = model(access(&url, None));
    let began = Instant::now();
    let mut stream = model.stream(request("hello").await, run(Duration::from_millis(200)));
    let error = stream.next().await.unwrap().unwrap_err();
    assert!(began.elapsed() < Duration::from_secs(3));
    assert_eq!(error.kind(), ModelErrorKind::Connect);
    assert!(error.to_string().ends_with("within 200ms"), "{error}");
}

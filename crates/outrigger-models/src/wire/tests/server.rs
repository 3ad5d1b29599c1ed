//! A server that says what a test tells it to.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// What the server does for one request.
#[derive(Clone)]
pub(super) enum Act {
    Send(Vec<u8>),
    Wait(u64),
    /// Until the test says so.
    Gate,
    /// Nothing more until the client goes away.
    Hold,
    Close,
}

pub(super) struct Server {
    pub(super) address: SocketAddr,
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    answers: Mutex<VecDeque<Vec<Act>>>,
    seen: Mutex<Vec<String>>,
    connections: Mutex<u32>,
    gate: Notify,
    left: Notify,
}

/// An answer of this status line, these headers and this body, whose length is told.
pub(super) fn whole(status: &str, headers: &str, body: &str) -> Vec<Act> {
    let length = body.len();
    vec![Act::Send(format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}").into_bytes())]
}

/// The head of a streamed answer.
pub(super) fn head() -> Act {
    Act::Send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n".to_vec())
}

/// A chunk of a streamed answer.
pub(super) fn chunk(text: &str) -> Act {
    Act::Send(format!("{:x}\r\n{text}\r\n", text.len()).into_bytes())
}

/// A streamed answer of events, with its end.
pub(super) fn events(data: &[&str]) -> Vec<Act> {
    let chunks = data.iter().map(|data| chunk(&format!("data: {data}\n\n")));
    std::iter::once(head()).chain(chunks).chain([Act::Send(b"0\r\n\r\n".to_vec())]).collect()
}

impl Server {
    /// A server that gives these answers in turn.
    pub(super) async fn start(answers: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Shared::new(answers);
        let serving = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(Arc::clone(&serving).serve(socket));
            }
        });
        Self { address, shared }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Every request so far, its head and its body.
    pub(super) fn seen(&self) -> Vec<String> {
        self.shared.seen.lock().unwrap().clone()
    }

    pub(super) fn connections(&self) -> u32 {
        *self.shared.connections.lock().unwrap()
    }

    pub(super) fn open_gate(&self) {
        self.shared.gate.notify_one();
    }

    /// Waits until a client has gone away from an answer that holds.
    pub(super) async fn client_left(&self) {
        tokio::time::timeout(Duration::from_secs(5), self.shared.left.notified()).await.expect("the client goes away");
    }
}

impl Shared {
    pub(super) fn new(answers: Vec<Vec<Act>>) -> Arc<Self> {
        Arc::new(Self {
            answers: Mutex::new(answers.into()),
            seen: Mutex::default(),
            connections: Mutex::default(),
            gate: Notify::new(),
            left: Notify::new(),
        })
    }

    pub(super) async fn serve(self: Arc<Self>, mut socket: impl AsyncRead + AsyncWrite + Unpin) {
        *self.connections.lock().unwrap() += 1;
        while let Some(request) = read_request(&mut socket).await {
            self.seen.lock().unwrap().push(request);
            let acts =
                self.answers.lock().unwrap().pop_front().unwrap_or_else(|| whole("500 No", "", "no more answers"));
            for act in acts {
                match act {
                    Act::Send(bytes) => {
                        if socket.write_all(&bytes).await.is_err() {
                            self.left.notify_one();
                            return;
                        }
                        drop(socket.flush().await);
                    }
                    Act::Wait(time) => tokio::time::sleep(Duration::from_millis(time)).await,
                    Act::Gate => self.gate.notified().await,
                    Act::Hold => {
                        while socket.read_u8().await.is_ok() {}
                        self.left.notify_one();
                        return;
                    }
                    Act::Close => return,
                }
            }
        }
    }
}

async fn read_request(socket: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |text| text.parse().unwrap());
        if body.len() >= length {
            return Some(text.into_owned());
        }
    }
}

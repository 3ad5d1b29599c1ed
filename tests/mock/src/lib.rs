//! A provider on this machine that plays a script on a real wire.
//!
//! The script is that of the scripted model, so that one script can be played in process and over each wire, and the
//! outcomes compared. It is a test's tool: whatever is wrong with a script or a request panics.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test's tool")]

mod anthropic;
mod chat;
mod frames;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use frames::{Frame, Frames};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use outrigger_models::scripted::{OnEnd, Script, ScriptStep};
use serde_json::Value;
use tokio::net::TcpListener;

/// Which wire the script is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// OpenAI chat completions.
    Chat,
    /// Anthropic messages.
    Anthropic,
}

/// What a request was.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The path.
    pub path: String,
    /// The headers, lowercase.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

/// A provider that plays a script. It serves as long as its executor lives.
pub struct Mock {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    wire: Wire,
    script: Script,
    next: AtomicUsize,
    seen: Mutex<Vec<Seen>>,
    /// How many readers went away before their answer's end.
    left: AtomicUsize,
}

impl Mock {
    /// Serves `script` on a port of its own.
    pub async fn start(wire: Wire, script: Script) -> Self {
        Self::start_on(wire, script, 0).await
    }

    /// Serves `script` on `port`.
    pub async fn start_on(wire: Wire, script: Script, port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared {
            wire,
            script,
            next: AtomicUsize::new(0),
            seen: Mutex::default(),
            left: AtomicUsize::new(0),
        });
        tokio::spawn(accept(listener, Arc::clone(&shared)));
        Self { address, shared }
    }

    /// The base URL as clients are given it.
    pub fn base_url(&self) -> String {
        match self.shared.wire {
            Wire::Chat => format!("http://{}/v1", self.address),
            Wire::Anthropic => format!("http://{}", self.address),
        }
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// Waits until a reader has gone away before its answer's end.
    pub async fn reader_left(&self) {
        while self.shared.left.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((socket, _)) = listener.accept().await else { return };
        drop(socket.set_nodelay(true));
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let service = service_fn(|request| answer(Arc::clone(&shared), request));
            // A reader that goes away in the middle is part of the play.
            drop(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service).await);
        });
    }
}

type Body = http_body_util::combinators::UnsyncBoxBody<Bytes, std::io::Error>;

async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("a whole body").to_bytes();
    let header = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    shared.seen.lock().unwrap().push(Seen {
        path: parts.uri.path().to_owned(),
        headers: parts.headers.iter().map(header).collect(),
        body: serde_json::from_slice(&body).expect("a body of JSON"),
    });
    let Some(step) = shared.take() else {
        return Ok(refusal(400, None, r#"{"error":{"message":"the script is over"}}"#.to_owned()));
    };
    tokio::time::sleep(Duration::from_millis(step.delay_ms)).await;
    if let Some(fault) = &step.error {
        let body = match shared.wire {
            Wire::Chat => chat::refusal(fault),
            Wire::Anthropic => anthropic::refusal(fault),
        };
        return Ok(refusal(fault.status.unwrap_or(400), fault.retry_after_ms, body));
    }
    let frames = match shared.wire {
        Wire::Chat => chat::frames(&step),
        Wire::Anthropic => anthropic::frames(&step),
    };
    Ok(streamed(shared, frames))
}

impl Shared {
    fn take(&self) -> Option<ScriptStep> {
        let next = self.next.fetch_add(1, Ordering::SeqCst);
        match self.script.on_end {
            OnEnd::Repeat => self.script.steps.get(next).or(self.script.steps.last()).cloned(),
            OnEnd::Fail => self.script.steps.get(next).cloned(),
        }
    }
}

fn refusal(status: u16, retry_after_ms: Option<u64>, body: String) -> Response<Body> {
    let mut response = Response::builder().status(status).header("content-type", "application/json");
    if let Some(wait) = retry_after_ms {
        response = response.header("retry-after-ms", wait.to_string());
    }
    let body = http_body_util::Full::new(Bytes::from(body)).map_err(|never| match never {});
    response.body(body.boxed_unsync()).expect("a sound response")
}

fn streamed(shared: Arc<Shared>, frames: Frames) -> Response<Body> {
    let watch = Reader { shared: Arc::clone(&shared), done: false };
    let stream = futures_util::stream::unfold((frames, watch), |(mut frames, mut watch)| async move {
        loop {
            match frames.next() {
                Some(Frame::Wait(time)) => tokio::time::sleep(time).await,
                Some(Frame::Send(bytes)) => {
                    return Some((Ok(hyper::body::Frame::data(bytes)), (frames, watch)));
                }
                Some(Frame::Drop) => {
                    watch.done = true;
                    return Some((Err(std::io::Error::other("dropped by the script")), (frames, watch)));
                }
                None => {
                    watch.done();
                    return None;
                }
            }
        }
    });
    let response = Response::builder().header("content-type", "text/event-stream");
    response.body(StreamBody::new(stream).boxed_unsync()).expect("a sound response")
}

/// Notes a reader that leaves before the end.
struct Reader {
    shared: Arc<Shared>,
    done: bool,
}

impl Reader {
    fn done(mut self) {
        self.done = true;
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if !self.done {
            self.shared.left.fetch_add(1, Ordering::SeqCst);
        }
    }
}

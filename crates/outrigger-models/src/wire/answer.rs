//! A streamed answer as parts.

use std::collections::VecDeque;
use std::mem;
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use futures_util::stream;
use outrigger_core::model::{ModelError, ModelErrorKind, Part};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

use super::Decode;
use super::client::deepest;
use super::http::read_refusal;
use super::redact::{Flow, Redactor};
use super::sse::{Sse, SseError, SseLimits};

/// The most bytes of one answer: a hundred times the longest that models write.
const MOST_BYTES: u64 = 256 << 20;

/// How long the end of the body is waited for when the answer is over, so that the connection can be used again.
const LINGER: Duration = Duration::from_millis(250);

/// What an error that came instead of an answer says, by its status and its text.
pub(crate) type Refusal = Box<dyn Fn(u16, &str) -> ModelError + Send>;

/// A streamed answer whose headers have come.
pub(crate) struct Answer {
    response: Response,
    sse: Sse,
    decoder: Box<dyn Decode>,
    refusal: Refusal,
    redactor: Redactor,
    flow: Flow,
    /// What events became, before secrets are taken out.
    decoded: Vec<Part>,
    ready: VecDeque<Part>,
    failed: Option<ModelError>,
    stage: Stage,
    bytes: u64,
    events: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing but white space has come.
    Begun,
    /// Events come.
    Reading,
    /// The answer is over, the body is not.
    Lingering,
    Over,
}

impl Answer {
    pub(crate) fn new(response: Response, decoder: Box<dyn Decode>, redactor: Redactor, refusal: Refusal) -> Self {
        Self {
            response,
            sse: Sse::new(SseLimits::DEFAULT),
            decoder,
            refusal,
            flow: Flow::new(redactor.clone()),
            redactor,
            decoded: Vec::new(),
            ready: VecDeque::from([Part::Alive]),
            failed: None,
            stage: Stage::Begun,
            bytes: 0,
            events: 0,
        }
    }

    /// Its parts: first that its headers are there. Dropping the stream closes the connection, and with it the server
    /// learns that nobody reads on.
    pub(crate) fn parts(self) -> impl Stream<Item = Result<Part, ModelError>> + Send {
        // In a box, as it moves with every part.
        stream::unfold(Box::new(self), |mut answer| async move { answer.next().await.map(|part| (part, answer)) })
    }

    async fn next(&mut self) -> Option<Result<Part, ModelError>> {
        loop {
            if let Some(part) = self.ready.pop_front() {
                return Some(Ok(part));
            }
            if let Some(error) = self.failed.take() {
                self.stage = Stage::Over;
                return Some(Err(self.redactor.clean_error(error)));
            }
            match self.stage {
                Stage::Over => return None,
                Stage::Lingering => {
                    self.stage = Stage::Over;
                    let rest = async { while let Ok(Some(_)) = self.response.chunk().await {} };
                    // A server that holds the connection open loses it.
                    drop(tokio::time::timeout(LINGER, rest).await);
                }
                Stage::Begun | Stage::Reading => {
                    if let Err(error) = self.read().await {
                        self.failed = Some(error);
                    }
                }
            }
        }
    }

    async fn read(&mut self) -> Result<(), ModelError> {
        match self.response.chunk().await {
            Ok(Some(chunk)) => self.take(&chunk).await,
            Ok(None) => {
                let Self { sse, decoder, decoded, events, .. } = self;
                let told = sse.end(|name, data| event(&mut **decoder, name, data, decoded, events));
                told.and_then(|()| self.end())
            }
            Err(error) => Err(self.broken(error)),
        }
    }

    async fn take(&mut self, chunk: &Bytes) -> Result<(), ModelError> {
        self.bytes = self.bytes.saturating_add(chunk.len() as u64);
        if self.bytes > MOST_BYTES {
            let message = format!("the answer has more than {MOST_BYTES} bytes; it is not read on");
            return Err(ModelError::new(ModelErrorKind::Rejected, message));
        }
        if self.stage == Stage::Begun {
            match first_of(chunk) {
                Some(b'{' | b'[' | b'<') => return Err(self.no_stream(chunk).await),
                Some(_) => self.stage = Stage::Reading,
                None => {}
            }
        }
        let Self { sse, decoder, decoded, events, .. } = self;
        let told = sse.feed(chunk, |name, data| event(&mut **decoder, name, data, decoded, events));
        self.pass();
        told?;
        if self.decoder.is_done() {
            self.end()?;
            self.stage = Stage::Lingering;
        } else if self.ready.is_empty() {
            self.ready.push_back(Part::Alive);
        }
        Ok(())
    }

    /// Everything has come.
    fn end(&mut self) -> Result<(), ModelError> {
        let ended = if self.events == 0 { Err(self.nothing()) } else { self.decoder.end(&mut self.decoded) };
        self.pass();
        self.stage = Stage::Over;
        match (ended, self.sse.stray()) {
            (Err(error), Some(stray)) => {
                Err(ModelError::new(error.kind(), format!("{error}; the server sent {stray}")))
            }
            (ended, _) => ended,
        }
    }

    fn pass(&mut self) {
        for part in mem::take(&mut self.decoded) {
            self.flow.pass(part, &mut self.ready);
        }
    }

    fn broken(&self, error: reqwest::Error) -> ModelError {
        let cause = deepest(&error.without_url());
        let message = format!(
            "the connection broke in the middle of the answer, after {} bytes and {} events: {cause}",
            self.bytes, self.events
        );
        ModelError::new(ModelErrorKind::Stream, message)
    }

    fn nothing(&self) -> ModelError {
        let message = format!(
            "the server answered {} with {} bytes of {}, and no event was in them",
            self.response.status().as_u16(),
            self.bytes,
            self.content_type()
        );
        ModelError::new(ModelErrorKind::Stream, message)
    }

    /// Some servers answer with one body, or report an error under a status of success, in spite of `stream: true`.
    async fn no_stream(&mut self, begun: &Bytes) -> ModelError {
        let status = self.response.status().as_u16();
        let kind = self.content_type();
        let body = read_refusal(&mut self.response, begun.to_vec()).await;
        let body = self.redactor.clean(body.trim_start_matches('\u{feff}').trim_start());
        let json: Option<serde_json::Value> = serde_json::from_str(&body).ok();
        let is_error = json.as_ref().and_then(|json| json.get("error")).is_some_and(|error| !error.is_null());
        if is_error {
            return (self.refusal)(status, &body);
        }
        let message = if body.starts_with('<') {
            format!("the server answered {status} with a web page ({kind}), not with a stream: is the base URL right?")
        } else {
            let shown: String = body.chars().take(200).collect();
            format!(
                "the server answered {status} with one body of {kind} in spite of `stream: true`; only servers that \
                 stream can be used: {shown}"
            )
        };
        ModelError::new(ModelErrorKind::Rejected, message)
    }

    fn content_type(&self) -> String {
        let kind = self.response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or("no named type");
        self.redactor.clean(kind).chars().take(80).collect()
    }
}

fn event(
    decoder: &mut dyn Decode,
    name: &str,
    data: &str,
    decoded: &mut Vec<Part>,
    events: &mut u64,
) -> Result<(), ModelError> {
    *events = events.saturating_add(1);
    decoder.event(name, data, decoded)
}

/// The first byte that is neither white space nor of a byte order mark.
fn first_of(chunk: &[u8]) -> Option<u8> {
    chunk.iter().copied().find(|byte| !byte.is_ascii_whitespace() && !matches!(byte, 0xEF | 0xBB | 0xBF))
}

/// Sending the request again would bring the same line.
impl From<SseError> for ModelError {
    fn from(error: SseError) -> Self {
        Self::new(ModelErrorKind::Rejected, error.to_string())
    }
}

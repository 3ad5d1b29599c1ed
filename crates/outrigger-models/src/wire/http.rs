//! A model behind HTTP: its key, its requests, its refusals.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};
use std::vec;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use http_body::{Frame, SizeHint};
use outrigger_core::handle::RunHandle;
use outrigger_core::model::{Encode, Item, Model, ModelError, ModelErrorKind, ModelProfile, Part, SealedRequest};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Response, StatusCode, Url};
use secrecy::SecretString;

use super::answer::Answer;
use super::client::{self, ClientOptions, Clients, ProxyChoice, deepest};
use super::key::{Credential, KeyHolder};
use super::redact::Redactor;
use super::{Body, Protocol, wait};

/// The most bytes that are read of an answer which is no stream.
const MOST_REFUSAL: usize = 8 << 10;

/// The longest such an answer is read for: what came by then is told.
const LONGEST_REFUSAL: Duration = Duration::from_secs(5);

/// How a model is reached.
pub(crate) struct Access {
    /// Where requests go, without the protocol's path.
    pub(crate) base: Url,
    /// The key; `None`: none is sent.
    pub(crate) key: Option<KeyHolder>,
    /// Headers of the user's, which win over ours.
    pub(crate) headers: HeaderMap,
    /// The proxy; `None`: the system's.
    pub(crate) proxy: Option<ProxyChoice>,
    /// Certificates that are trusted beside the system's.
    pub(crate) roots: Vec<rustls::pki_types::CertificateDer<'static>>,
    /// What someone may do who has no key, for an error.
    pub(crate) keyless: String,
}

/// A model that speaks `P`.
pub(crate) struct HttpModel<P> {
    inner: Arc<Inner<P>>,
}

struct Inner<P> {
    protocol: P,
    url: Url,
    key: Option<KeyHolder>,
    key_header: HeaderName,
    headers: HeaderMap,
    clients: Clients,
    /// Takes out secrets other than the key.
    redactor: Redactor,
    keyless: String,
}

impl<P: Protocol> HttpModel<P> {
    pub(crate) fn new(protocol: P, access: Access) -> Self {
        let Access { base, key, headers, proxy, roots, keyless } = access;
        let mut all = HeaderMap::new();
        all.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in protocol.headers() {
            all.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let secrets: Vec<SecretString> =
            proxy.iter().filter_map(|proxy| proxy.secret.clone()).chain(secret_headers(&headers)).collect();
        all.extend(headers);
        let inner = Inner {
            url: client::endpoint(&base, protocol.path()),
            key_header: HeaderName::from_static(protocol.key_header().0),
            protocol,
            key,
            headers: all,
            clients: Clients::new(ClientOptions { base, proxy, roots }),
            redactor: Redactor::new(secrets),
            keyless,
        };
        Self { inner: Arc::new(inner) }
    }
}

/// Values of headers that carry credentials by their name.
fn secret_headers(headers: &HeaderMap) -> impl Iterator<Item = SecretString> {
    const SIGNS: [&str; 6] = ["auth", "key", "token", "secret", "cookie", "password"];
    let secret = headers.iter().filter(|(name, _)| SIGNS.iter().any(|sign| name.as_str().contains(sign)));
    // Of `Bearer abc` the second word is the secret.
    let words = secret.filter_map(|(_, value)| value.to_str().ok()?.split_whitespace().next_back());
    words.map(SecretString::from).collect::<Vec<_>>().into_iter()
}

impl<P: Protocol> Encode for HttpModel<P> {
    fn profile(&self) -> &ModelProfile {
        self.inner.protocol.profile()
    }

    fn encode(&self, item: Item<'_>) -> Arc<[u8]> {
        self.inner.protocol.encode(item)
    }
}

impl<P: Protocol> Model for HttpModel<P> {
    fn stream(&self, request: Arc<SealedRequest>, run: RunHandle) -> BoxStream<'static, Result<Part, ModelError>> {
        let inner = Arc::clone(&self.inner);
        let asked = async move { inner.ask(&request, run.timeouts().connect).await };
        stream::once(asked).map_ok(Answer::parts).try_flatten().boxed()
    }
}

impl<P: Protocol> Inner<P> {
    /// Sends the request and waits for the headers of its answer.
    async fn ask(self: &Arc<Self>, request: &SealedRequest, connect: Duration) -> Result<Answer, ModelError> {
        let key = match &self.key {
            Some(holder) => Some(holder.get().await?),
            None => None,
        };
        let redactor = key.as_ref().map_or_else(|| self.redactor.clone(), |key| self.redactor.and(&key.redactor));
        let mut headers = HeaderMap::new();
        if let Some(key) = &key {
            headers.insert(self.key_header.clone(), key.header.clone());
        }
        headers.extend(self.headers.clone());
        let body = reqwest::Body::wrap(Pieces::from(self.protocol.body(request)));
        let sent = self.clients.get(connect)?.post(self.url.clone()).headers(headers).body(body).send().await;
        let response = sent.map_err(|error| redactor.clean_error(self.not_sent(error, connect)))?;
        let status = response.status();
        if !status.is_success() {
            let error = self.refused(response, key.as_ref(), &redactor).await;
            return Err(redactor.clean_error(error));
        }
        let inner = Arc::clone(self);
        let refusal = Box::new(move |status, body: &str| inner.protocol.refusal(status, body));
        Ok(Answer::new(response, self.protocol.decoder(), redactor, refusal))
    }

    /// Why a request got no answer at all.
    fn not_sent(&self, error: reqwest::Error, connect: Duration) -> ModelError {
        let error = error.without_url();
        let proxy = self.clients.options().proxy.as_ref();
        let through = proxy.map(|proxy| format!(" through {}", proxy.shown)).unwrap_or_default();
        let server = format!("{}{through}", host(&self.url));
        if error.is_connect() && error.is_timeout() {
            return ModelError::new(ModelErrorKind::Connect, format!("no connection to {server} within {connect:?}"));
        }
        let cause = deepest(&error);
        if error.is_connect() {
            return ModelError::new(ModelErrorKind::Connect, format!("no connection to {server}: {cause}"));
        }
        if error.is_builder() {
            return ModelError::new(
                ModelErrorKind::Rejected,
                format!("the request to {server} cannot be made: {cause}"),
            );
        }
        let message = format!("the connection to {server} broke before its answer began: {cause}");
        ModelError::new(ModelErrorKind::Stream, message)
    }

    /// What an answer of a status that is no success says.
    async fn refused(&self, mut response: Response, key: Option<&Arc<Credential>>, redactor: &Redactor) -> ModelError {
        let status = response.status();
        let wait = wait::asked(response.headers(), SystemTime::now());
        if status.is_redirection() {
            return self.redirected(status, response.headers());
        }
        if let (StatusCode::UNAUTHORIZED, Some(holder), Some(key)) = (status, &self.key, key) {
            holder.refused(key).await;
        }
        let body = read_refusal(&mut response, Vec::new()).await;
        let mut error = self.protocol.refusal(status.as_u16(), &redactor.clean(&body));
        if error.kind() == ModelErrorKind::Unauthorized {
            let about = match &self.key {
                Some(holder) => format!("the key came from {}", holder.key()),
                None => format!("no key was sent: {}", self.keyless),
            };
            error = ModelError::new(ModelErrorKind::Unauthorized, format!("{error} ({about})"));
        }
        match wait {
            Some(wait) => error.with_retry_after(wait),
            None => error,
        }
    }

    fn redirected(&self, status: StatusCode, headers: &HeaderMap) -> ModelError {
        let to = headers.get(LOCATION).and_then(|to| self.url.join(to.to_str().ok()?).ok());
        let to = to.map(|to| format!(" to {}", host(&to))).unwrap_or_default();
        let message = format!(
            "{} redirects requests{to} ({}); redirects are not followed, as the key would go with them: set the base URL \
             to where it redirects",
            host(&self.url),
            status.as_u16(),
        );
        ModelError::new(ModelErrorKind::Rejected, message)
    }
}

/// A server without what may be secret in its URL.
fn host(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or_default())
}

/// Reads on after `begun`, up to a bound of size and time.
pub(super) async fn read_refusal(response: &mut Response, begun: Vec<u8>) -> String {
    let mut body = begun;
    let read = async {
        while body.len() < MOST_REFUSAL {
            match response.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) | Err(_) => return,
            }
        }
    };
    // What came by then is what there is to tell.
    drop(tokio::time::timeout(LONGEST_REFUSAL, read).await);
    body.truncate(MOST_REFUSAL);
    String::from_utf8_lossy(&body).into_owned()
}

/// A body as HTTP sends it: its length is known, its pieces are not copied.
struct Pieces {
    pieces: vec::IntoIter<Bytes>,
    left: u64,
}

impl From<Body> for Pieces {
    fn from(body: Body) -> Self {
        Self { left: body.len(), pieces: body.into_pieces().into_iter() }
    }
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let piece = self.pieces.next();
        self.left = self.left.saturating_sub(piece.as_ref().map_or(0, |piece| piece.len() as u64));
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

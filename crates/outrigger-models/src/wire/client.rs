//! The HTTP client: made at the first request, kept for the next ones.

use std::io::Read;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use outrigger_core::model::{ModelError, ModelErrorKind};
use reqwest::{Client, Proxy, Url, redirect};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;
use secrecy::SecretString;

/// The most bytes of a file of certificates.
const MOST_CA_BYTES: u64 = 1 << 20;

/// The most clients that are kept: agents that share a model rarely differ in their time-outs.
const MOST_CLIENTS: usize = 4;

/// How long a connection that nobody uses is kept.
const KEPT_IDLE: Duration = Duration::from_secs(90);

/// What clients are made of.
pub(crate) struct ClientOptions {
    /// Where they connect to.
    pub(crate) base: Url,
    /// The proxy; `None`: the system's, but for this machine.
    pub(crate) proxy: Option<ProxyChoice>,
    /// Certificates that are trusted beside the system's.
    pub(crate) roots: Vec<CertificateDer<'static>>,
}

/// A proxy that was asked for.
pub(crate) struct ProxyChoice {
    proxy: Proxy,
    /// Its address without name and password.
    pub(crate) shown: String,
    /// Its password.
    pub(crate) secret: Option<SecretString>,
}

/// One client a connect time-out.
pub(crate) struct Clients {
    options: ClientOptions,
    made: Mutex<Vec<(Duration, Client)>>,
}

impl Clients {
    pub(crate) fn new(options: ClientOptions) -> Self {
        Self { options, made: Mutex::default() }
    }

    pub(crate) fn options(&self) -> &ClientOptions {
        &self.options
    }

    /// The client whose connections take at most `connect`.
    pub(crate) fn get(&self, connect: Duration) -> Result<Client, ModelError> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, client)) = made.iter().find(|(of, _)| *of == connect) {
            return Ok(client.clone());
        }
        let client = self.options.client(connect)?;
        if made.len() >= MOST_CLIENTS {
            made.remove(0);
        }
        made.push((connect, client.clone()));
        Ok(client)
    }
}

impl ClientOptions {
    fn client(&self, connect: Duration) -> Result<Client, ModelError> {
        let builder = Client::builder()
            .user_agent(concat!("outrigger/", env!("CARGO_PKG_VERSION")))
            // A redirect would carry the key and the conversation to somewhere nobody named.
            .redirect(redirect::Policy::none())
            .referer(false)
            .connect_timeout(connect)
            .pool_idle_timeout(KEPT_IDLE)
            .tls_backend_preconfigured(self.tls()?);
        let builder = match &self.proxy {
            Some(choice) => builder.proxy(choice.proxy.clone()),
            None if is_this_machine(&self.base) => builder.no_proxy(),
            None => builder,
        };
        builder.build().map_err(|error| {
            let message = format!("the HTTP client cannot be made: {}", deepest(&error.without_url()));
            ModelError::new(ModelErrorKind::Connect, message)
        })
    }

    /// What is trusted: what the system trusts, and the certificates that were given. Without encryption nothing is read,
    /// so that a server on this machine works where the system has no certificates.
    fn tls(&self) -> Result<ClientConfig, ModelError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let encrypted = self.base.scheme() == "https" || self.proxy.is_some();
        let made = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
        let made = made.and_then(|builder| {
            if !encrypted {
                return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
            }
            let verifier = Verifier::new_with_extra_roots(self.roots.iter().cloned(), provider)?;
            Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
        });
        made.map_err(|error| {
            let message = format!("the certificates to trust cannot be read: {error}; name them with `ca`");
            ModelError::new(ModelErrorKind::Connect, message)
        })
    }
}

/// A base URL as it is used: HTTP or HTTPS, no name, password or query in it, no slash at its end.
pub(crate) fn base_url(text: &str) -> Result<Url, ModelError> {
    let wrong = |what: &str| refused(format!("the base URL {what}; it is written like https://example.com/v1"));
    let url = Url::parse(text.trim()).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("begins with neither http:// nor https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("holds a name or a password: give the key apart from it"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("holds a `?` or a `#`"));
    }
    Ok(url)
}

/// Where requests go: the path after the base. What people copy with the base URL is not said twice.
pub(crate) fn endpoint(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    let before = url.path().trim_end_matches('/').to_owned();
    let version = path.get(1..).and_then(|path| path.split_once('/')).map(|(first, _)| format!("/{first}"));
    let before = match version {
        _ if before.ends_with(path) => before.trim_end_matches(path),
        Some(version) if version == "/v1" => before.strip_suffix(version.as_str()).unwrap_or(&before),
        _ => &before,
    };
    url.set_path(&format!("{before}{path}"));
    url
}

/// Whether it is a server on this machine.
pub(crate) fn is_this_machine(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || host.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Whether a URL is of a server on this machine. Text that is no URL is not.
#[must_use]
pub fn is_url_of_this_machine(url: &str) -> bool {
    Url::parse(url.trim()).is_ok_and(|url| is_this_machine(&url))
}

/// A proxy by its URL, with name and password if it wants them.
pub(crate) fn proxy(text: &str) -> Result<ProxyChoice, ModelError> {
    // The text may hold a password: it is not repeated.
    let wrong = |what: &str| refused(format!("the proxy URL {what}; it is written like http://proxy.example:3128"));
    let url = Url::parse(text.trim()).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    if !matches!(url.scheme(), "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h") {
        return Err(wrong("begins with neither http://, https:// nor socks5://"));
    }
    let Some(host) = url.host_str() else { return Err(wrong("names no host")) };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let shown = format!("{}://{host}{port}", url.scheme());
    let secret = url.password().map(SecretString::from);
    let proxy = Proxy::all(url.as_str()).map_err(|error| wrong(&deepest(&error.without_url())))?;
    Ok(ProxyChoice { proxy, shown, secret })
}

/// The certificates of a PEM file.
pub(crate) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, ModelError> {
    let wrong = |what: String| refused(format!("the file of certificates {} {what}", path.display()));
    let unread = |error: std::io::Error| wrong(format!("cannot be read: {error}"));
    if !std::fs::metadata(path).map_err(unread)?.is_file() {
        return Err(wrong("is no ordinary file".to_owned()));
    }
    let mut text = Vec::new();
    let file = std::fs::File::open(path).map_err(unread)?;
    file.take(MOST_CA_BYTES.saturating_add(1)).read_to_end(&mut text).map_err(unread)?;
    if text.len() as u64 > MOST_CA_BYTES {
        return Err(wrong(format!("has more than {MOST_CA_BYTES} bytes")));
    }
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let found = found.map_err(|error| wrong(format!("is not PEM: {error}")))?;
    if found.is_empty() {
        return Err(wrong("holds no certificate: PEM is expected, with `-----BEGIN CERTIFICATE-----`".to_owned()));
    }
    // A root that cannot be used would only be told as a connection that fails.
    let mut store = RootCertStore::empty();
    for (index, certificate) in found.iter().enumerate() {
        let number = index.saturating_add(1);
        store
            .add(certificate.clone())
            .map_err(|error| wrong(format!("has an unusable certificate {number}: {error}")))?;
    }
    Ok(found)
}

/// What caused an error in the end, in its own words.
pub(crate) fn deepest(error: &(dyn std::error::Error + 'static)) -> String {
    let mut deepest = error;
    while let Some(cause) = deepest.source() {
        deepest = cause;
    }
    deepest.to_string()
}

fn refused(message: String) -> ModelError {
    ModelError::new(ModelErrorKind::Rejected, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(base: &str, path: &str) -> String {
        endpoint(&base_url(base).unwrap(), path).to_string()
    }

    #[test]
    fn the_path_stands_after_the_base_once() {
        let chat = "/chat/completions";
        assert_eq!(at("https://a.example/v1", chat), "https://a.example/v1/chat/completions");
        assert_eq!(at("https://a.example/v1/", chat), "https://a.example/v1/chat/completions");
        assert_eq!(at("https://a.example", chat), "https://a.example/chat/completions");
        assert_eq!(at("https://a.example/v1/chat/completions", chat), "https://a.example/v1/chat/completions");
        for base in ["https://a.example", "https://a.example/", "https://a.example/v1", "https://a.example/v1/messages"]
        {
            assert_eq!(at(base, "/v1/messages"), "https://a.example/v1/messages", "{base}");
        }
    }

    #[test]
    fn a_base_url_that_cannot_be_used_says_what_is_wrong() {
        let told: Vec<String> =
            ["api.example", "ftp://a", "https://me:pass@a", "https://a/v1?key=secret", "https://", ""]
                .iter()
                .map(|text| base_url(text).unwrap_err().to_string())
                .collect();
        assert!(told.iter().all(|told| !told.contains("pass@") && !told.contains("secret")), "{told:#?}");
        insta::assert_snapshot!(told.join("\n"));
    }

    #[test]
    fn a_proxy_is_shown_without_its_password() {
        let choice = proxy("http://me:hunter22@proxy.example:3128").unwrap();
        assert_eq!(choice.shown, "http://proxy.example:3128");
        for wrong in ["proxy.example:hunter22", "ftp://me:hunter22@a", ""] {
            let told = proxy(wrong).err().unwrap().to_string();
            assert!(!told.contains("hunter22"), "{told}");
        }
    }

    #[test]
    fn this_machine_has_several_names() {
        for (url, here) in [
            ("http://localhost:1", true),
            ("http://127.0.0.1", true),
            ("http://127.1.2.3:80", true),
            ("http://[::1]:80", true),
            ("http://a.localhost", true),
            ("http://192.168.0.1", false),
            ("http://localhost.example", false),
        ] {
            assert_eq!(is_this_machine(&Url::parse(url).unwrap()), here, "{url}");
        }
    }

    #[test]
    fn a_file_without_certificates_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ca.pem");
        let begun = "-----BEGIN CERTIFICATE-----\nbm8=\n-----END CERTIFICATE-----\n";
        for (text, what) in [
            ("", "holds no certificate"),
            (begun, "unusable certificate 1"),
            ("-----BEGIN CERTIFICATE-----\n", "is not PEM"),
        ] {
            std::fs::write(&path, text).unwrap();
            let told = certificates(&path).unwrap_err().to_string();
            assert!(told.contains(what), "{told}");
        }
        assert!(certificates(directory.path()).is_err() && certificates(&directory.path().join("none")).is_err());
    }

    #[test]
    fn clients_are_kept_by_their_time_out() {
        let options = ClientOptions { base: base_url("http://localhost:1").unwrap(), proxy: None, roots: Vec::new() };
        let clients = Clients::new(options);
        for seconds in [1, 1, 2, 3, 4, 5, 6] {
            clients.get(Duration::from_secs(seconds)).unwrap();
        }
        assert_eq!(clients.made.lock().unwrap().len(), MOST_CLIENTS);
    }
}

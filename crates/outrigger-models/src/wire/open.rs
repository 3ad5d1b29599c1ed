//! From what was asked for to a model over HTTP.

use std::sync::Arc;

use outrigger_core::model::{ModelError, ModelErrorKind};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::Protocol;
use super::client;
use super::http::{Access, HttpModel};
use super::key::{Key, KeyHolder};
use crate::choice::OpenOptions;
use crate::providers::{Endpoint, Opened, Provider};

/// The model of a provider over HTTP, which speaks what `protocol` makes for the model's name.
pub(crate) fn open<P: Protocol>(
    provider: &Provider,
    model: &str,
    options: &OpenOptions,
    protocol: impl FnOnce(&str) -> Result<P, ModelError>,
) -> Opened {
    let model = model.trim();
    if model.is_empty() {
        return Err(refused(format!("{0} needs the name of a model: write {0}:MODEL", provider.name)));
    }
    let Some(endpoint) = provider.endpoint() else {
        return Err(refused(format!("{} is not asked over HTTP", provider.name)));
    };
    let protocol = protocol(model)?;
    let (key_header, before) = protocol.key_header();
    let headers = headers(&options.headers)?;
    let key = match key(provider, endpoint, options, headers.contains_key(key_header))? {
        Some(key) => Some(KeyHolder::open(key, before)?),
        None => None,
    };
    let access = Access {
        base: base(provider, endpoint, options)?,
        key,
        headers,
        proxy: options.proxy.as_deref().map(client::proxy).transpose()?,
        roots: options.ca.as_deref().map(client::certificates).transpose()?.unwrap_or_default(),
        keyless: missing_key(provider.name, endpoint.key_variable),
    };
    Ok(Arc::new(HttpModel::new(protocol, access)))
}

fn base(provider: &Provider, endpoint: Endpoint, options: &OpenOptions) -> Result<Url, ModelError> {
    match options.base_url.as_deref().or(endpoint.base_url) {
        Some(url) => client::base_url(url),
        None => Err(refused(format!("{} needs a base URL: give it as `base_url`", provider.name))),
    }
}

/// The key that was named, else that of the environment. Only at the provider's own place there must be one.
fn key(
    provider: &Provider,
    endpoint: Endpoint,
    options: &OpenOptions,
    in_headers: bool,
) -> Result<Option<Key>, ModelError> {
    let Endpoint { key_variable, needs_key, .. } = endpoint;
    match chosen_key(endpoint, options) {
        Some(key) => Ok(Some(key)),
        None if needs_key && !in_headers && options.base_url.is_none() => {
            Err(ModelError::new(ModelErrorKind::Unauthorized, missing_key(provider.name, key_variable)))
        }
        None => Ok(None),
    }
}

fn chosen_key(endpoint: Endpoint, options: &OpenOptions) -> Option<Key> {
    let set = || std::env::var_os(endpoint.key_variable).is_some_and(|value| !value.is_empty());
    options.key.clone().or_else(|| set().then(|| Key::env(endpoint.key_variable)))
}

/// That a key is missing, and every way to give one.
pub(crate) fn missing_key(provider: &str, variable: &str) -> String {
    format!(
        "{provider} needs a key: set the environment variable {variable}, or name another one, a file or a command \
         (`key = {{ env = … }}`, `{{ file = … }}` or `{{ command = […] }}` in the agent file, `key(…)` in code)"
    )
}

fn headers(given: &[(String, String)]) -> Result<HeaderMap, ModelError> {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let name: HeaderName =
            name.parse().map_err(|_| refused(format!("no header can be called {name:?}: letters, digits and `-`")))?;
        let value = HeaderValue::from_str(value);
        let mut value =
            value.map_err(|_| refused(format!("the value of the header {name} is no line of printable ASCII")))?;
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok(headers)
}

/// How a model is reached, for people. What cannot be used is not told here but when the model is opened.
pub(crate) fn route(provider: &Provider, options: &OpenOptions) -> Option<String> {
    let endpoint = provider.endpoint()?;
    let base = base(provider, endpoint, options).ok()?;
    let mut route = base.to_string();
    match chosen_key(endpoint, options) {
        Some(key) => {
            route.push_str(&format!(", key from {key}"));
            if base.scheme() == "http" && !client::is_this_machine(&base) {
                route.push_str(", sent unencrypted");
            }
        }
        None => route.push_str(&format!(", without a key ({} is not set)", endpoint.key_variable)),
    }
    if let Some(proxy) = options.proxy.as_deref().and_then(|proxy| client::proxy(proxy).ok()) {
        route.push_str(&format!(", through {}", proxy.shown));
    }
    if !options.headers.is_empty() {
        let names: Vec<&str> = options.headers.iter().map(|(name, _)| name.as_str()).collect();
        route.push_str(&format!(", with the headers {}", names.join(", ")));
    }
    if let Some(ca) = &options.ca {
        route.push_str(&format!(", trusting {} as well", ca.display()));
    }
    Some(route)
}

fn refused(message: String) -> ModelError {
    ModelError::new(ModelErrorKind::Rejected, message)
}

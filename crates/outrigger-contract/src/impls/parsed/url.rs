//! URLs.

use url::Url;

super::parsed! {
    Url, Some("uri"), "a URL such as \"https://example.org/\"", |text: &str| Url::parse(text).ok(), ToString::to_string;
}

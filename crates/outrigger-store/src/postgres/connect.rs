//! Connections: kept ones for calls, and what each begins with.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use outrigger_core::session::StoreError;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::Config;
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long connecting, and waiting for a kept connection, may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// The server, as its URL and the options say.
pub(super) fn config(url: &str, schema: &str) -> Result<Config, StoreError> {
    // What is wrong is told without the URL, which holds a password.
    let mut config: Config = url.parse().map_err(|error| failed(&error))?;
    let own = format!("-c search_path={schema} -c synchronous_commit=on -c client_min_messages=warning");
    let options = match config.get_options() {
        Some(options) => format!("{options} {own}"),
        None => own,
    };
    config.options(options);
    if config.get_application_name().is_none() {
        config.application_name("outrigger");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    Ok(config)
}

/// Connections are kept, and made when one is missing.
pub(super) fn pool(config: &Config, tls: &MakeRustlsConnect, connections: usize) -> Result<Pool, StoreError> {
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config.clone(), tls.clone(), recycling);
    let pool = Pool::builder(manager)
        .max_size(connections.max(1))
        .runtime(Runtime::Tokio1)
        .create_timeout(Some(PATIENCE))
        .wait_timeout(Some(PATIENCE))
        .recycle_timeout(Some(PATIENCE));
    pool.build().map_err(StoreError::failed)
}

/// Encryption as the URL's `sslmode` asks for it, certificates checked against those the system trusts.
pub(super) fn tls() -> Result<MakeRustlsConnect, StoreError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(StoreError::failed)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// An error of the server, with what it says.
pub(super) fn failed(error: &tokio_postgres::Error) -> StoreError {
    use std::error::Error;
    let said = match error.source() {
        Some(source) => format!("postgres: {error}: {source}"),
        None => format!("postgres: {error}"),
    };
    StoreError::failed(said)
}

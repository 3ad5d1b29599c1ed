use std::sync::Arc;

use outrigger_core::model::ModelErrorKind;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::echo::{access, ask, error, model, text};
use super::server::{Shared, events};
use crate::wire::client::certificates;
use crate::wire::http::Access;

// M6: a certificate authority of one's own is trusted where it is named, and nowhere else.
#[tokio::test]
async fn a_named_authority_is_trusted() {
    let mut authority = CertificateParams::default();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate =
        CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key).unwrap();

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/v1", listener.local_addr().unwrap().port());
    let shared = Shared::new(vec![events(&["hi", "[DONE]"])]);
    tokio::spawn(async move {
        let acceptor = TlsAcceptor::from(Arc::new(config));
        while let Ok((socket, _)) = listener.accept().await {
            let (acceptor, shared) = (acceptor.clone(), Arc::clone(&shared));
            tokio::spawn(async move {
                if let Ok(socket) = acceptor.accept(socket).await {
                    shared.serve(socket).await;
                }
            });
        }
    });

    let stranger = error(&model(access(&url, None))).await;
    assert_eq!(stranger.kind(), ModelErrorKind::Connect);
    assert!(stranger.to_string().contains("certificate"), "{stranger}");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("ca.pem");
    std::fs::write(&path, authority.pem()).unwrap();
    let roots = certificates(&path).unwrap();
    let (parts, told) = ask(&model(Access { roots, ..access(&url, None) })).await;
    assert_eq!((text(&parts).as_str(), told.map(|error| error.to_string())), ("hi", None));
}

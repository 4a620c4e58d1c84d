//! A certificate with its key and its authorities, and the configurations of TLS made from them.

use std::fmt;
use std::io;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{VerifierBuilderError, WebPkiClientVerifier};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use webpki::EndEntityCert;

use super::expiry::not_after;

/// gRPC is HTTP/2.
const ALPN: &[u8] = b"h2";

/// The contents of the three files.
#[derive(Clone, PartialEq, Eq)]
pub struct Pem {
    pub certificate: Vec<u8>,
    pub key: Vec<u8>,
    pub authorities: Vec<u8>,
}

impl fmt::Debug for Pem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pem").finish_non_exhaustive()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("{path}: {error}")]
    File { path: String, error: io::Error },
    #[error("the {part}: {error}")]
    Pem { part: &'static str, error: pem::Error },
    #[error("the certificate must have one DNS name, the name of its service")]
    Name,
    #[error(transparent)]
    Rustls(#[from] rustls::Error),
    #[error("the authorities: {0}")]
    Authorities(#[from] VerifierBuilderError),
}

pub(super) struct Identity {
    pub pem: Pem,
    pub name: Arc<str>,
    pub server: Arc<ServerConfig>,
    pub client: Arc<ClientConfig>,
    pub expires_at: Option<DateTime<Utc>>,
}

impl Identity {
    pub fn parse(pem: Pem) -> Result<Self, TlsError> {
        let chain = certificates(&pem.certificate, "certificate")?;
        let leaf = chain.first().ok_or(TlsError::Name)?;
        let name = name_of(leaf).ok_or(TlsError::Name)?;
        let expires_at = not_after(leaf);
        let key =
            PrivateKeyDer::from_pem_slice(&pem.key).map_err(|error| TlsError::Pem { part: "key", error })?;
        let mut authorities = RootCertStore::empty();
        for authority in certificates(&pem.authorities, "authorities")? {
            authorities.add(authority)?;
        }
        let authorities = Arc::new(authorities);
        Ok(Self {
            server: Arc::new(server(authorities.clone(), chain.clone(), key.clone_key())?),
            client: Arc::new(client(authorities, chain, key)?),
            name,
            pem,
            expires_at,
        })
    }

    pub fn export_expiry(&self) {
        let seconds = self.expires_at.and_then(|at| u32::try_from(at.timestamp()).ok());
        metrics::gauge!("grpc_certificate_expires_at_seconds", "service" => self.name.to_string())
            .set(f64::from(seconds.unwrap_or_default()));
    }
}

/// The one DNS name of a certificate.
pub(super) fn name_of(certificate: &CertificateDer<'_>) -> Option<Arc<str>> {
    let certificate = EndEntityCert::try_from(certificate).ok()?;
    let mut names = certificate.valid_dns_names();
    let name = names.next()?;
    names.next().is_none().then(|| Arc::from(name))
}

fn certificates(pem: &[u8], part: &'static str) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    CertificateDer::pem_slice_iter(pem)
        .collect::<Result<_, _>>()
        .map_err(|error| TlsError::Pem { part, error })
}

fn server(
    authorities: Arc<RootCertStore>,
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<ServerConfig, TlsError> {
    let verifier = WebPkiClientVerifier::builder_with_provider(authorities, provider()).build()?;
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()?
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![ALPN.to_vec()];
    Ok(config)
}

fn client(
    authorities: Arc<RootCertStore>,
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<ClientConfig, TlsError> {
    let mut config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()?
        .with_root_certificates(authorities)
        .with_client_auth_cert(chain, key)?;
    config.alpn_protocols = vec![ALPN.to_vec()];
    Ok(config)
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

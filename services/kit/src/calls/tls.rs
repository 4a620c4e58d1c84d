//! Mutual TLS between services: the certificate of a process, its verification by the other side, and its rotation.
//!
//! The identity of a process is the one DNS name in its certificate: `checkout`, `gateway`, `editor`. Both sides of a connection
//! present a certificate of a shared authority. The client requires the name of the called service, whatever its address.

mod authority;
mod expiry;
mod handshake;
mod identity;
mod peer;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use chrono::{DateTime, Utc};
use rustls::{ClientConfig, ServerConfig};
use tokio_util::sync::CancellationToken;

pub use authority::{Authority, Issued};
pub(crate) use handshake::incoming;
use identity::Identity;
pub use identity::{Pem, TlsError};
pub(crate) use peer::Peer;

/// Orchestrators replace files without a signal, so the files are read again.
const RELOAD_INTERVAL: Duration = Duration::from_secs(2);

/// `GRPC_CERT_FILE`, `GRPC_KEY_FILE`, `GRPC_CA_FILE`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFiles {
    pub certificate: PathBuf,
    pub key: PathBuf,
    /// Several authorities during a rotation.
    pub authorities: PathBuf,
}

impl CertificateFiles {
    fn read(&self) -> Result<Pem, TlsError> {
        let read = |path: &PathBuf| {
            std::fs::read(path).map_err(|error: io::Error| TlsError::File {
                path: path.display().to_string(),
                error,
            })
        };
        Ok(Pem {
            certificate: read(&self.certificate)?,
            key: read(&self.key)?,
            authorities: read(&self.authorities)?,
        })
    }
}

/// The current certificate of this process. Clones share it. New connections use the newest one; open connections stay.
#[derive(Clone)]
pub struct Tls {
    files: Option<CertificateFiles>,
    current: Arc<RwLock<Arc<Identity>>>,
}

impl Tls {
    pub fn load(files: CertificateFiles) -> Result<Self, TlsError> {
        let pem = files.read()?;
        Ok(Self {
            files: Some(files),
            ..Self::from_pem(pem)?
        })
    }

    /// A certificate that is never replaced.
    pub fn from_pem(pem: Pem) -> Result<Self, TlsError> {
        let identity = Identity::parse(pem)?;
        Ok(Self {
            files: None,
            current: Arc::new(RwLock::new(Arc::new(identity))),
        })
    }

    /// The name in the certificate.
    pub fn name(&self) -> Arc<str> {
        self.identity().name.clone()
    }

    /// `None` if the time cannot be read.
    pub fn expires_at(&self) -> Option<DateTime<Utc>> {
        self.identity().expires_at
    }

    /// Whether this certificate, key and authorities are in use.
    pub fn is_current(&self, pem: &Pem) -> bool {
        self.identity().pem == *pem
    }

    pub(crate) fn server(&self) -> Arc<ServerConfig> {
        self.identity().server.clone()
    }

    pub(crate) fn client(&self) -> Arc<ClientConfig> {
        self.identity().client.clone()
    }

    /// Replaces the certificate when its files have changed, until `stop`. Invalid files leave the previous certificate in use.
    pub(crate) async fn follow(self, stop: CancellationToken) {
        self.identity().export_expiry();
        let Some(files) = self.files.clone() else {
            return;
        };
        let mut rejected = None;
        while stop
            .run_until_cancelled(tokio::time::sleep(RELOAD_INTERVAL))
            .await
            .is_some()
        {
            let files = files.clone();
            match tokio::task::spawn_blocking(move || files.read()).await {
                Ok(Ok(pem)) => self.replace(pem, &mut rejected),
                Ok(Err(error)) => {
                    tracing::error!(%error, "certificate not read; the previous one stays in use");
                }
                Err(error) => tracing::error!(%error, "reading of the certificate panicked"),
            }
        }
    }

    /// `rejected` are the invalid contents that are already in the log.
    fn replace(&self, pem: Pem, rejected: &mut Option<Pem>) {
        let previous = self.identity();
        if pem == previous.pem || rejected.as_ref() == Some(&pem) {
            return;
        }
        match Identity::parse(pem.clone()) {
            Ok(identity) if identity.name == previous.name => {
                tracing::info!(name = %identity.name, "certificate replaced");
                identity.export_expiry();
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(identity);
                *rejected = None;
            }
            Ok(identity) => {
                tracing::error!(name = %identity.name, previous = %previous.name, "certificate of another name; the previous one stays in use");
                *rejected = Some(pem);
            }
            Err(error) => {
                tracing::error!(%error, "certificate not valid; the previous one stays in use");
                *rejected = Some(pem);
            }
        }
    }

    fn identity(&self) -> Arc<Identity> {
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tls").field(&self.name()).finish()
    }
}

#[cfg(test)]
mod tests;

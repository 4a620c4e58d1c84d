//! Certificates of tests: an authority, and files to configure a process with.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use tonic::transport::Channel;

use crate::clock::Clock;
use crate::rpc;
use crate::tls::{Authority, CertificateFiles, Pem, Tls};

/// An authority of tests. Certificates begin at the time of the machine, which verifies them.
#[derive(Debug)]
pub struct Certificates {
    authority: Authority,
    by_name: Mutex<BTreeMap<String, Tls>>,
}

static SHARED: LazyLock<Certificates> = LazyLock::new(Certificates::new);
static FOLDERS: AtomicUsize = AtomicUsize::new(0);

impl Certificates {
    /// An authority of its own, trusted by none of the hosts.
    ///
    /// # Panics
    /// When the machine has no randomness.
    #[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
    pub fn new() -> Self {
        Self {
            authority: Authority::create(Clock::system().now()).expect("an authority"),
            by_name: Mutex::default(),
        }
    }

    /// The authority of all hosts of this test process.
    pub fn shared() -> &'static Self {
        &SHARED
    }

    /// The certificate of the authority, in PEM.
    pub fn authority(&self) -> &str {
        self.authority.certificate()
    }

    /// # Panics
    /// When `name` is no DNS name.
    #[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
    pub(super) fn tls(&self, name: &str) -> Tls {
        let mut by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tls) = by_name.get(name) {
            return tls.clone();
        }
        let tls = Tls::from_pem(self.pem(name)).expect("a certificate");
        by_name.insert(name.to_owned(), tls.clone());
        tls
    }

    /// A new certificate and key.
    ///
    /// # Panics
    /// When `name` is no DNS name.
    #[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
    pub fn pem(&self, name: &str) -> Pem {
        let issued = self.authority.issue(name, Clock::system().now());
        let issued = issued.expect("a certificate");
        Pem {
            certificate: issued.certificate.into_bytes(),
            key: issued.key.into_bytes(),
            authorities: self.authority().as_bytes().to_vec(),
        }
    }

    /// Connects to `service` with the certificate of `caller`; without the deadline of [`crate::rpc::Rpc`].
    ///
    /// # Panics
    /// When `address` is not `https://host:port`.
    #[expect(
        clippy::expect_used,
        reason = "a test that is set up wrongly should fail there"
    )]
    pub fn channel(&self, caller: &str, service: &str, address: &str) -> Channel {
        rpc::channel(service, address, Some(self.tls(caller))).expect("an https address")
    }
}

impl Default for Certificates {
    fn default() -> Self {
        Self::new()
    }
}

/// The certificate of one process in files. Dropped, it deletes them.
#[derive(Debug)]
pub struct CertificateFolder {
    folder: PathBuf,
}

impl CertificateFolder {
    /// # Panics
    /// When the files cannot be written.
    #[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
    pub fn new(pem: &Pem) -> Self {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("stillpoint-certificates-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder of its own");
        let created = Self { folder };
        created.write(pem);
        created
    }

    /// Replaces the files, as an orchestrator does.
    ///
    /// # Panics
    /// When the files cannot be written.
    pub fn write(&self, pem: &Pem) {
        let files = self.files();
        replace(&files.authorities, &pem.authorities);
        replace(&files.key, &pem.key);
        replace(&files.certificate, &pem.certificate);
    }

    pub fn files(&self) -> CertificateFiles {
        CertificateFiles {
            certificate: self.folder.join("cert.pem"),
            key: self.folder.join("key.pem"),
            authorities: self.folder.join("ca.pem"),
        }
    }

    /// The variables of a process with these files.
    pub fn env(&self) -> [(&'static str, PathBuf); 3] {
        let files = self.files();
        [
            ("GRPC_CERT_FILE", files.certificate),
            ("GRPC_KEY_FILE", files.key),
            ("GRPC_CA_FILE", files.authorities),
        ]
    }
}

impl Drop for CertificateFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
fn replace(path: &Path, contents: &[u8]) {
    let temporary = path.with_extension("new");
    fs::write(&temporary, contents).expect("a writable folder");
    fs::rename(&temporary, path).expect("a writable folder");
}

//! Certificates and authorities are replaced under load without a failed call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use kit::rpc::ServiceDirectory;
use kit::testing::{CertificateFolder, Certificates, TestHost};
use kit::tls::{Pem, Tls};
use proto::analytics::v1::SummarizeRequest;
use proto::analytics::v1::analytics_service_client::AnalyticsServiceClient;
use tokio::task::JoinSet;

use super::callers::analytics;
use super::script;
use crate::support::eventually;

const CALLERS: usize = 200;
/// These connect for each call.
const CONNECTING: usize = 4;

/// One side: its files and the certificate in use.
struct Side {
    name: &'static str,
    folder: CertificateFolder,
    tls: Tls,
}

impl Side {
    fn new(host: &TestHost, name: &'static str, certificates: &Certificates) -> Self {
        let folder = CertificateFolder::new(&certificates.pem(name));
        let tls = host.follow_certificate(folder.files());
        Self { name, folder, tls }
    }

    /// Returns once the certificate of `of` is in use, with trust in `trusted`.
    async fn replace(&self, of: &Certificates, trusted: &[&Certificates]) {
        let authorities: String = trusted.iter().map(|trusted| trusted.authority()).collect();
        let pem = Pem {
            authorities: authorities.into_bytes(),
            ..of.pem(self.name)
        };
        self.folder.write(&pem);
        eventually("the certificate is replaced", async || self.tls.is_current(&pem)).await;
    }
}

async fn call(directory: &ServiceDirectory) -> Result<(), tonic::Status> {
    let mut client = AnalyticsServiceClient::new(directory.client("analytics"));
    let request = SummarizeRequest { days: script::ANSWER };
    client.summarize(request).await.map(|_| ())
}

/// Whether a new connection as the gateway is answered.
async fn is_answered(host: &TestHost, certificates: &Certificates, trusted: &Certificates) -> bool {
    let pem = Pem {
        authorities: trusted.authority().as_bytes().to_vec(),
        ..certificates.pem("gateway")
    };
    let tls = Tls::from_pem(pem).unwrap();
    call(&host.with_certificate(&tls)).await.is_ok()
}

/// Callers without a pause until `done`. Each returns its failures.
struct Load {
    callers: JoinSet<Vec<String>>,
    done: Arc<AtomicBool>,
    calls: Arc<AtomicUsize>,
}

impl Load {
    fn start(host: &Arc<TestHost>, tls: &Tls) -> Self {
        let mut load = Self {
            callers: JoinSet::new(),
            done: Arc::default(),
            calls: Arc::default(),
        };
        let shared = host.with_certificate(tls);
        for number in 0..CALLERS {
            let (done, calls) = (load.done.clone(), load.calls.clone());
            let (host, tls, shared) = (host.clone(), tls.clone(), shared.clone());
            load.callers.spawn(async move {
                let mut failures = Vec::new();
                while !done.load(Ordering::Relaxed) {
                    let outcome = if number < CONNECTING {
                        call(&host.with_certificate(&tls)).await
                    } else {
                        call(&shared).await
                    };
                    failures.extend(outcome.err().map(|status| status.to_string()));
                    calls.fetch_add(1, Ordering::Relaxed);
                }
                failures
            });
        }
        load
    }

    /// Returns once many more calls are answered.
    async fn goes_on(&self) {
        let before = self.calls.load(Ordering::Relaxed);
        eventually("calls are answered", async || {
            self.calls.load(Ordering::Relaxed) >= before + 2 * CALLERS
        })
        .await;
    }

    async fn finish(mut self) {
        self.done.store(true, Ordering::Relaxed);
        while let Some(failures) = self.callers.join_next().await {
            assert_eq!(failures.unwrap(), Vec::<String>::new());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_and_the_authority_are_replaced_under_load() {
    let host = TestHost::without_database().await;
    let (old, new) = (Certificates::new(), Certificates::new());
    let server = Side::new(&host, "analytics", &old);
    let client = Side::new(&host, "gateway", &old);
    let addr = host.listen_with(analytics(), &server.tls).await;
    let host = Arc::new(host.with_env([("ANALYTICS_URL", format!("https://{addr}"))]));
    let load = Load::start(&host, &client.tls);
    load.goes_on().await;
    assert!(!is_answered(&host, &new, &old).await);

    // 1. Both sides trust both authorities.
    server.replace(&old, &[&old, &new]).await;
    client.replace(&old, &[&old, &new]).await;
    assert!(is_answered(&host, &new, &old).await);
    load.goes_on().await;
    // 2. Certificates of the new authority.
    server.replace(&new, &[&old, &new]).await;
    client.replace(&new, &[&old, &new]).await;
    assert!(
        !is_answered(&host, &new, &old).await,
        "the server has the new one"
    );
    assert!(is_answered(&host, &old, &new).await);
    load.goes_on().await;
    // 3. The old authority is no longer trusted.
    server.replace(&new, &[&new]).await;
    client.replace(&new, &[&new]).await;
    assert!(!is_answered(&host, &old, &new).await);
    assert!(is_answered(&host, &new, &new).await);
    load.goes_on().await;
    load.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_files_leave_the_certificate_in_use() {
    let host = TestHost::without_database().await;
    let certificates = Certificates::new();
    let server = Side::new(&host, "analytics", &certificates);
    let addr = host.listen_with(analytics(), &server.tls).await;
    let host = host.with_env([("ANALYTICS_URL", format!("https://{addr}"))]);
    let broken = Pem {
        key: b"no key".to_vec(),
        ..certificates.pem("analytics")
    };
    server.folder.write(&broken);
    assert!(is_answered(&host, &certificates, &certificates).await);
    // Valid files are taken up again.
    server.replace(&certificates, &[&certificates]).await;
    assert!(!server.tls.is_current(&broken));
    assert!(is_answered(&host, &certificates, &certificates).await);
}

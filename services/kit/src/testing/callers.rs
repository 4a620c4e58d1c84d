//! Callers of tests, and services on real ports.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpListener;

use super::{Certificates, TestHost};
use crate::config::Env;
use crate::rpc::{CallerRules, Exempt, LocalServices, ServiceDirectory};
use crate::run::{Port, ServiceDefinition};
use crate::tls::{CertificateFiles, Peer, Tls};

/// The caller of a test's own calls. Services of a host exempt it from their rules.
const TEST: &str = "test";

impl TestHost {
    /// Calls as the service `name`, in this process and with its certificate in others.
    pub fn as_caller(&self, name: &str) -> ServiceDirectory {
        let tls = Certificates::shared().tls(name);
        self.context.directory.as_process(Peer::named(name), Some(tls))
    }

    /// Calls without a name, and without TLS.
    pub fn as_unknown_caller(&self) -> ServiceDirectory {
        self.context.directory.as_process(Peer::UNKNOWN, None)
    }

    /// Calls with this certificate, over connections of their own.
    pub fn with_certificate(&self, tls: &Tls) -> ServiceDirectory {
        let caller = Peer::named(tls.name());
        self.context.directory.as_process(caller, Some(tls.clone()))
    }

    /// The certificate in these files, which may be replaced.
    ///
    /// # Panics
    /// When the files are not valid.
    #[expect(
        clippy::expect_used,
        reason = "a test that is set up wrongly should fail there"
    )]
    pub fn follow_certificate(&self, files: CertificateFiles) -> Tls {
        let tls = Tls::load(files).expect("valid certificates");
        tokio::spawn(tls.clone().follow(self.context.shutdown.clone()));
        tls
    }

    /// [`TestHost::run`], and listens on a real port as well: with TLS, health, reflection and HTTP/2 in between.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn listen(&self, part: ServiceDefinition) -> SocketAddr {
        let tls = Certificates::shared().tls(part.name);
        self.listen_on(part, Some(tls)).await
    }

    /// [`TestHost::listen`] without TLS.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn listen_without_tls(&self, part: ServiceDefinition) -> SocketAddr {
        self.listen_on(part, None).await
    }

    /// [`TestHost::listen`] with this certificate.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn listen_with(&self, part: ServiceDefinition, tls: &Tls) -> SocketAddr {
        self.listen_on(part, Some(tls.clone())).await
    }

    #[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
    async fn listen_on(&self, part: ServiceDefinition, tls: Option<Tls>) -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .expect("a free port");
        let addr = listener.local_addr().expect("an address");
        let listening = Port {
            listener,
            rules: rules(&part),
            tls,
        };
        self.run_and_serve(part, Some(listening)).await;
        addr
    }
}

/// All services without a configured address are in this process. The caller is the test.
pub(super) fn directory(env: &Env) -> ServiceDirectory {
    let tls = Certificates::shared().tls(TEST);
    ServiceDirectory::new(env.clone(), LocalServices::AllWithoutAddress, Some(tls)).as_caller(TEST)
}

/// The declared callers and the test. A part without declared callers is a stand-in for a service of another crate: all may call it.
pub(super) fn rules(part: &ServiceDefinition) -> CallerRules {
    let callers = part.access.callers;
    let exempt = if callers.is_empty() {
        Exempt::All
    } else {
        Exempt::Name(TEST)
    };
    CallerRules::new(callers).exempting(exempt)
}

//! Only a declared caller with a certificate of the shared authority is answered.

use kit::error::Failure;
use kit::rpc::ServiceDirectory;
use kit::run::{Access, Caller, ServiceDefinition};
use kit::testing::{Certificates, TestHost};
use kit::tls::Tls;
use proto::analytics::v1::analytics_service_client::AnalyticsServiceClient;
use proto::analytics::v1::{ExportMemberRequest, RecordWebEventsRequest, SummarizeRequest};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::{Code, Status};

pub const ACCESS: Access = Access {
    callers: &[
        Caller {
            name: "gateway",
            grpc_service: "stillpoint.analytics.v1.AnalyticsService",
            rpcs: &["Summarize", "RecordWebEvents"],
        },
        Caller {
            name: "auth",
            grpc_service: "stillpoint.analytics.v1.AnalyticsService",
            rpcs: &["ExportMember"],
        },
    ],
    ..Access::NONE
};

pub fn analytics() -> ServiceDefinition {
    super::analytics().access(ACCESS)
}

async fn summarize(directory: &ServiceDirectory) -> Result<(), Status> {
    let mut client = AnalyticsServiceClient::new(directory.client("analytics"));
    client.summarize(SummarizeRequest { days: 1 }).await.map(|_| ())
}

async fn record(directory: &ServiceDirectory) -> Result<(), Status> {
    let mut client = AnalyticsServiceClient::new(directory.client("analytics"));
    client
        .record_web_events(RecordWebEventsRequest::default())
        .await
        .map(|_| ())
}

async fn export(directory: &ServiceDirectory) -> Result<(), Status> {
    let mut client = AnalyticsServiceClient::new(directory.client("analytics"));
    client
        .export_member(ExportMemberRequest::default())
        .await
        .map(|_| ())
}

/// The status and the public code.
fn denial(outcome: Result<(), Status>) -> (Code, String) {
    let status = outcome.unwrap_err();
    (status.code(), Failure::from_status(&status).code)
}

fn not_allowed() -> (Code, String) {
    (Code::PermissionDenied, "CALLER_NOT_ALLOWED".to_owned())
}

fn unknown() -> (Code, String) {
    (Code::Unauthenticated, "CALLER_UNKNOWN".to_owned())
}

/// The host's calls go through the port.
async fn over_network() -> TestHost {
    let host = TestHost::without_database().await;
    let addr = host.listen(analytics()).await;
    host.with_env([("ANALYTICS_URL", format!("https://{addr}"))])
}

#[tokio::test(flavor = "multi_thread")]
async fn only_declared_callers_are_answered() {
    let in_process = TestHost::without_database().await;
    in_process.run(analytics()).await;
    for host in [in_process, over_network().await] {
        let gateway = host.as_caller("gateway");
        assert!(summarize(&gateway).await.is_ok());
        assert!(record(&gateway).await.is_ok());
        assert_eq!(denial(export(&gateway).await), not_allowed());

        let auth = host.as_caller("auth");
        assert_eq!(denial(summarize(&auth).await), not_allowed());
        assert_eq!(denial(record(&auth).await), not_allowed());
        let exported = export(&auth).await.unwrap_err();
        assert_eq!(exported.code(), Code::Unimplemented, "it reaches the service");

        for other in ["analytics", "checkout", "editor"] {
            assert_eq!(denial(summarize(&host.as_caller(other)).await), not_allowed());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_without_a_name_is_denied() {
    let host = TestHost::without_database().await;
    host.run(analytics()).await;
    assert_eq!(denial(summarize(&host.as_unknown_caller()).await), unknown());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_certificates_all_calls_are_denied() {
    let host = TestHost::without_database().await;
    let addr = host.listen_without_tls(analytics()).await;
    let host = host.with_env([("ANALYTICS_URL", format!("http://{addr}"))]);
    assert_eq!(denial(summarize(&host.as_unknown_caller()).await), unknown());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_tls_gets_no_connection() {
    let host = TestHost::without_database().await;
    let addr = host.listen(analytics()).await;
    let mut stream = TcpStream::connect(addr).await.unwrap();
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .await
        .unwrap();
    let mut answer = Vec::new();
    // A reset of the connection is an answer, too.
    let _ = stream.read_to_end(&mut answer).await;
    // At most an alert of TLS: content type 21.
    assert!(answer.is_empty() || answer[0] == 21, "{answer:?}");
    let host = host.with_env([("ANALYTICS_URL", format!("http://{addr}"))]);
    assert!(summarize(&host.as_unknown_caller()).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_of_another_authority_is_refused() {
    let host = over_network().await;
    let foreign = Certificates::new();
    // Both trust the server's authority: the server alone decides.
    let mut pem = foreign.pem("gateway");
    pem.authorities = Certificates::shared().authority().as_bytes().to_vec();
    let gateway = host.with_certificate(&Tls::from_pem(pem).unwrap());
    let status = summarize(&gateway).await.unwrap_err();
    assert_ne!(Failure::from_status(&status).code, "CALLER_NOT_ALLOWED");
    assert!(summarize(&host.as_caller("gateway")).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_the_certificate_of_another_service_is_refused() {
    let host = TestHost::without_database().await;
    let checkout = Tls::from_pem(Certificates::shared().pem("checkout")).unwrap();
    let addr = host.listen_with(analytics(), &checkout).await;
    let host = host.with_env([("ANALYTICS_URL", format!("https://{addr}"))]);
    let status = summarize(&host.as_caller("gateway")).await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable, "{status:?}");
}

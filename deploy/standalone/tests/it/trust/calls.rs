//! Every caller and every RPC of every service: allowed if and only if it is declared, in one process and over TLS.

use std::collections::BTreeSet;
use std::time::Duration;

use http::uri::PathAndQuery;
use kit::error::Failure;
use kit::rpc::ServiceDirectory;
use kit::run::ServiceDefinition;
use kit::testing::TestHost;
use prost::Message;
use prost_types::FileDescriptorSet;
use proto::services;
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

use crate::stack::all_services_host;

/// All that have a certificate.
const CALLERS: [&str; 7] = [
    "content",
    "auth",
    "checkout",
    "sessions",
    "analytics",
    "gateway",
    "editor",
];

/// Longer than a call without a request takes to be rejected.
const LIMIT: Duration = Duration::from_secs(4);

/// No call reaches a provider.
const SETTINGS: [(&str, &str); 11] = [
    (
        "CHECKOUT_SEED_DIR",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../seed/campaigns"),
    ),
    ("STRIPE_API_BASE", "http://127.0.0.1:9"),
    ("AI_API_BASE", "http://127.0.0.1:9"),
    ("APPLE_CLIENT_ID", "us"),
    ("APPLE_JWKS_URL", "http://127.0.0.1:9"),
    ("GOOGLE_CLIENT_ID", "us"),
    ("GOOGLE_JWKS_URL", "http://127.0.0.1:9"),
    ("AUTH_ARGON2_MEMORY_KIB", "64"),
    ("AUTH_ARGON2_ITERATIONS", "1"),
    ("AUTH_HASH_WAIT_MILLIS", "4000"),
    ("SMTP_URL", "smtp://127.0.0.1:9"),
];

#[derive(Clone, Debug)]
struct Rpc {
    service: &'static str,
    grpc_service: String,
    name: String,
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// The service itself responds.
    Answered,
    Unknown,
    NotAllowed,
    /// No connection, or none that lasts.
    NotConnected,
}

fn definitions() -> Vec<ServiceDefinition> {
    vec![
        content::definition(),
        auth::definition(),
        checkout::definition(),
        sessions::definition(),
        analytics::definition(),
    ]
}

/// Of the compiled contracts.
fn rpcs() -> Vec<Rpc> {
    let files = FileDescriptorSet::decode(proto::DESCRIPTORS).unwrap().file;
    let mut found = Vec::new();
    for file in &files {
        for service in &file.service {
            let owner = file.package().split('.').nth(1).unwrap();
            found.extend(service.method.iter().map(|method| Rpc {
                service: services::find(owner).unwrap().name,
                grpc_service: format!("{}.{}", file.package(), service.name()),
                name: method.name().to_owned(),
            }));
        }
    }
    assert!(found.len() > 50, "{found:?}");
    found
}

/// Caller, gRPC service and RPC.
fn declared() -> BTreeSet<(String, String, String)> {
    let mut found = BTreeSet::new();
    for definition in definitions() {
        for caller in definition.granted().callers {
            found.extend(caller.rpcs.iter().map(|rpc| {
                (
                    caller.name.to_owned(),
                    caller.grpc_service.to_owned(),
                    (*rpc).to_owned(),
                )
            }));
        }
    }
    found
}

/// An empty request.
async fn request(directory: &ServiceDirectory, rpc: &Rpc) -> Result<(), Status> {
    let path: PathAndQuery = format!("/{}/{}", rpc.grpc_service, rpc.name).parse().unwrap();
    let mut grpc = tonic::client::Grpc::new(directory.client(rpc.service));
    grpc.ready().await?;
    let mut request = Request::new(());
    request.set_timeout(LIMIT);
    grpc.unary(request, path, ProstCodec::<(), ()>::default())
        .await
        .map(Response::into_inner)
}

async fn call(directory: &ServiceDirectory, rpc: &Rpc) -> Outcome {
    let outcome = request(directory, rpc).await;
    outcome.map_or_else(|status| outcome_of(&status), |()| Outcome::Answered)
}

fn outcome_of(status: &Status) -> Outcome {
    let failure = Failure::from_status(status);
    match failure.code.as_str() {
        "CALLER_UNKNOWN" => Outcome::Unknown,
        "CALLER_NOT_ALLOWED" => Outcome::NotAllowed,
        _ if failure == Failure::unavailable() => Outcome::NotConnected,
        _ => Outcome::Answered,
    }
}

async fn all_are_declared(host: &TestHost) {
    let declared = declared();
    let mut wrong = Vec::new();
    for caller in CALLERS {
        let directory = host.as_caller(caller);
        for rpc in rpcs() {
            let outcome = call(&directory, &rpc).await;
            let key = (caller.to_owned(), rpc.grpc_service.clone(), rpc.name.clone());
            let expected = if declared.contains(&key) {
                Outcome::Answered
            } else {
                Outcome::NotAllowed
            };
            if outcome != expected {
                wrong.push(format!("{key:?}: {outcome:?}, expected {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn host() -> TestHost {
    all_services_host().await.with_env(SETTINGS)
}

#[test]
fn every_rpc_of_the_contracts_has_a_caller() {
    let declared: BTreeSet<_> = declared()
        .into_iter()
        .map(|(_, service, rpc)| (service, rpc))
        .collect();
    let rpcs: BTreeSet<_> = rpcs()
        .into_iter()
        .map(|rpc| (rpc.grpc_service, rpc.name))
        .collect();
    assert_eq!(declared, rpcs);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_one_process_a_call_is_allowed_if_and_only_if_it_is_declared() {
    let host = host().await;
    for definition in definitions() {
        host.run(definition).await;
    }
    all_are_declared(&host).await;
    let unknown = host.as_unknown_caller();
    for rpc in rpcs() {
        assert_eq!(call(&unknown, &rpc).await, Outcome::Unknown, "{rpc:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn over_the_network_a_call_is_allowed_if_and_only_if_it_is_declared() {
    let host = host().await;
    let mut addresses = Vec::new();
    for definition in definitions() {
        let variable = services::find(definition.name()).unwrap().url_variable;
        let addr = host.listen(definition).await;
        addresses.push((variable, format!("https://{addr}")));
    }
    let host = host.with_env(addresses.clone());
    all_are_declared(&host).await;

    // The same ports without TLS.
    let plain = addresses
        .into_iter()
        .map(|(variable, address)| (variable, address.replace("https://", "http://")));
    let host = host.with_env(plain);
    let unknown = host.as_unknown_caller();
    for rpc in rpcs() {
        // An error of the service would have details.
        let status = request(&unknown, &rpc).await.unwrap_err();
        assert!(status.details().is_empty(), "{rpc:?}: {status:?}");
    }
}

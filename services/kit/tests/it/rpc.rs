//! A call behaves the same in one process and over the network.

mod callers;
mod rotation;

use std::net::SocketAddr;
use std::time::Duration;

use kit::deadline;
use kit::error::{ErrorCode, Failure, Kind};
use kit::requester::{self, Requester};
use kit::rpc::Rpc;
use kit::run::{Service, ServiceDefinition};
use kit::testing::{Certificates, TestHost};
use proto::analytics::v1::analytics_service_client::AnalyticsServiceClient;
use proto::analytics::v1::analytics_service_server::{AnalyticsService, AnalyticsServiceServer};
use proto::analytics::v1::{
    ExportMemberRequest, ExportMemberResponse, RecordWebEventsRequest, RecordWebEventsResponse,
    SummarizeRequest, SummarizeResponse, summarize_response::Count,
};
use tonic::codegen::BoxStream;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};

use crate::support::simple_service;

/// Behaves as `days` says.
struct Scripted;

mod script {
    pub const ANSWER: i32 = 1;
    pub const HANG: i32 = 2;
    pub const PANIC: i32 = 3;
    pub const REFUSE: i32 = 4;
    pub const TELL_TIME_LEFT: i32 = 5;
    pub const LEAK: i32 = 6;
    pub const TELL_REQUESTER: i32 = 7;
}

#[tonic::async_trait]
impl AnalyticsService for Scripted {
    async fn record_web_events(
        &self,
        _: Request<RecordWebEventsRequest>,
    ) -> Result<Response<RecordWebEventsResponse>, Status> {
        Ok(Response::new(RecordWebEventsResponse::default()))
    }

    async fn summarize(
        &self,
        request: Request<SummarizeRequest>,
    ) -> Result<Response<SummarizeResponse>, Status> {
        let count = match request.into_inner().days {
            script::HANG => std::future::pending().await,
            script::PANIC => panic!("on purpose"),
            script::REFUSE => {
                let refusal = Failure::new(Kind::Refused, ErrorCode::Sb101, "A free seat exists.");
                return Err(refusal.field("email", ErrorCode::Taken, "In use.").into());
            }
            script::TELL_REQUESTER => {
                let expected = Requester::new("tr", "DE");
                i64::from(requester::current() == expected)
            }
            script::LEAK => return Err(Status::unknown("password is hunter2")),
            script::TELL_TIME_LEFT => {
                deadline::remaining().map_or(-1, |left| i64::try_from(left.as_millis()).unwrap())
            }
            _ => 0,
        };
        let counts = vec![Count {
            count,
            ..Count::default()
        }];
        Ok(Response::new(SummarizeResponse { counts }))
    }

    type ExportMemberStream = BoxStream<ExportMemberResponse>;

    async fn export_member(
        &self,
        _: Request<ExportMemberRequest>,
    ) -> Result<Response<Self::ExportMemberStream>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }
}

fn analytics() -> ServiceDefinition {
    simple_service("analytics", |_| async {
        Ok(Service::new().grpc(AnalyticsServiceServer::new(Scripted)))
    })
}

/// Clients of the same service, in this process and through its port.
async fn local_and_remote() -> (TestHost, [AnalyticsServiceClient<Rpc>; 2]) {
    let context = TestHost::start().await;
    let addr = context.listen(analytics()).await;
    let local = AnalyticsServiceClient::new(context.context().directory.client("analytics"));
    let context = context.with_env([("ANALYTICS_URL", format!("https://{addr}"))]);
    let remote = AnalyticsServiceClient::new(context.context().directory.client("analytics"));
    (context, [local, remote])
}

async fn summarize(client: &mut AnalyticsServiceClient<Rpc>, days: i32) -> Result<i64, Status> {
    let response = client.summarize(SummarizeRequest { days }).await?;
    Ok(response.into_inner().counts[0].count)
}

#[tokio::test(flavor = "multi_thread")]
async fn failure_keeps_its_code_and_loses_internal_detail() {
    let (_host, clients) = local_and_remote().await;
    for mut client in clients {
        let refusal = Failure::from_status(&summarize(&mut client, script::REFUSE).await.unwrap_err());
        assert_eq!((refusal.kind, refusal.code.as_str()), (Kind::Refused, "SB101"));
        assert_eq!(refusal.fields[0].field, "email");
        let leak = Failure::from_status(&summarize(&mut client, script::LEAK).await.unwrap_err());
        assert_eq!(leak, Failure::internal());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn panic_is_an_internal_error_of_its_call() {
    let (_host, clients) = local_and_remote().await;
    for mut client in clients {
        let status = summarize(&mut client, script::PANIC).await.unwrap_err();
        assert_eq!(status.code(), Code::Internal);
        assert_eq!(summarize(&mut client, script::ANSWER).await.unwrap(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requester_is_sent_to_the_callee() {
    let (_host, clients) = local_and_remote().await;
    for mut client in clients {
        let visitor = Requester::new("tr", "DE");
        let known = requester::scope(visitor, summarize(&mut client, script::TELL_REQUESTER)).await;
        assert_eq!(known.unwrap(), 1);
        assert_eq!(summarize(&mut client, script::TELL_REQUESTER).await.unwrap(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deadline_is_sent_to_the_callee() {
    let (_host, clients) = local_and_remote().await;
    for mut client in clients {
        let limit = Duration::from_millis(1500);
        let left = deadline::within(limit, summarize(&mut client, script::TELL_TIME_LEFT))
            .await
            .unwrap()
            .unwrap();
        assert!((1000..=1500).contains(&left), "{left} ms");
        let unlimited = summarize(&mut client, script::TELL_TIME_LEFT).await.unwrap();
        assert!(
            (4000..=5000).contains(&unlimited),
            "every call has some limit: {unlimited} ms"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hanging_call_ends_at_its_deadline() {
    let (_host, clients) = local_and_remote().await;
    for mut client in clients {
        let mut request = Request::new(SummarizeRequest { days: script::HANG });
        request.set_timeout(Duration::from_millis(200));
        let asked = tokio::time::Instant::now();
        let status = client.summarize(request).await.unwrap_err();
        assert_eq!(Failure::from_status(&status).kind, Kind::Timeout, "{status:?}");
        assert!(asked.elapsed() < Duration::from_secs(2));
    }
}

#[tokio::test]
async fn missing_service_is_unavailable() {
    let context = TestHost::start().await;
    let mut nowhere = AnalyticsServiceClient::new(context.context().directory.client("analytics"));
    let status = summarize(&mut nowhere, script::ANSWER).await.unwrap_err();
    assert_eq!(Failure::from_status(&status).kind, Kind::Unavailable);

    context.run(analytics()).await;
    assert_eq!(
        summarize(&mut nowhere, script::ANSWER).await.unwrap(),
        0,
        "the same client, now that it has started"
    );

    let context = context.with_env([("ANALYTICS_URL", "https://127.0.0.1:1")]);
    let mut gone = AnalyticsServiceClient::new(context.context().directory.client("analytics"));
    let status = summarize(&mut gone, script::ANSWER).await.unwrap_err();
    assert_eq!(
        Failure::from_status(&status).kind,
        Kind::Unavailable,
        "{status:?}"
    );
}

fn channel(addr: SocketAddr) -> Channel {
    Certificates::shared().channel("gateway", "analytics", &format!("https://{addr}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_reflection_are_served() {
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_check_response::ServingStatus;
    use tonic_health::pb::health_client::HealthClient;
    use tonic_reflection::pb::v1::ServerReflectionRequest;
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
    use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

    let context = TestHost::start().await;
    let addr = context.listen(analytics()).await;

    let mut health = HealthClient::new(channel(addr));
    for service in ["", "stillpoint.analytics.v1.AnalyticsService"] {
        let answer = health
            .check(HealthCheckRequest {
                service: service.to_owned(),
            })
            .await
            .unwrap();
        assert_eq!(
            answer.into_inner().status(),
            ServingStatus::Serving,
            "`{service}`"
        );
    }

    let mut reflection = ServerReflectionClient::new(channel(addr));
    let question = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut answers = reflection
        .server_reflection_info(futures::stream::iter([question]))
        .await
        .unwrap()
        .into_inner();
    let answer = answers
        .message()
        .await
        .unwrap()
        .unwrap()
        .message_response
        .unwrap();
    let MessageResponse::ListServicesResponse(list) = answer else {
        panic!("not a list: {answer:?}");
    };
    let names: Vec<_> = list.service.into_iter().map(|service| service.name).collect();
    assert!(
        names.contains(&"stillpoint.analytics.v1.AnalyticsService".to_owned()),
        "{names:?}"
    );
}

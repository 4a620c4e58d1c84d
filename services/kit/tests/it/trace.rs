//! A trace continues through calls and events and is exported to the collector.

use std::sync::{Arc, Mutex};

use kit::outbox;
use kit::run::{Service, ServiceDefinition};
use kit::telemetry::current_traceparent;
use kit::testing::TestHost;
use opentelemetry::trace::TracerProvider;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_sdk::trace::SdkTracerProvider;
use proto::analytics::v1::analytics_service_client::AnalyticsServiceClient;
use proto::analytics::v1::analytics_service_server::{AnalyticsService, AnalyticsServiceServer};
use proto::analytics::v1::{
    ExportMemberRequest, ExportMemberResponse, RecordWebEventsRequest, RecordWebEventsResponse,
    SummarizeRequest, SummarizeResponse, summarize_response::Count,
};
use tonic::codegen::BoxStream;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};
use tracing::Instrument;
use tracing_subscriber::layer::SubscriberExt;

use crate::process::{Process, smallest};
use crate::support::*;

/// Returns its trace id.
struct Echo;

#[tonic::async_trait]
impl AnalyticsService for Echo {
    async fn record_web_events(
        &self,
        _: Request<RecordWebEventsRequest>,
    ) -> Result<Response<RecordWebEventsResponse>, Status> {
        Ok(Response::new(RecordWebEventsResponse::default()))
    }

    async fn summarize(&self, _: Request<SummarizeRequest>) -> Result<Response<SummarizeResponse>, Status> {
        let event = current_traceparent().unwrap_or_default();
        let counts = vec![Count {
            event,
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

fn echo() -> ServiceDefinition {
    simple_service("analytics", |_| async {
        Ok(Service::new().grpc(AnalyticsServiceServer::new(Echo)))
    })
}

fn trace_id(traceparent: &str) -> &str {
    traceparent.split('-').nth(1).unwrap()
}

#[tokio::test]
async fn trace_continues_through_a_call_into_an_event() {
    let tracer = SdkTracerProvider::builder().build().tracer("test");
    let layer = tracing_opentelemetry::layer().with_tracer(tracer);
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(echo()).await;
    context.run(relay_service(&pool)).await;
    let mut client = AnalyticsServiceClient::new(context.context().directory.client("analytics"));
    // A test thread without a subscriber may reach the callsite first, which disables it for all.
    client.summarize(SummarizeRequest::default()).await.unwrap();
    tracing::callsite::rebuild_interest_cache();

    let request = async {
        let answer = client
            .summarize(SummarizeRequest::default())
            .await
            .unwrap()
            .into_inner();
        let mut tx = kit::database::begin(&pool).await.unwrap();
        outbox::append(&mut tx, context.clock(), draft("a", 1))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        (current_traceparent().unwrap(), answer.counts[0].event.clone())
    };
    let (here, there) = request.instrument(tracing::info_span!("request")).await;

    assert_eq!(trace_id(&there), trace_id(&here));
    assert_ne!(there, here, "a span of its own");
    let event = context.events(SUBJECT, 1).await.remove(0);
    assert_eq!(event.traceparent.as_deref().map(trace_id), Some(trace_id(&here)));
}

#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<String>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let resources = request.into_inner().resource_spans;
        let spans = resources
            .into_iter()
            .flat_map(|resource| resource.scope_spans)
            .flat_map(|scope| scope.spans);
        self.0.lock().unwrap().extend(spans.map(|span| span.name));
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn process_exports_its_spans_before_it_ends() {
    let collector = Collector::default();
    let incoming = TcpIncoming::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let addr = incoming.local_addr().unwrap();
    let server = tonic::transport::Server::builder().add_service(TraceServiceServer::new(collector.clone()));
    let server = tokio::spawn(server.serve_with_incoming(incoming));

    let mut command = smallest();
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{addr}"));
    let mut process = Process::start(command, "nats://127.0.0.1:1");
    process.log("ready");
    process.log("greeted");
    process.terminate();
    assert_eq!(process.exit().code(), Some(0));

    eventually("the collector has the span", async || {
        collector.0.lock().unwrap().contains(&"greet".to_owned())
    })
    .await;
    server.abort();
}

//! Logs with trace ids, traces across gRPC, NATS and the outbox, Prometheus metrics. None contains personal data.

mod handles;
mod json_line;
mod propagate;

use std::sync::OnceLock;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

pub use handles::Handles;
pub use propagate::{continue_trace, current_traceparent, extract_headers, inject_headers, link_trace};

/// Histogram buckets in seconds: fine for usual durations, coarse beyond deadlines.
const LATENCY_BUCKETS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];

/// The value of a gauge, which is a float. Negative and very large counts are clamped.
pub fn gauge_value(count: i64) -> f64 {
    f64::from(u32::try_from(count.max(0)).unwrap_or(u32::MAX))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Json,
    Text,
}

impl std::str::FromStr for LogFormat {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "json" => Ok(Self::Json),
            "text" => Ok(Self::Text),
            _ => Err("expected `json` or `text`"),
        }
    }
}

/// Settings of logs and traces.
#[derive(Clone, Debug)]
pub struct Telemetry {
    pub service: &'static str,
    pub format: LogFormat,
    /// In `RUST_LOG` syntax.
    pub level: String,
    /// An OTLP collector over gRPC; without one, trace ids exist but nothing is exported.
    pub collector: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error("the log level is not valid")]
    Level(#[from] tracing_subscriber::filter::ParseError),
    #[error("the trace exporter could not be made")]
    Exporter(#[from] opentelemetry_otlp::ExporterBuildError),
}

/// Exports pending spans.
#[derive(Debug)]
pub struct Flush(SdkTracerProvider);

impl Flush {
    /// Blocks for as long as the collector takes, a few seconds at most.
    pub fn now(&self) {
        if let Err(error) = self.0.shutdown() {
            tracing::debug!(%error, "last traces not exported");
        }
    }
}

/// Installs telemetry for the process. A second call keeps the first subscriber, for tests.
pub fn init(telemetry: &Telemetry) -> Result<Flush, TelemetryError> {
    let provider = tracer_provider(telemetry)?;
    let filter = EnvFilter::try_new(&telemetry.level)?;
    let traces = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("stillpoint"))
        .with_location(false)
        .with_threads(false);
    let logs = match telemetry.format {
        LogFormat::Json => tracing_subscriber::fmt::layer()
            .event_format(json_line::JsonLine::new(telemetry.service))
            .boxed(),
        LogFormat::Text => tracing_subscriber::fmt::layer().compact().boxed(),
    };
    let installed = tracing_subscriber::registry()
        .with(filter)
        .with(traces)
        .with(logs)
        .try_init();
    if installed.is_err() {
        tracing::debug!("logging was set up before");
    }
    prometheus();
    Ok(Flush(provider))
}

fn tracer_provider(telemetry: &Telemetry) -> Result<SdkTracerProvider, TelemetryError> {
    let resource = Resource::builder().with_service_name(telemetry.service).build();
    let builder = SdkTracerProvider::builder().with_resource(resource);
    let Some(collector) = &telemetry.collector else {
        return Ok(builder.with_sampler(Sampler::AlwaysOff).build());
    };
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_endpoint(collector)
        .build()?;
    Ok(builder.with_batch_exporter(exporter).build())
}

/// The process's metrics. `None` if another recorder is installed.
pub(crate) fn prometheus() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    HANDLE
        .get_or_init(|| {
            let builder = PrometheusBuilder::new().set_buckets(&LATENCY_BUCKETS).ok()?;
            builder.install_recorder().ok()
        })
        .as_ref()
}

//! One log line as one JSON object, with the trace it belongs to.

use std::fmt;

use opentelemetry::trace::TraceContextExt;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber, dispatcher};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::{LookupSpan, SpanRef};

pub(super) struct JsonLine {
    service: &'static str,
}

impl JsonLine {
    pub fn new(service: &'static str) -> Self {
        Self { service }
    }
}

impl<S, N> FormatEvent<S, N> for JsonLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let mut line = Map::new();
        line.insert("time".to_owned(), time.into());
        line.insert("level".to_owned(), event.metadata().level().as_str().into());
        line.insert("service".to_owned(), self.service.into());
        line.insert("target".to_owned(), event.metadata().target().into());
        event.record(&mut Fields(&mut line));
        if let Some(span) = context.lookup_current() {
            add_trace(&span, &mut line);
        }
        writeln!(writer, "{}", Value::Object(line))
    }
}

fn add_trace<S: for<'a> LookupSpan<'a>>(span: &SpanRef<'_, S>, line: &mut Map<String, Value>) {
    line.insert("span".to_owned(), span.name().into());
    let trace =
        dispatcher::get_default(|dispatch| tracing_opentelemetry::get_otel_context(&span.id(), dispatch));
    let Some(trace) = trace else {
        return;
    };
    let trace = trace.span().span_context().clone();
    if trace.is_valid() {
        line.insert("trace_id".to_owned(), trace.trace_id().to_string().into());
        line.insert("span_id".to_owned(), trace.span_id().to_string().into());
    }
}

struct Fields<'a>(&'a mut Map<String, Value>);

impl Fields<'_> {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}"));
    }
}

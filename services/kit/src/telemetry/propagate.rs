//! W3C trace context in HTTP headers, outbox rows and events.

use std::collections::HashMap;

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

const TRACEPARENT: &str = "traceparent";

/// The current span as a `traceparent`, if it is part of a trace.
pub fn current_traceparent() -> Option<String> {
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject_context(&Span::current().context(), &mut carrier);
    carrier.remove(TRACEPARENT)
}

/// Makes `span` a child of the span of `traceparent`. A malformed value is ignored.
pub fn continue_trace(span: &Span, traceparent: &str) {
    if !span.is_disabled() {
        adopt(span, parse(traceparent));
    }
}

/// Links `span` to the span of `traceparent` if that is sampled: for work with several causes.
pub fn link_trace(span: &Span, traceparent: &str) {
    if span.is_disabled() {
        return;
    }
    let origin = parse(traceparent).span().span_context().clone();
    if origin.is_sampled() {
        span.add_link(origin);
    }
}

fn parse(traceparent: &str) -> Context {
    let carrier = HashMap::from([(TRACEPARENT.to_owned(), traceparent.to_owned())]);
    TraceContextPropagator::new().extract(&carrier)
}

/// Writes the current span into outgoing headers.
pub fn inject_headers(headers: &mut HeaderMap) {
    let context = Span::current().context();
    TraceContextPropagator::new().inject_context(&context, &mut Headers(headers));
}

/// Makes `span` a child of the span of incoming headers.
pub fn extract_headers(span: &Span, headers: &HeaderMap) {
    if !span.is_disabled() {
        adopt(span, TraceContextPropagator::new().extract(&HeaderView(headers)));
    }
}

fn adopt(span: &Span, parent: Context) {
    // Fails only where no tracer is installed.
    let _ = span.set_parent(parent);
}

struct Headers<'a>(&'a mut HeaderMap);

impl Injector for Headers<'_> {
    fn set(&mut self, key: &str, value: String) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(key), HeaderValue::try_from(value)) {
            self.0.insert(name, value);
        }
    }
}

struct HeaderView<'a>(&'a HeaderMap);

impl Extractor for HeaderView<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

//! Layers of incoming calls: the caller's right to call; load shedding; deadline, trace and requester of the caller; a panic becomes
//! an error; metrics of rate, errors and duration.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use futures::FutureExt;
use futures::future::BoxFuture;
use http::{Request, Response};
use metrics::{Counter, Histogram};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tonic::body::Body;
use tonic::service::Routes;
use tonic::{Code, Status};
use tower::Service;
use tracing::Instrument;

use super::callers::{CallerRules, Denial};
use crate::deadline;
use crate::error::{ErrorCode, Failure, Kind};
use crate::requester;
use crate::telemetry::{self, Handles};
use crate::tls::Peer;

/// Limit of concurrent requests. More would only wait for database connections.
const MAX_CONCURRENT_REQUESTS: usize = 256;

/// One service's gRPC routes behind their layers.
#[derive(Clone, Debug)]
pub(crate) struct ServerStack {
    service: &'static str,
    rules: CallerRules,
    routes: Routes,
    permits: Arc<Semaphore>,
    method_metrics: Arc<Handles<MethodMetrics>>,
}

/// Codes of gRPC are numbered from 0.
const CODES: usize = 17;

/// Metrics of one method.
#[derive(Debug)]
struct MethodMetrics {
    seconds: Histogram,
    requests: [OnceLock<Counter>; CODES],
}

impl ServerStack {
    pub fn new(service: &'static str, rules: CallerRules, routes: Routes) -> Self {
        Self {
            service,
            rules,
            routes: routes.prepare(),
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT_REQUESTS)),
            method_metrics: Arc::default(),
        }
    }
}

impl Service<Request<Body>> for ServerStack {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let this = self.clone();
        async move { Ok(this.answer(request).await) }.boxed()
    }
}

impl ServerStack {
    async fn answer(mut self, request: Request<Body>) -> Response<Body> {
        let path = request.uri().path().to_owned();
        // Health and reflection are open to all, and bypass the limit: an overloaded service is healthy.
        if path.starts_with("/grpc.") {
            return infallible(self.routes.call(request).await);
        }
        let started = Instant::now();
        let method = path.rsplit('/').next().unwrap_or_default().to_owned();
        if let Err(denial) = self.rules.check(request.extensions().get::<Peer>(), &path) {
            return self.deny(&denial, &path, started);
        }
        let response = match self.permits.clone().try_acquire_owned() {
            Ok(_permit) => self.guarded(request, &method).await,
            Err(_) => refuse(Failure::new(
                Kind::Unavailable,
                ErrorCode::Overloaded,
                "Too busy; try again in a moment.",
            )),
        };
        self.measure(&method, grpc_code(&response), started);
        response
    }

    fn deny(&self, denial: &Denial, path: &str, started: Instant) -> Response<Body> {
        let caller = match denial {
            Denial::CallerUnknown => "",
            Denial::NotAllowed { caller } => caller.as_str(),
        };
        tracing::warn!(caller, service = self.service, path, "call denied");
        let response = refuse(denial.failure());
        // A caller chooses the path: a label for each would grow without limit.
        let method = self.rules.declared_rpc(path).unwrap_or("undeclared");
        self.measure(method, grpc_code(&response), started);
        response
    }

    fn measure(&self, method: &str, code: Code, started: Instant) {
        let names = || {
            [
                ("service", self.service.to_owned()),
                ("method", method.to_owned()),
            ]
        };
        let method_metrics = self.method_metrics.of(method, || MethodMetrics {
            seconds: metrics::histogram!("rpc_duration_seconds", &names()),
            requests: Default::default(),
        });
        method_metrics.seconds.record(started.elapsed());
        if let Some(requests) = usize::try_from(i32::from(code))
            .ok()
            .and_then(|code| method_metrics.requests.get(code))
        {
            let make = || {
                let [service, method] = names();
                let labels = [service, method, ("code", format!("{code:?}"))];
                metrics::counter!("rpc_requests_total", &labels)
            };
            requests.get_or_init(make).increment(1);
        }
    }

    async fn guarded(&mut self, request: Request<Body>, method: &str) -> Response<Body> {
        let span = tracing::info_span!("rpc", otel.kind = "server", service = self.service, method);
        telemetry::extract_headers(&span, request.headers());
        let limit = deadline::read_header(request.headers());
        let requester = requester::read_headers(request.headers());
        let work = AssertUnwindSafe(self.routes.call(request)).catch_unwind();
        let work = requester::scope(requester, work).instrument(span);
        let outcome = match limit {
            Some(limit) => deadline::within(limit, work).await,
            None => Ok(work.await),
        };
        match outcome {
            Ok(Ok(response)) => infallible(response),
            Ok(Err(_panic)) => {
                tracing::error!(service = self.service, method, "request panicked");
                refuse(Failure::internal())
            }
            Err(elapsed) => refuse(elapsed.into()),
        }
    }
}

fn infallible(outcome: Result<Response<Body>, Infallible>) -> Response<Body> {
    match outcome {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

fn refuse(failure: Failure) -> Response<Body> {
    Status::from(failure).into_http()
}

/// A failed unary call has its status in the headers; without one it is a success or a stream that has begun.
fn grpc_code(response: &Response<Body>) -> Code {
    response
        .headers()
        .get("grpc-status")
        .map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
}

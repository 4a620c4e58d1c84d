//! Layers of outgoing calls: remaining deadline, trace and requester are sent in headers.

use std::mem;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use http::{HeaderMap, Request, Response};
use tonic::Status;
use tonic::body::Body;
use tower::Service;

use crate::error::Failure;
use crate::{deadline, requester, telemetry};

/// For callers without a deadline.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Clone)]
pub(super) struct ClientStack<S> {
    inner: S,
}

impl<S> ClientStack<S> {
    pub fn new(inner: S) -> Self {
        Self { inner }
    }
}

impl<S> Service<Request<Body>> for ClientStack<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Status> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response<Body>;
    type Error = Status;
    type Future = BoxFuture<'static, Result<Response<Body>, Status>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Status>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        // The service that was polled ready is the one to call; its clone takes its place.
        let fresh = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, fresh);
        async move {
            let left = time_left(request.headers());
            if left.is_zero() {
                return Err(Failure::timeout().into());
            }
            deadline::write_header(request.headers_mut(), left);
            telemetry::inject_headers(request.headers_mut());
            requester::write_headers(request.headers_mut());
            tokio::time::timeout(left, inner.call(request))
                .await
                .unwrap_or_else(|_| Err(Failure::timeout().into()))
        }
        .boxed()
    }
}

/// The smaller of the caller's remaining time and the timeout of this call.
fn time_left(headers: &HeaderMap) -> Duration {
    let limits = [deadline::remaining(), deadline::read_header(headers)];
    limits.into_iter().flatten().min().unwrap_or(DEFAULT_TIMEOUT)
}

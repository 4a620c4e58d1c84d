//! The accept loop. axum's own cannot close a connection without a response, as a fault may require.

use std::{convert::Infallible, time::Duration};

use axum::{Router, body::Body, response::Response};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
const GRACE: Duration = Duration::from_secs(5);

/// A response with this extension is not sent: the connection is closed instead.
#[derive(Clone, Copy, Debug)]
pub struct CutConnection;

impl CutConnection {
    pub fn response() -> Response {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(Self);
        response
    }
}

#[derive(Debug, thiserror::Error)]
#[error("cut by a fault")]
struct Cut;

pub async fn serve(listener: TcpListener, router: Router, shutdown: CancellationToken) {
    let connections = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => open(stream, router.clone(), &connections),
            Err(error) => {
                tracing::warn!(%error, "could not accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(GRACE, connections.shutdown()).await.is_err() {
        tracing::warn!("connections still open after the grace period; closed");
    }
}

fn open(stream: TcpStream, router: Router, connections: &GracefulShutdown) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY not set");
    }
    let service = service_fn(move |request: hyper::Request<Incoming>| answer(router.clone(), request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service);
    let watched = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = watched.await {
            tracing::debug!(%error, "connection ended early");
        }
    });
}

async fn answer(router: Router, request: hyper::Request<Incoming>) -> Result<Response, Cut> {
    let result: Result<Response, Infallible> = router.oneshot(request.map(Body::new)).await;
    let Ok(response) = result;
    if response.extensions().get::<CutConnection>().is_some() {
        return Err(Cut);
    }
    Ok(response)
}

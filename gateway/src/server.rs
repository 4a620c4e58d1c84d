//! The listener: HTTP/1.1 with an end to everything. Slow headers, idle connections, stuck readers and too many of
//! either cannot keep it from serving others.
pub mod cached_router;
mod fast_path;
mod handlers;
pub mod router;
mod workers;
mod write_timeout;

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use self::workers::Workers;
use crate::config::ServerLimits;
use crate::server::cached_router::CachedRouter;

/// Request line and headers together.
const HEAD_BYTES_MAX: usize = 32 * 1024;
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(50);
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Serves until `shutdown`, then lets the requests at hand finish.
pub async fn serve(
    listener: TcpListener,
    edge: CachedRouter,
    limits: ServerLimits,
    shutdown: CancellationToken,
) {
    let slots = Arc::new(Semaphore::new(limits.max_connections));
    let workers = match Workers::start(edge, limits) {
        Ok(workers) => workers,
        Err(error) => {
            tracing::error!(%error, "no thread could be started to serve connections");
            return;
        }
    };
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => match Arc::clone(&slots).try_acquire_owned() {
                Ok(slot) => workers.take(stream, peer, slot),
                Err(_) => refuse(stream),
            },
            // Out of file handles, most likely: they come back as connections end.
            Err(error) => {
                tracing::warn!(%error, "connection not accepted");
                tokio::time::sleep(PAUSE_AFTER_ERROR).await;
            }
        }
    }
    drop(listener);
    workers.finish().await;
}

fn http_builder(limits: &ServerLimits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_buf_size(HEAD_BYTES_MAX)
        .half_close(false);
    http
}

/// Best effort: a client that does not read it is cut off all the same.
fn refuse(stream: TcpStream) {
    metrics::counter!("gateway_connections_refused_total").increment(1);
    let _ = stream.into_std().and_then(|mut stream| stream.write(FULL));
}

/// Work that ends, at the latest, when the process is to stop.
pub async fn until(shutdown: CancellationToken, work: impl Future<Output = ()>) {
    shutdown.run_until_cancelled(work).await;
}

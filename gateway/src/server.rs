//! The listener: HTTP/1.1 with an end to everything. Slow headers, idle connections, stuck readers and too many of
//! either cannot keep it from serving others.
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

use crate::config::ServerLimits;
use crate::edge::Edge;

/// Request line and headers together.
const HEAD_BYTES_MAX: usize = 32 * 1024;
const HEADERS_MAX: usize = 64;
const PAUSE_AFTER_FAULT: Duration = Duration::from_millis(50);
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Serves until `shutdown`, then lets the requests at hand finish.
pub async fn serve(listener: TcpListener, edge: Edge, limits: ServerLimits, shutdown: CancellationToken) {
    let graceful = GracefulShutdown::new();
    let slots = Arc::new(Semaphore::new(limits.max_connections));
    let http = http_builder(&limits);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => match Arc::clone(&slots).try_acquire_owned() {
                Ok(slot) => {
                    let stream = Patient::new(stream, limits.write_timeout);
                    let connection = http.serve_connection(TokioIo::new(stream), edge.for_peer(peer));
                    tokio::spawn(keep_up(graceful.watch(connection), slot));
                }
                Err(_) => refuse(stream),
            },
            // Out of file handles, most likely: they come back as connections end.
            Err(fault) => {
                tracing::warn!(%fault, "Connection could not be accepted");
                tokio::time::sleep(PAUSE_AFTER_FAULT).await;
            }
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

fn http_builder(limits: &ServerLimits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_buf_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        .half_close(false);
    http
}

async fn keep_up(connection: impl Future<Output = hyper::Result<()>>, slot: OwnedSemaphorePermit) {
    if let Err(fault) = connection.await {
        tracing::debug!(%fault, "Connection ended");
    }
    drop(slot);
}

/// Best effort: a client that does not read it is cut off all the same.
fn refuse(stream: TcpStream) {
    metrics::counter!("gateway_connections_refused_total").increment(1);
    let _ = stream.into_std().and_then(|mut stream| stream.write(FULL));
}

/// A stream whose reader must take something now and then.
struct Patient {
    stream: TcpStream,
    write_timeout: Duration,
    stuck: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream, write_timeout: Duration) -> Self {
        // Without it small answers wait for acknowledgements; a socket that refuses is only slower.
        let _ = stream.set_nodelay(true);
        Self {
            stream,
            write_timeout,
            stuck: None,
        }
    }

    /// Starts the clock when a write has to wait, and stops it when one went through.
    fn timed<T>(&mut self, context: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stuck = None;
            return outcome;
        }
        let wait = self.write_timeout;
        let stuck = self
            .stuck
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(wait)));
        match stuck.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, data);
        self.timed(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.timed(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

//! Accepted connections of a gRPC port, after their handshake.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::BoxStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tonic::transport::server::{Connected, TcpIncoming};

use super::identity::name_of;
use super::{Peer, Tls};

/// A client that sends nothing is disconnected.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(5);
/// Further connections wait in the kernel's queue.
const HANDSHAKES_AT_ONCE: usize = 256;

/// A connection and its caller.
pub(crate) struct PeerStream {
    // Boxed: a plain connection is much smaller.
    io: Either<TcpStream, Box<TlsStream<TcpStream>>>,
    peer: Peer,
}

/// Connections of `listener`; without TLS their callers are unknown.
pub(crate) fn incoming(
    listener: TcpListener,
    tls: Option<Tls>,
) -> BoxStream<'static, io::Result<PeerStream>> {
    let accepted = TcpIncoming::from(listener).with_nodelay(Some(true));
    let Some(tls) = tls else {
        return accepted.map(|stream| stream.map(PeerStream::plain)).boxed();
    };
    accepted
        .map(move |stream| {
            let tls = tls.clone();
            // A task of its own: handshakes use all cores.
            let handshake = stream.map(|stream| tokio::spawn(handshake(stream, tls)));
            async move {
                match handshake {
                    Ok(handshake) => handshake.await.ok().flatten().map(Ok),
                    Err(error) => Some(Err(error)),
                }
            }
        })
        .buffer_unordered(HANDSHAKES_AT_ONCE)
        .filter_map(std::future::ready)
        .boxed()
}

/// `None` after a failure, which concerns only this client.
async fn handshake(stream: TcpStream, tls: Tls) -> Option<PeerStream> {
    let accepting = TlsAcceptor::from(tls.server()).accept(stream);
    let failure = match tokio::time::timeout(HANDSHAKE_LIMIT, accepting).await {
        Ok(Ok(stream)) => match caller(&stream) {
            Some(peer) => return Some(PeerStream::tls(stream, peer)),
            None => "the certificate does not name one service".to_owned(),
        },
        Ok(Err(error)) => error.to_string(),
        Err(_) => "too slow".to_owned(),
    };
    tracing::debug!(failure, "TLS handshake failed");
    metrics::counter!("grpc_handshakes_failed_total", "service" => tls.name().to_string()).increment(1);
    None
}

fn caller(stream: &TlsStream<TcpStream>) -> Option<Peer> {
    let (_, connection) = stream.get_ref();
    let certificate = connection.peer_certificates()?.first()?;
    name_of(certificate).map(Peer::named)
}

impl PeerStream {
    fn plain(stream: TcpStream) -> Self {
        Self {
            io: Either::Left(stream),
            peer: Peer::UNKNOWN,
        }
    }

    fn tls(stream: TlsStream<TcpStream>, peer: Peer) -> Self {
        Self {
            io: Either::Right(Box::new(stream)),
            peer,
        }
    }
}

/// tonic adds it to the extensions of each request.
impl Connected for PeerStream {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl AsyncRead for PeerStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_read(context, buffer)
    }
}

impl AsyncWrite for PeerStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().io).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_shutdown(context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().io).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
}

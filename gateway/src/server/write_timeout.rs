//! A TCP stream that fails when the client accepts no bytes for the write timeout.
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

pub struct WriteTimeoutStream {
    stream: TcpStream,
    write_timeout: Duration,
    write_deadline: Option<Pin<Box<Sleep>>>,
    /// Bytes the fast path has read but not handled.
    unread: Bytes,
}

impl WriteTimeoutStream {
    pub fn new(stream: TcpStream, write_timeout: Duration) -> Self {
        // Without it small answers wait for acknowledgements; a socket that refuses is only slower.
        let _ = stream.set_nodelay(true);
        Self {
            stream,
            write_timeout,
            write_deadline: None,
            unread: Bytes::new(),
        }
    }

    pub fn into_std(self) -> io::Result<std::net::TcpStream> {
        self.stream.into_std()
    }

    pub fn put_back(&mut self, unread: Bytes) {
        self.unread = unread;
    }

    /// Starts the clock when a write has to wait, and stops it when one went through.
    fn with_write_timeout<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.write_deadline = None;
            return outcome;
        }
        let wait = self.write_timeout;
        let stuck = self
            .write_deadline
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(wait)));
        match stuck.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.unread.is_empty() {
            let length = self.unread.len().min(buffer.remaining());
            buffer.put_slice(&self.unread[..length]);
            self.unread.advance(length);
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, data);
        self.with_write_timeout(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.with_write_timeout(context, outcome)
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

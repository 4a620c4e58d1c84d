//! A thread per core, each with its own share of the connections: what the page cache holds is answered where it was
//! read, without waking another thread.
use std::io;
use std::net::{SocketAddr, TcpStream as BlockingStream};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::LocalSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::direct::{self, End};
use super::http_builder;
use super::patient::Patient;
use crate::config::ServerLimits;
use crate::edge::{Edge, PeerEdge};

pub struct Workers {
    workers: Vec<Worker>,
    next: AtomicUsize,
}

struct Worker {
    // Bounded by the permits the connections hold.
    connections: UnboundedSender<Connection>,
    finished: oneshot::Receiver<()>,
}

struct Connection {
    stream: BlockingStream,
    peer: SocketAddr,
    slot: OwnedSemaphorePermit,
}

impl Workers {
    pub fn start(edge: &Edge, limits: &ServerLimits) -> io::Result<Self> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let workers = (0..cores)
            .map(|number| Worker::start(number, edge.clone(), limits.clone()))
            .collect::<io::Result<_>>()?;
        Ok(Self {
            workers,
            next: AtomicUsize::new(0),
        })
    }

    /// In turn: connections live long, and which of them will be busy is unknown.
    pub fn take(&self, stream: TcpStream, peer: SocketAddr, slot: OwnedSemaphorePermit) {
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.workers.len();
        match stream.into_std() {
            Ok(stream) => {
                let _ = self.workers[turn]
                    .connections
                    .send(Connection { stream, peer, slot });
            }
            Err(fault) => tracing::debug!(%fault, "Connection could not be handed on"),
        }
    }

    /// Takes no more, and waits for what is at hand.
    pub async fn finish(self) {
        for worker in self.workers {
            drop(worker.connections);
            // An error means that the thread is gone already.
            let _ = worker.finished.await;
        }
    }
}

impl Worker {
    fn start(number: usize, edge: Edge, limits: ServerLimits) -> io::Result<Self> {
        let (connections, incoming) = unbounded_channel();
        let (done, finished) = oneshot::channel();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new()
            .name(format!("http-{number}"))
            .spawn(move || {
                work(&runtime, incoming, &edge, &limits);
                let _ = done.send(());
            })?;
        Ok(Self {
            connections,
            finished,
        })
    }
}

fn work(runtime: &Runtime, mut incoming: UnboundedReceiver<Connection>, edge: &Edge, limits: &ServerLimits) {
    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    LocalSet::new().block_on(runtime, async {
        while let Some(connection) = incoming.recv().await {
            tasks.spawn_local(connection.serve(edge.clone(), limits.clone(), stop.clone()));
        }
        stop.cancel();
        tasks.close();
        tasks.wait().await;
    });
}

impl Connection {
    async fn serve(self, edge: Edge, limits: ServerLimits, stop: CancellationToken) {
        let ended = match TcpStream::from_std(self.stream) {
            Ok(stream) => {
                let stream = Patient::new(stream, limits.write_timeout);
                converse(stream, edge.for_peer(self.peer), &limits, &stop).await
            }
            Err(fault) => Err(fault.into()),
        };
        if let Err(fault) = ended {
            tracing::debug!(%fault, "Connection ended");
        }
        drop(self.slot);
    }
}

/// Directly as long as stored pages are asked for, through the routes from the first other request on.
async fn converse(
    mut stream: Patient,
    edge: PeerEdge,
    limits: &ServerLimits,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    match direct::serve(&mut stream, edge.pages(), limits.header_timeout, stop).await? {
        End::Closed => return Ok(()),
        End::Other(unread) => stream.put_back(unread),
    }
    let mut connection = pin!(http_builder(limits).serve_connection(TokioIo::new(stream), edge));
    tokio::select! {
        ended = &mut connection => return Ok(ended?),
        () = stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    Ok(connection.await?)
}

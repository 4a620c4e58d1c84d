//! A thread per core, each with its own share of the connections: what the page cache holds is answered where it was
//! read, without waking another thread. A connection that wants more moves to where the routes and all they call live.
use std::io;
use std::net::{SocketAddr, TcpStream as BlockingStream};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bytes::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::LocalSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::fast_path::{self, Outcome};
use super::http_builder;
use super::write_timeout::WriteTimeoutStream;
use crate::config::ServerLimits;
use crate::server::cached_router::CachedRouter;

pub struct Workers {
    threads: Vec<Worker>,
    next: AtomicUsize,
    shared: Arc<Shared>,
}

struct Worker {
    // Bounded by the permits the connections hold.
    connections: UnboundedSender<Connection>,
    finished: oneshot::Receiver<()>,
}

/// What every connection needs.
struct Shared {
    edge: CachedRouter,
    limits: ServerLimits,
    stop: CancellationToken,
    /// Where routes run. What they wait for is waited for there, so an answer that came wakes no second thread.
    home: Handle,
    at_home: TaskTracker,
}

struct Connection {
    stream: BlockingStream,
    peer: SocketAddr,
    slot: OwnedSemaphorePermit,
}

impl Workers {
    /// Routes run on the runtime this is called on.
    pub fn start(edge: CachedRouter, limits: ServerLimits) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            edge,
            limits,
            stop: CancellationToken::new(),
            home: Handle::current(),
            at_home: TaskTracker::new(),
        });
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = (0..cores)
            .map(|number| Worker::start(number, Arc::clone(&shared)))
            .collect::<io::Result<_>>()?;
        Ok(Self {
            threads,
            next: AtomicUsize::new(0),
            shared,
        })
    }

    /// In turn: connections live long, and which of them will be busy is unknown.
    pub fn take(&self, stream: TcpStream, peer: SocketAddr, slot: OwnedSemaphorePermit) {
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.threads.len();
        match stream.into_std() {
            Ok(stream) => {
                let _ = self.threads[turn]
                    .connections
                    .send(Connection { stream, peer, slot });
            }
            Err(error) => tracing::debug!(%error, "connection not handed to a worker; closed"),
        }
    }

    /// Takes no more, and waits for what is at hand.
    pub async fn finish(self) {
        self.shared.stop.cancel();
        for worker in self.threads {
            drop(worker.connections);
            // An error means that the thread is gone already.
            let _ = worker.finished.await;
        }
        self.shared.at_home.close();
        self.shared.at_home.wait().await;
    }
}

impl Worker {
    fn start(number: usize, shared: Arc<Shared>) -> io::Result<Self> {
        let (connections, incoming) = unbounded_channel();
        let (done, finished) = oneshot::channel();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        thread::Builder::new()
            .name(format!("http-{number}"))
            .spawn(move || {
                work(&runtime, incoming, &shared);
                let _ = done.send(());
            })?;
        Ok(Self {
            connections,
            finished,
        })
    }
}

fn work(runtime: &Runtime, mut incoming: UnboundedReceiver<Connection>, shared: &Arc<Shared>) {
    let tasks = TaskTracker::new();
    LocalSet::new().block_on(runtime, async {
        while let Some(connection) = incoming.recv().await {
            tasks.spawn_local(connection.serve(Arc::clone(shared)));
        }
        tasks.close();
        tasks.wait().await;
    });
}

impl Connection {
    /// Directly as long as stored pages are asked for, through the routes from the first other request on.
    async fn serve(self, shared: Arc<Shared>) {
        let Self { stream, peer, slot } = self;
        match directly(stream, &shared).await {
            Ok(None) => {}
            Ok(Some(moving)) => {
                let at_home = Arc::clone(&shared);
                let serving = async move {
                    if let Err(error) = through_routes(moving, peer, &at_home).await {
                        tracing::debug!(%error, "connection ended");
                    }
                    drop(slot);
                };
                shared.at_home.spawn_on(serving, &shared.home);
            }
            Err(error) => tracing::debug!(%error, "connection ended"),
        }
    }
}

/// A connection between two runtimes, and what was read of it.
struct Moving {
    stream: BlockingStream,
    unread: Bytes,
}

async fn directly(stream: BlockingStream, shared: &Shared) -> io::Result<Option<Moving>> {
    let mut stream = WriteTimeoutStream::new(TcpStream::from_std(stream)?, shared.limits.write_timeout);
    let end = fast_path::serve(
        &mut stream,
        shared.edge.pages(),
        shared.limits.header_timeout,
        &shared.stop,
    );
    Ok(match end.await? {
        Outcome::Closed => None,
        Outcome::Unhandled(unread) => Some(Moving {
            stream: stream.into_std()?,
            unread,
        }),
    })
}

async fn through_routes(moving: Moving, peer: SocketAddr, shared: &Shared) -> anyhow::Result<()> {
    let mut stream =
        WriteTimeoutStream::new(TcpStream::from_std(moving.stream)?, shared.limits.write_timeout);
    stream.put_back(moving.unread);
    let edge = shared.edge.for_peer(peer);
    let mut connection = pin!(http_builder(&shared.limits).serve_connection(TokioIo::new(stream), edge));
    tokio::select! {
        ended = &mut connection => return Ok(ended?),
        () = shared.stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    Ok(connection.await?)
}

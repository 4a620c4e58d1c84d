//! Finds a service: in this process if it lives here, else at its address.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;
use tonic::transport::{Channel, Endpoint};
use tower::{Service, ServiceExt};

use super::outward::Outward;
use super::{Inward, Rpc, services};
use crate::config::Env;
use crate::error::Failure;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// Which services live in this process.
#[derive(Clone, Debug)]
pub(crate) enum Residents {
    Only(BTreeSet<&'static str>),
    /// In tests: all whose address is not set.
    AllWithoutAddress,
}

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Directory {
    env: Env,
    residents: Residents,
    rooms: Arc<Mutex<HashMap<&'static str, Room>>>,
    channels: Arc<Mutex<HashMap<String, Channel>>>,
}

impl Directory {
    pub(crate) fn new(env: Env, residents: Residents) -> Self {
        Self {
            env,
            residents,
            rooms: Arc::default(),
            channels: Arc::default(),
        }
    }

    /// A client of `service`, usable before that service has started and through its restarts. Must be called on a
    /// Tokio runtime.
    pub fn client(&self, service: &'static str) -> Rpc {
        if self.lives_here(service) {
            Rpc::new(Outward::new(self.room(service)))
        } else {
            self.remote(service)
        }
    }

    /// From now on calls to `service` are answered by this.
    pub(crate) fn move_in(&self, service: &'static str, inward: Inward) {
        self.room(service).set(inward);
    }

    fn lives_here(&self, service: &str) -> bool {
        match &self.residents {
            Residents::Only(names) => names.contains(service),
            Residents::AllWithoutAddress => self.address_of(service).is_none(),
        }
    }

    fn address_of(&self, service: &str) -> Option<&str> {
        self.env.get(services::find(service)?.url_variable)
    }

    fn room(&self, service: &'static str) -> Room {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        rooms.entry(service).or_default().clone()
    }

    fn remote(&self, service: &'static str) -> Rpc {
        let address = match (self.address_of(service), services::find(service)) {
            (Some(address), _) => address.to_owned(),
            (None, Some(known)) => known.default_url(),
            (None, None) => String::new(),
        };
        match self.channel(&address) {
            Ok(channel) => {
                let calls =
                    ServiceExt::<Request<Body>>::map_err(channel, |error: tonic::transport::Error| {
                        Status::from_error(Box::new(error))
                    });
                Rpc::new(Outward::new(calls))
            }
            Err(error) => {
                tracing::error!(%error, service, address, "a service has no usable address");
                Rpc::new(Outward::new(Room::default()))
            }
        }
    }

    /// Connects on first use and again after a loss; all clients of an address share one connection.
    fn channel(&self, address: &str) -> Result<Channel, tonic::transport::Error> {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = channels.get(address) {
            return Ok(channel.clone());
        }
        let channel = Endpoint::from_shared(address.to_owned())?
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(KEEP_ALIVE)
            .keep_alive_timeout(KEEP_ALIVE)
            .connect_lazy();
        channels.insert(address.to_owned(), channel.clone());
        Ok(channel)
    }
}

/// Where a service of this process is to be found; empty until it has started.
#[derive(Clone, Debug, Default)]
struct Room(Arc<RwLock<Option<Inward>>>);

impl Room {
    fn set(&self, inward: Inward) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(inward);
    }

    fn get(&self) -> Option<Inward> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Service<Request<Body>> for Room {
    type Response = Response<Body>;
    type Error = Status;
    type Future = BoxFuture<'static, Result<Response<Body>, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let resident = self.get();
        async move {
            let mut inward = resident.ok_or_else(|| Status::from(Failure::unavailable()))?;
            match inward.call(request).await {
                Ok(response) => Ok(response),
                Err(never) => match never {},
            }
        }
        .boxed()
    }
}

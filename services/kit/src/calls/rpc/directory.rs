//! Finds a service: in this process if it runs here, else at its address.

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

use super::client_stack::ClientStack;
use super::{Rpc, ServerStack};
use proto::services;

use crate::config::Env;
use crate::error::Failure;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// The services that run in this process.
#[derive(Clone, Debug)]
pub(crate) enum LocalServices {
    Only(BTreeSet<&'static str>),
    /// For tests: all services without a configured address.
    AllWithoutAddress,
}

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct ServiceDirectory {
    env: Env,
    local: LocalServices,
    local_services: Arc<Mutex<HashMap<&'static str, LocalService>>>,
    channels: Arc<Mutex<HashMap<String, Channel>>>,
}

impl ServiceDirectory {
    pub(crate) fn new(env: Env, local: LocalServices) -> Self {
        Self {
            env,
            local,
            local_services: Arc::default(),
            channels: Arc::default(),
        }
    }

    /// A client of `service`, usable before that service has started and through its restarts. Must be called on a
    /// Tokio runtime.
    pub fn client(&self, service: &'static str) -> Rpc {
        if self.is_local(service) {
            Rpc::new(ClientStack::new(self.local_service(service)))
        } else {
            self.remote(service)
        }
    }

    /// Routes calls of `service` to `server` from now on.
    pub(crate) fn register_local(&self, service: &'static str, server: ServerStack) {
        self.local_service(service).set(server);
    }

    fn is_local(&self, service: &str) -> bool {
        match &self.local {
            LocalServices::Only(names) => names.contains(service),
            LocalServices::AllWithoutAddress => self.address_of(service).is_none(),
        }
    }

    fn address_of(&self, service: &str) -> Option<&str> {
        self.env.get(services::find(service)?.url_variable)
    }

    fn local_service(&self, service: &'static str) -> LocalService {
        let mut local_services = self.local_services.lock().unwrap_or_else(PoisonError::into_inner);
        local_services.entry(service).or_default().clone()
    }

    fn remote(&self, service: &'static str) -> Rpc {
        let address = match (self.address_of(service), services::find(service)) {
            (Some(address), _) => address.to_owned(),
            (None, Some(service_address)) => service_address.default_url(),
            (None, None) => String::new(),
        };
        match self.channel(&address) {
            Ok(channel) => {
                let calls =
                    ServiceExt::<Request<Body>>::map_err(channel, |error: tonic::transport::Error| {
                        Status::from_error(Box::new(error))
                    });
                Rpc::new(ClientStack::new(calls))
            }
            Err(error) => {
                tracing::error!(%error, service, address, "no usable address of the service; its calls fail");
                Rpc::new(ClientStack::new(LocalService::default()))
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

/// The slot of a service in this process; empty until it has started.
#[derive(Clone, Debug, Default)]
struct LocalService(Arc<RwLock<Option<ServerStack>>>);

impl LocalService {
    fn set(&self, server: ServerStack) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(server);
    }

    fn get(&self) -> Option<ServerStack> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Service<Request<Body>> for LocalService {
    type Response = Response<Body>;
    type Error = Status;
    type Future = BoxFuture<'static, Result<Response<Body>, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let local = self.get();
        async move {
            let mut server = local.ok_or_else(|| Status::from(Failure::unavailable()))?;
            match server.call(request).await {
                Ok(response) => Ok(response),
                Err(never) => match never {},
            }
        }
        .boxed()
    }
}

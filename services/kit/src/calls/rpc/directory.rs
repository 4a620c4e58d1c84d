//! Finds a service: in this process if it runs here, else at its address. A call has the name of its caller: of the service in this
//! process, else of the certificate.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::task::{Context, Poll};

use futures::FutureExt;
use futures::future::BoxFuture;
use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;
use tonic::transport::Channel;
use tower::{Service, ServiceExt};

use super::channel::{ChannelError, channel, default_address};
use super::client_stack::ClientStack;
use super::{Rpc, ServerStack};
use proto::services;

use crate::config::Env;
use crate::error::Failure;
use crate::tls::{Peer, Tls};

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
    /// Without it, calls of other processes are not encrypted and have no caller.
    tls: Option<Tls>,
    /// The caller of services in this process.
    caller: Peer,
    local_services: Arc<Mutex<HashMap<&'static str, Slot>>>,
    channels: Arc<Mutex<HashMap<ChannelKey, Channel>>>,
}

/// A certificate is valid for one service, so a connection is used for one service.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ChannelKey {
    service: &'static str,
    address: String,
}

impl ServiceDirectory {
    pub(crate) fn new(env: Env, local: LocalServices, tls: Option<Tls>) -> Self {
        Self {
            env,
            local,
            tls,
            caller: Peer::UNKNOWN,
            local_services: Arc::default(),
            channels: Arc::default(),
        }
    }

    /// The directory of the service `name` in this process. Calls of other processes have the name of the certificate.
    pub(crate) fn as_caller(&self, name: &str) -> Self {
        Self {
            caller: Peer::named(name),
            ..self.clone()
        }
    }

    /// The directory of another process, for tests.
    pub(crate) fn as_process(&self, caller: Peer, tls: Option<Tls>) -> Self {
        Self {
            caller,
            tls,
            channels: Arc::default(),
            ..self.clone()
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
        self.slot(service).set(server);
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
        LocalService {
            slot: self.slot(service),
            caller: self.caller.clone(),
        }
    }

    fn slot(&self, service: &'static str) -> Slot {
        let mut local_services = self.local_services.lock().unwrap_or_else(PoisonError::into_inner);
        local_services.entry(service).or_default().clone()
    }

    fn remote(&self, service: &'static str) -> Rpc {
        let address = match (self.address_of(service), services::find(service)) {
            (Some(address), _) => address.to_owned(),
            (None, Some(service_address)) => default_address(service_address, self.tls.as_ref()),
            (None, None) => String::new(),
        };
        match self.channel(service, &address) {
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

    /// Connects on first use and again after a loss; all clients of a service share one connection.
    fn channel(&self, service: &'static str, address: &str) -> Result<Channel, ChannelError> {
        let key = ChannelKey {
            service,
            address: address.to_owned(),
        };
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = channels.get(&key) {
            return Ok(channel.clone());
        }
        let channel = channel(service, address, self.tls.clone())?;
        channels.insert(key, channel.clone());
        Ok(channel)
    }
}

/// The slot of a service in this process; empty until it has started.
#[derive(Clone, Debug, Default)]
struct Slot(Arc<RwLock<Option<ServerStack>>>);

impl Slot {
    fn set(&self, server: ServerStack) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(server);
    }

    fn get(&self) -> Option<ServerStack> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A service in this process, called by another one.
#[derive(Clone, Debug, Default)]
struct LocalService {
    slot: Slot,
    caller: Peer,
}

impl Service<Request<Body>> for LocalService {
    type Response = Response<Body>;
    type Error = Status;
    type Future = BoxFuture<'static, Result<Response<Body>, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let local = self.slot.get();
        request.extensions_mut().insert(self.caller.clone());
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

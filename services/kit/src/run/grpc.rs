//! A service's gRPC port, with the standard health service, and reflection outside of production.

use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};

use super::{AppContext, Service};
use crate::rpc::{CallerRules, ServerStack};
use crate::tls::{self, Tls};

const CONNECTION_KEEP_ALIVE: Duration = Duration::from_secs(30);

/// What a service listens with.
pub(crate) struct Port {
    pub listener: TcpListener,
    pub rules: CallerRules,
    /// Without it, connections are not encrypted and all callers are unknown.
    pub tls: Option<Tls>,
}

pub(crate) struct GrpcServer {
    listener: TcpListener,
    tls: Option<Tls>,
    server: ServerStack,
    /// The empty name is the health of the whole process.
    health: HealthReporter,
    names: Vec<&'static str>,
}

impl GrpcServer {
    pub async fn new(
        context: &AppContext,
        name: &'static str,
        service: &Service,
        port: Port,
    ) -> Result<Self, tonic_reflection::server::Error> {
        let health = HealthReporter::new();
        let mut routes =
            service
                .routes
                .clone()
                .add_service(HealthServer::new(HealthService::from_health_reporter(
                    health.clone(),
                )));
        if !context.env.is_production() {
            let reflection = tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(proto::DESCRIPTORS)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
                .build_v1()?;
            routes = routes.add_service(reflection);
        }
        let names = [&service.grpc_names[..], &[""]].concat();
        set_health(&health, &names, ServingStatus::Serving).await;
        Ok(Self {
            listener: port.listener,
            tls: port.tls,
            server: ServerStack::new(name, port.rules, routes),
            health,
            names,
        })
    }

    /// Serves until `stop`, then finishes open requests.
    pub async fn run(self, stop: CancellationToken) {
        // Health watchers see the shutdown before the port closes.
        let draining = async move {
            stop.cancelled().await;
            set_health(&self.health, &self.names, ServingStatus::NotServing).await;
        };
        let incoming = tls::incoming(self.listener, self.tls);
        let served = Server::builder()
            .http2_keepalive_interval(Some(CONNECTION_KEEP_ALIVE))
            .serve_with_incoming_shutdown(self.server, incoming, draining)
            .await;
        if let Err(error) = served {
            tracing::error!(%error, "gRPC server stopped");
        }
    }
}

async fn set_health(health: &HealthReporter, names: &[&'static str], status: ServingStatus) {
    for name in names {
        health.set_service_status(*name, status).await;
    }
}

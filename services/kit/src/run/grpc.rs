//! A service's gRPC port, with the standard health and reflection services.

use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};

use super::Service;
use crate::rpc::ServerStack;

const CONNECTION_KEEP_ALIVE: Duration = Duration::from_secs(30);

pub(crate) struct GrpcServer {
    listener: TcpListener,
    server: ServerStack,
    /// The empty name is the health of the whole process.
    health: HealthReporter,
    names: Vec<&'static str>,
}

impl GrpcServer {
    pub async fn new(
        name: &'static str,
        service: &Service,
        listener: TcpListener,
    ) -> Result<Self, tonic_reflection::server::Error> {
        let reflection = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(proto::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            .build_v1()?;
        let health = HealthReporter::new();
        let routes = service
            .routes
            .clone()
            .add_service(HealthServer::new(HealthService::from_health_reporter(
                health.clone(),
            )))
            .add_service(reflection);
        let names = [&service.grpc_names[..], &[""]].concat();
        set_health(&health, &names, ServingStatus::Serving).await;
        Ok(Self {
            listener,
            server: ServerStack::new(name, routes),
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
        let incoming = TcpIncoming::from(self.listener).with_nodelay(Some(true));
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

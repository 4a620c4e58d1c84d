//! What sessions may publish and consume, and who may call it.

use kit::erasure::requests;
use kit::run::{Access, Caller};
use proto::sessions::v1::sessions_service_server;

pub const ACCESS: Access = Access {
    publishes: &["sessions"],
    consumers: &[requests("sessions-erasure")],
    watches: &[],
    callers: &[Caller {
        name: "gateway",
        grpc_service: sessions_service_server::SERVICE_NAME,
        rpcs: &["WriteAiText", "ExportMember"],
    }],
};

//! What analytics may publish and consume, and who may call it.

use kit::erasure::requests;
use kit::run::{Access, Caller};
use proto::analytics::v1::analytics_service_server;

use crate::consumers::EVERYTHING;

pub const ACCESS: Access = Access {
    publishes: &["analytics", "web"],
    consumers: &[EVERYTHING, requests("analytics-erasure")],
    watches: &[],
    callers: &[Caller {
        name: "gateway",
        grpc_service: analytics_service_server::SERVICE_NAME,
        rpcs: &["RecordWebEvents", "Summarize", "ExportMember"],
    }],
};

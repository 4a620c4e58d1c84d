//! All services with their default ports and the settings of their addresses.

/// Default address of a service.
#[derive(Debug)]
pub struct ServiceAddress {
    pub name: &'static str,
    /// The setting with the service's URL for other processes.
    pub url_variable: &'static str,
    pub grpc_port: u16,
    pub ops_port: u16,
}

const fn service(
    name: &'static str,
    url_variable: &'static str,
    grpc_port: u16,
    ops_port: u16,
) -> ServiceAddress {
    ServiceAddress {
        name,
        url_variable,
        grpc_port,
        ops_port,
    }
}

pub const SERVICES: [ServiceAddress; 8] = [
    service("content", "CONTENT_URL", 50051, 9091),
    service("auth", "AUTH_URL", 50052, 9092),
    service("checkout", "CHECKOUT_URL", 50053, 9093),
    service("gift", "GIFT_URL", 50054, 9094),
    service("b2b", "B2B_URL", 50055, 9095),
    service("partner-benefit", "PARTNER_BENEFIT_URL", 50056, 9096),
    service("sessions", "SESSIONS_URL", 50057, 9097),
    service("analytics", "ANALYTICS_URL", 50058, 9098),
];

#[must_use]
pub fn find(name: &str) -> Option<&'static ServiceAddress> {
    SERVICES.iter().find(|service| service.name == name)
}

impl ServiceAddress {
    /// Host and port.
    #[must_use]
    pub fn default_authority(&self) -> String {
        format!("127.0.0.1:{}", self.grpc_port)
    }
}

//! The services there are, and where each listens unless told otherwise.

/// A service's place in the house.
#[derive(Debug)]
pub(crate) struct Known {
    pub name: &'static str,
    /// The variable that says where it is, when it is not in this process.
    pub url_variable: &'static str,
    pub grpc_port: u16,
    pub ops_port: u16,
}

const fn known(name: &'static str, url_variable: &'static str, grpc_port: u16, ops_port: u16) -> Known {
    Known {
        name,
        url_variable,
        grpc_port,
        ops_port,
    }
}

pub(crate) const KNOWN: [Known; 8] = [
    known("content", "CONTENT_URL", 50051, 9091),
    known("auth", "AUTH_URL", 50052, 9092),
    known("checkout", "CHECKOUT_URL", 50053, 9093),
    known("gift", "GIFT_URL", 50054, 9094),
    known("b2b", "B2B_URL", 50055, 9095),
    known("partner-benefit", "PARTNER_BENEFIT_URL", 50056, 9096),
    known("sessions", "SESSIONS_URL", 50057, 9097),
    known("analytics", "ANALYTICS_URL", 50058, 9098),
];

pub(crate) fn find(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

impl Known {
    pub fn default_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.grpc_port)
    }
}

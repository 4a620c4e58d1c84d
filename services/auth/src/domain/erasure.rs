//! Erasures: participating services and their reports.
use chrono::{DateTime, Utc};

kit::typed_id! {
    /// Id of an erasure, printed on the receipt. It grants no access.
    pub ErasureId = "ers"
}

/// Accounts end in this very service.
pub const AUTH: &str = "auth";

/// Other services with member data.
pub const OTHER_SERVICES: [&str; 3] = ["checkout", "sessions", "analytics"];

#[derive(Clone, Debug)]
pub struct Erasure {
    pub id: ErasureId,
    pub requested_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
    pub reports: Vec<ServiceReport>,
}

#[derive(Clone, Debug)]
pub struct ServiceReport {
    pub service: String,
    pub erased_at: Option<DateTime<Utc>>,
    pub kept: Vec<String>,
}

impl Erasure {
    pub fn is_complete(&self) -> bool {
        self.reports.iter().all(|report| report.erased_at.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_erasure_waits_for_the_last() {
        let report = |erased_at| ServiceReport {
            service: "checkout".to_owned(),
            erased_at,
            kept: Vec::new(),
        };
        let mut erasure = Erasure {
            id: ErasureId::new(DateTime::UNIX_EPOCH),
            requested_at: DateTime::UNIX_EPOCH,
            finished_at: None,
            reports: vec![report(Some(DateTime::UNIX_EPOCH)), report(None)],
        };
        assert!(!erasure.is_complete());
        erasure.reports.pop();
        assert!(erasure.is_complete());
    }
}

//! What all simulators of one sandbox share.

use super::{faults::Faults, request_log::RequestLog, virtual_clock::VirtualClock};

pub struct Environment {
    pub clock: VirtualClock,
    pub faults: Faults,
    pub request_log: RequestLog,
}

impl Environment {
    /// The virtual time in Unix seconds.
    pub fn now(&self) -> i64 {
        self.clock.now().timestamp()
    }
}

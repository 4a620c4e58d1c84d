//! What a service may publish and consume, and who may call it. The permissions of the broker are generated from it
//! (`standalone access nats`), and calls are checked against it.

use crate::consumer::ConsumerSpec;
use crate::rpc::Caller;

/// Declared once per service, in its `app/access.rs`. Everything else is forbidden.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The second tokens of the subjects it owns: `checkout` for `stillpoint.checkout.>`.
    pub publishes: &'static [&'static str],
    /// Its durable consumers.
    pub consumers: &'static [ConsumerSpec],
    /// Subjects that it watches without a durable consumer, for caches.
    pub watches: &'static [&'static str],
    /// Who may call its RPCs.
    pub callers: &'static [Caller],
}

impl Access {
    /// A service that neither publishes nor consumes, and that no one calls.
    pub const NONE: Self = Self {
        publishes: &[],
        consumers: &[],
        watches: &[],
        callers: &[],
    };

    /// True for a service that takes no part in events and calls.
    pub(crate) const fn is_none(&self) -> bool {
        self.publishes.is_empty()
            && self.consumers.is_empty()
            && self.watches.is_empty()
            && self.callers.is_empty()
    }
}

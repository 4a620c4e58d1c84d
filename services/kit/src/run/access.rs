//! What a service may publish and consume, and who may call it. The permissions of the broker are generated from it
//! (`standalone access nats`), and calls are checked against it.

use crate::consumer::ConsumerSpec;

/// Declared once per service, in its `access.rs`. Everything else is forbidden.
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

/// The RPCs of one gRPC service that one caller may use.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// The name in the caller's certificate: a service, or `editor`.
    pub name: &'static str,
    /// `stillpoint.checkout.v1.CheckoutService`
    pub grpc_service: &'static str,
    pub rpcs: &'static [&'static str],
}

impl Access {
    /// A service that neither publishes nor consumes, and that no one calls.
    pub const NONE: Self = Self {
        publishes: &[],
        consumers: &[],
        watches: &[],
        callers: &[],
    };
}

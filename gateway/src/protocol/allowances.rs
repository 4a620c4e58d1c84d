//! The body size and the deadline of each route group.
use std::time::Duration;

/// How much one kind of call may send, and how long its answer may take. The time starts when the body is here.
#[derive(Clone, Copy)]
pub struct Allowance {
    pub body_bytes: usize,
    pub deadline: Duration,
}

/// A few fields.
pub const SMALL: Allowance = Allowance {
    body_bytes: 16 * 1024,
    deadline: Duration::from_secs(2),
};
/// Hashing a password is slow on purpose, and hashes wait for one another.
pub const SIGN_IN: Allowance = Allowance {
    body_bytes: 16 * 1024,
    deadline: Duration::from_secs(5),
};
/// A provider of payments may take ten seconds.
pub const PAYMENT: Allowance = Allowance {
    body_bytes: 64 * 1024,
    deadline: Duration::from_secs(12),
};
pub const BATCH: Allowance = Allowance {
    body_bytes: 256 * 1024,
    deadline: Duration::from_secs(3),
};
/// Each report of a browser repeats the whole policy.
pub const REPORT: Allowance = Allowance {
    body_bytes: 64 * 1024,
    deadline: Duration::from_secs(1),
};
pub const WEBHOOK: Allowance = Allowance {
    body_bytes: 256 * 1024,
    deadline: Duration::from_secs(12),
};
pub const SMALL_WEBHOOK: Allowance = Allowance {
    body_bytes: 16 * 1024,
    deadline: Duration::from_secs(12),
};
pub const GRAPHQL: Allowance = Allowance {
    body_bytes: 64 * 1024,
    deadline: Duration::from_secs(2),
};
/// All services export their data about a member.
pub const EXPORT: Allowance = Allowance {
    body_bytes: 16 * 1024,
    deadline: Duration::from_secs(15),
};
/// Longer than the renderer's own timeout: it is the renderer that is late, not the visitor.
pub const PAGE_DEADLINE: Duration = Duration::from_secs(15);

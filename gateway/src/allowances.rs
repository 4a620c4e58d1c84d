//! How much body, and how much time, each kind of call has.
use std::time::Duration;

use crate::security::limits::Allowance;

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
pub const NOTIFICATION: Allowance = Allowance {
    body_bytes: 256 * 1024,
    deadline: Duration::from_secs(12),
};
pub const BRIEF_NOTIFICATION: Allowance = Allowance {
    body_bytes: 16 * 1024,
    deadline: Duration::from_secs(12),
};
pub const QUERY: Allowance = Allowance {
    body_bytes: 64 * 1024,
    deadline: Duration::from_secs(2),
};
/// All services gather what they keep of somebody.
pub const EXPORT: Allowance = Allowance {
    body_bytes: 16 * 1024,
    deadline: Duration::from_secs(15),
};
/// Longer than the renderer's own timeout: it is the renderer that is late, not the visitor.
pub const PAGE_DEADLINE: Duration = Duration::from_secs(15);

//! What auth does, one verb per file. Only flows open transactions.
mod admit_attempt;
mod authenticate;
mod forget_expired;
mod open_session;
mod register;
mod sign_in;
mod sign_out;

use chrono::{DateTime, Utc};
use kit::clock::Clock;
use kit::database::Pool;

use crate::crypto::passwords::Passwords;
use crate::crypto::pseudonyms::Pseudonyms;
use crate::crypto::tokens::SessionToken;
use crate::domain::session::Lifetime;
use crate::domain::throttle::Throttle;
use crate::domain::user::User;

pub use authenticate::{Authenticated, authenticate};
pub use forget_expired::forget_expired;
pub use register::register;
pub use sign_in::sign_in;
pub use sign_out::sign_out;

/// Everything a flow may use.
pub struct Context {
    pub pool: Pool,
    pub clock: Clock,
    pub passwords: Passwords,
    pub pseudonyms: Pseudonyms,
    pub lifetime: Lifetime,
    pub throttle: Throttle,
}

/// A person with the session just opened for them: the only moment the token is known.
pub struct SignedIn {
    pub user: User,
    pub token: SessionToken,
    pub expires_at: DateTime<Utc>,
}

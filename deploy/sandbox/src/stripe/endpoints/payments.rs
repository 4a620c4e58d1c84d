//! Payment methods, intents, charges, refunds, disputes.

pub mod authentication;
pub mod charges;
pub mod disputes;
pub mod payment_intents;
pub mod payment_methods;
pub mod refunds;
pub mod search;
pub mod setup_intents;

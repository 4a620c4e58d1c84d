//! One file per RPC, named as the RPC, and one per operator command.

pub mod operations;
pub mod orders;
pub mod pricing;
pub mod receive_webhook;
pub mod subscriptions;
pub mod surveys;

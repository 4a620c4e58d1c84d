//! Timers, reconcilers and queue workers.

pub mod check_invariants;
pub mod process_webhooks;
pub mod publish_campaigns;
pub mod publish_quote_events;
pub mod reconcile_hosted_checkouts;
pub mod reconcile_payments;
pub mod reconcile_refunds;
pub mod reconcile_subscriptions;
pub mod sync_catalogue;

//! Checkout from outside: gRPC in front, a real Postgres and NATS and Stripe's twin behind.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod confirm_subscription;
mod create_subscription;
mod create_survey_order;
mod erase_member;
mod list_subscriptions;
mod publish_campaigns;
mod quote_offers;
mod receive_webhook;
mod reconcile_payments;
mod repeated_submit;
mod resolve_campaign;
mod sync_prices;
mod trial;
mod twin;
mod world;

//! Checkout from outside: gRPC in front, a real Postgres and NATS and Stripe's twin behind.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod additions;
mod arrears;
mod books;
mod captured_twice;
mod change_subscription;
mod check_bin;
mod command_line;
mod confirm_subscription;
mod contract;
mod coupons;
mod create_subscription;
mod create_survey_order;
mod erase_member;
mod intents;
mod intents_erased;
mod intents_lost;
mod life;
mod list_subscriptions;
mod long_life;
mod paid_trial;
mod publish_campaigns;
mod quote_offers;
mod quotes;
mod receive_webhook;
mod reconcile_payments;
mod refunds;
mod renewals;
mod repeated_submit;
mod resolve_campaign;
mod seeds;
mod survey_payment;
mod sync_prices;
mod trial;
mod twin;
mod world;

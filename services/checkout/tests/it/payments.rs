//! Payments and refunds of any order, and the webhooks and reconcilers that settle them.

mod check_bin;
mod confirm_platron_payment;
mod duplicate_capture;
mod lost_answers;
mod receive_webhook;
mod reconcile_payments;
mod refunds;
mod unconfigured_provider;

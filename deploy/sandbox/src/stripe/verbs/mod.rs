//! What can be asked of the twin: one file per noun, one function per verb.

pub mod authentication;
pub mod charges;
pub mod coupons;
pub mod customers;
pub mod disputes;
pub mod events;
pub mod invoice_payments;
pub mod invoices;
pub mod payment_intents;
pub mod payment_methods;
pub mod previews;
pub mod prices;
pub mod products;
pub mod refunds;
pub mod search;
pub mod setup_intents;
pub mod subscription_form;
pub mod subscription_schedules;
pub mod subscriptions;
pub mod webhook_endpoints;

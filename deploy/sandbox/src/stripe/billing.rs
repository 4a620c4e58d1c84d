//! How money moves: charges, invoices, subscriptions with their schedules, disputes.
//!
//! `charges`, `invoices`, `subscriptions` and `setup_intents` call each other: a paid charge settles its invoice, which activates
//! its subscription; a renewal creates an invoice, which is charged.

pub mod charges;
pub mod disputes;
pub mod invoice_draft;
pub mod invoices;
pub mod payment_intents;
pub mod periods;
pub mod plan;
pub mod proration;
pub mod schedules;
pub mod setup_intents;
pub mod subscriptions;
pub mod timers;

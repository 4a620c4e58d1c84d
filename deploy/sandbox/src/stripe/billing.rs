//! How money moves: charges, invoices, subscriptions with their schedules, disputes.
//!
//! A renewal creates an invoice, which is charged. The charge settles its invoice, which activates its subscription. So
//! `renewals` call `charges`, these `invoice_results`, and these `invoices` and `subscriptions`.

pub mod card_outcomes;
pub mod charges;
pub mod disputes;
pub mod invoice_draft;
pub mod invoice_results;
pub mod invoices;
pub mod payment_intents;
pub mod periods;
pub mod plan;
pub mod proration;
pub mod renewals;
pub mod schedules;
pub mod setup_intents;
pub mod subscriptions;
pub mod timers;

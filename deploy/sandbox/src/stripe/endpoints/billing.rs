//! Subscriptions, their schedules, invoices.

pub mod invoice_payments;
pub mod invoices;
pub mod previews;
pub mod subscription_form;
pub mod subscription_schedules;
pub mod subscriptions;

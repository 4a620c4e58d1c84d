//! What the result of a charge does to its invoice, and to the subscription of that.

use serde_json::json;

use super::{
    invoices,
    subscriptions::{self, PendingEvent},
};
use crate::stripe::{object_kind::Kind, provider::Context};

pub fn paid(ctx: &mut Context<'_>, id: &str) {
    invoices::mark_paid(ctx, id);
    if let Some(payment) = invoices::payment_of(ctx, id) {
        let now = ctx.now;
        ctx.change(Kind::InvoicePayment, &payment, |payment| {
            payment["status"] = json!("paid");
            payment["amount_paid"] = payment["amount_requested"].clone();
            payment["status_transitions"]["paid_at"] = json!(now);
        });
        ctx.emit(Kind::InvoicePayment, &payment, "invoice_payment.paid");
    }
    if let Some(subscription) = invoices::subscription_of(ctx, id) {
        subscriptions::keep_method(ctx, &subscription, invoices::intent_of(ctx, id).as_deref());
        subscriptions::invoice_paid(ctx, &subscription);
    }
}

pub fn needs_action(ctx: &mut Context<'_>, id: &str) {
    unpaid(ctx, id, "invoice.payment_action_required");
}

pub fn payment_failed(ctx: &mut Context<'_>, id: &str) {
    unpaid(ctx, id, "invoice.payment_failed");
}

fn unpaid(ctx: &mut Context<'_>, id: &str, event_type: &str) {
    let pending = match invoices::subscription_of(ctx, id) {
        Some(subscription) => subscriptions::invoice_unpaid(ctx, &subscription, id),
        None => PendingEvent::Nothing,
    };
    ctx.emit(Kind::Invoice, id, event_type);
    pending.emit(ctx);
}

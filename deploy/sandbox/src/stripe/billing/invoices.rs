//! Invoices of subscriptions: draft, finalization with a payment intent, voiding.

use serde_json::{Value, json};

use super::{
    invoice_draft::{self, Bill},
    payment_intents,
};
use crate::stripe::{object_kind::Kind, provider::Context};

/// Stores a draft as the subscription's latest invoice. Emits no event.
pub fn draft(ctx: &mut Context<'_>, bill: &Bill<'_>) -> String {
    let id = Kind::Invoice.new_id();
    let invoice = invoice_draft::write(ctx, bill, &id);
    ctx.insert(Kind::Invoice, invoice);
    ctx.change(Kind::Subscription, bill.subscription, |subscription| {
        subscription["latest_invoice"] = json!(id);
    });
    id
}

/// Opens a draft. A zero invoice is paid at once; any other gets a payment intent.
pub fn finalize(ctx: &mut Context<'_>, id: &str) {
    let invoice = ctx.read(Kind::Invoice, id).clone();
    let customer = invoice["customer"].as_str().unwrap_or_default();
    let sequence = ctx.read(Kind::Customer, customer)["next_invoice_sequence"]
        .as_i64()
        .unwrap_or(1);
    let prefix = ctx.read(Kind::Customer, customer)["invoice_prefix"]
        .as_str()
        .unwrap_or_default();
    let number = format!("{prefix}-{sequence:04}");
    let page = format!("{}/stripe/invoices/{id}", ctx.provider.public_url);
    let now = ctx.now;
    ctx.change(Kind::Customer, customer, |customer| {
        customer["next_invoice_sequence"] = json!(sequence + 1);
    });
    ctx.change(Kind::Invoice, id, |invoice| {
        invoice["status"] = json!("open");
        invoice["number"] = json!(number);
        invoice["effective_at"] = json!(now);
        invoice["ending_balance"] = json!(0);
        invoice["hosted_invoice_url"] = json!(page);
        invoice["status_transitions"]["finalized_at"] = json!(now);
    });
    if invoice["total"] == 0 {
        ctx.emit(Kind::Invoice, id, "invoice.finalized");
        mark_paid(ctx, id);
        return;
    }
    let intent = open_intent(ctx, id);
    ctx.emit(Kind::Invoice, id, "invoice.finalized");
    ctx.emit(Kind::PaymentIntent, &intent, "payment_intent.created");
}

fn open_intent(ctx: &mut Context<'_>, id: &str) -> String {
    let invoice = ctx.read(Kind::Invoice, id).clone();
    let first = invoice["billing_reason"] == "subscription_create";
    let amount = invoice["amount_due"].as_i64().unwrap_or_default();
    let mut intent =
        payment_intents::blank(amount, invoice["currency"].as_str().unwrap_or_default(), ctx.now);
    intent["automatic_payment_methods"] = Value::Null;
    intent["capture_method"] = json!("automatic");
    intent["customer"] = invoice["customer"].clone();
    intent["description"] = json!(if first {
        "Subscription creation"
    } else {
        "Subscription update"
    });
    intent["setup_future_usage"] = if first { json!("off_session") } else { Value::Null };
    intent["_invoice"] = json!(id);
    let intent = ctx.insert(Kind::PaymentIntent, intent);
    let payment = json!({
        "id": Kind::InvoicePayment.new_id(),
        "object": "invoice_payment",
        "amount_paid": null,
        "amount_requested": amount,
        "created": ctx.now,
        "currency": invoice["currency"],
        "invoice": id,
        "is_default": true,
        "livemode": false,
        "payment": { "payment_intent": intent, "type": "payment_intent" },
        "status": "open",
        "status_transitions": { "canceled_at": null, "paid_at": null },
    });
    let payment = ctx.insert(Kind::InvoicePayment, payment);
    ctx.change(Kind::Invoice, id, |invoice| {
        invoice["_payment_intent"] = json!(intent);
        invoice["_invoice_payment"] = json!(payment);
    });
    intent
}

pub fn intent_of(ctx: &Context<'_>, id: &str) -> Option<String> {
    ctx.read(Kind::Invoice, id)["_payment_intent"]
        .as_str()
        .map(ToOwned::to_owned)
}

pub fn payment_of(ctx: &Context<'_>, id: &str) -> Option<String> {
    ctx.read(Kind::Invoice, id)["_invoice_payment"]
        .as_str()
        .map(ToOwned::to_owned)
}

pub fn count_attempt(ctx: &mut Context<'_>, id: &str) {
    ctx.change(Kind::Invoice, id, |invoice| {
        invoice["attempted"] = json!(true);
        invoice["attempt_count"] = json!(invoice["attempt_count"].as_i64().unwrap_or_default() + 1);
    });
}

pub fn mark_paid(ctx: &mut Context<'_>, id: &str) {
    let now = ctx.now;
    ctx.change(Kind::Invoice, id, |invoice| {
        invoice["status"] = json!("paid");
        invoice["attempted"] = json!(true);
        invoice["auto_advance"] = json!(false);
        invoice["amount_paid"] = invoice["amount_due"].clone();
        invoice["amount_remaining"] = json!(0);
        invoice["next_payment_attempt"] = Value::Null;
        invoice["status_transitions"]["paid_at"] = json!(now);
    });
    ctx.emit(Kind::Invoice, id, "invoice.paid");
    ctx.emit(Kind::Invoice, id, "invoice.payment_succeeded");
}

pub fn void(ctx: &mut Context<'_>, id: &str) {
    let now = ctx.now;
    ctx.change(Kind::Invoice, id, |invoice| {
        invoice["status"] = json!("void");
        invoice["auto_advance"] = json!(false);
        invoice["next_payment_attempt"] = Value::Null;
        invoice["status_transitions"]["voided_at"] = json!(now);
    });
    ctx.emit(Kind::Invoice, id, "invoice.voided");
    if let Some(payment) = payment_of(ctx, id) {
        ctx.change(Kind::InvoicePayment, &payment, |payment| {
            payment["status"] = json!("canceled");
            payment["status_transitions"]["canceled_at"] = json!(now);
        });
    }
    if let Some(intent) = intent_of(ctx, id) {
        payment_intents::cancel(ctx, &intent, Some("void_invoice"));
    }
}

pub fn subscription_of(ctx: &Context<'_>, id: &str) -> Option<String> {
    ctx.read(Kind::Invoice, id)["_subscription"]
        .as_str()
        .map(ToOwned::to_owned)
}

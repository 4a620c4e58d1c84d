//! Payment intents: creation and cancellation.

use serde_json::{Value, json};

use crate::stripe::{
    object_kind::{Kind, random},
    provider::Context,
};

pub fn blank(amount: i64, currency: &str, now: i64) -> Value {
    let id = Kind::PaymentIntent.new_id();
    let secret = format!("{id}_secret_{}", random(25));
    json!({
        "id": id,
        "object": "payment_intent",
        "allowed_payment_method_types": null,
        "amount": amount,
        "amount_capturable": 0,
        "amount_details": { "tip": {} },
        "amount_received": 0,
        "application": null,
        "application_fee_amount": null,
        "automatic_payment_methods": { "allow_redirects": "always", "enabled": true },
        "canceled_at": null,
        "cancellation_reason": null,
        "capture_method": "automatic_async",
        "client_secret": secret,
        "confirmation_method": "automatic",
        "created": now,
        "currency": currency,
        "customer": null,
        "customer_account": null,
        "description": null,
        "excluded_payment_method_types": null,
        "last_payment_error": null,
        "latest_charge": null,
        "livemode": false,
        "managed_payments": null,
        "metadata": {},
        "next_action": null,
        "on_behalf_of": null,
        "payment_method": null,
        "payment_method_configuration_details": null,
        "payment_method_options": { "card": {
            "installments": null, "mandate_options": null, "network": null, "request_three_d_secure": "automatic",
        } },
        "payment_method_types": ["card"],
        "payment_record": null,
        "processing": null,
        "receipt_email": null,
        "review": null,
        "setup_future_usage": null,
        "shipping": null,
        "source": null,
        "statement_descriptor": null,
        "statement_descriptor_suffix": null,
        "status": "requires_payment_method",
        "transfer_data": null,
        "transfer_group": null,
    })
}

pub fn cancel(ctx: &mut Context<'_>, id: &str, reason: Option<&str>) {
    let now = ctx.now;
    ctx.change(Kind::PaymentIntent, id, |pi| {
        pi["status"] = json!("canceled");
        pi["canceled_at"] = json!(now);
        pi["cancellation_reason"] = json!(reason);
        pi["next_action"] = Value::Null;
    });
    ctx.emit(Kind::PaymentIntent, id, "payment_intent.canceled");
}

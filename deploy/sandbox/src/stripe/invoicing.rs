//! A subscription's invoice: drafted, finalized with its payment intent, and followed until it is paid or void.

use serde_json::{Value, json};

use super::{
    charging::{self, Presence, Verdict},
    ctx::Ctx,
    kinds::{Kind, random},
    lists::embedded,
    subscribing::{self, Untold},
    verbs::payment_intents,
};

/// What an invoice is for.
pub struct Bill<'a> {
    pub subscription: &'a str,
    pub reason: &'static str,
    pub start: i64,
    pub end: i64,
    pub terms: Terms,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Terms {
    Trial,
    Charged,
}

/// Makes a draft and puts it on the subscription, without telling anybody yet.
pub fn draft(ctx: &mut Ctx<'_>, bill: &Bill<'_>) -> String {
    let subscription = ctx.read(Kind::Subscription, bill.subscription).clone();
    let id = Kind::Invoice.new_id();
    let lines = lines(&subscription, bill, &id);
    let total: i64 = lines.iter().filter_map(|line| line["amount"].as_i64()).sum();
    let invoice = blank(
        ctx,
        &subscription,
        &Draft {
            bill,
            id: &id,
            lines,
            total,
        },
    );
    ctx.insert(Kind::Invoice, invoice);
    ctx.change(Kind::Subscription, bill.subscription, |subscription| {
        subscription["latest_invoice"] = json!(id);
    });
    id
}

struct Draft<'a> {
    bill: &'a Bill<'a>,
    id: &'a str,
    lines: Vec<Value>,
    total: i64,
}

fn lines(subscription: &Value, bill: &Bill<'_>, invoice: &str) -> Vec<Value> {
    let items = subscription["items"]["data"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    items
        .iter()
        .map(|item| line(subscription, item, bill, invoice))
        .collect()
}

fn line(subscription: &Value, item: &Value, bill: &Bill<'_>, invoice: &str) -> Value {
    let price = &item["price"];
    let quantity = item["quantity"].as_i64().unwrap_or(1);
    let amount = match bill.terms {
        Terms::Trial => 0,
        Terms::Charged => price["unit_amount"].as_i64().unwrap_or_default() * quantity,
    };
    let description = match bill.terms {
        Terms::Trial => "Free trial",
        Terms::Charged => "Subscription",
    };
    json!({
        "id": format!("il_1{}", random(23)),
        "object": "line_item",
        "amount": amount,
        "currency": price["currency"],
        "description": description,
        "discount_amounts": [],
        "discountable": true,
        "discounts": [],
        "invoice": invoice,
        "livemode": false,
        "metadata": subscription["metadata"],
        "parent": {
            "invoice_item_details": null,
            "subscription_item_details": {
                "invoice_item": null,
                "proration": false,
                "proration_details": { "credited_items": null },
                "subscription": subscription["id"],
                "subscription_item": item["id"],
            },
            "type": "subscription_item_details",
        },
        "period": { "end": bill.end, "start": bill.start },
        "pretax_credit_amounts": [],
        "pricing": {
            "price_details": { "price": price["id"], "product": price["product"] },
            "type": "price_details",
            "unit_amount_decimal": price["unit_amount_decimal"],
        },
        "quantity": quantity,
        "quantity_decimal": quantity.to_string(),
        "subscription": subscription["id"],
        "subtotal": amount,
        "taxes": [],
    })
}

fn blank(ctx: &Ctx<'_>, subscription: &Value, draft: &Draft<'_>) -> Value {
    let customer = ctx.read(
        Kind::Customer,
        subscription["customer"].as_str().unwrap_or_default(),
    );
    let mut invoice = json!({
        "id": draft.id,
        "object": "invoice",
        "account_country": "US",
        "account_name": "Stillpoint",
        "amount_due": draft.total,
        "amount_remaining": draft.total,
        "attempted": false,
        "auto_advance": true,
        "automatic_tax": {
            "disabled_reason": null, "enabled": false, "liability": null, "provider": null, "status": null,
        },
        "billing_reason": draft.bill.reason,
        "collection_method": "charge_automatically",
        "created": ctx.now,
        "currency": subscription["currency"],
        "customer": subscription["customer"],
        "customer_tax_exempt": "none",
        "issuer": { "type": "self" },
        "lines": embedded(&format!("/v1/invoices/{}/lines", draft.id), &draft.lines),
        "livemode": false,
        "metadata": {},
        "parent": {
            "quote_details": null,
            "subscription_details": { "metadata": subscription["metadata"], "subscription": subscription["id"] },
            "type": "subscription_details",
        },
        "payment_settings": {
            "default_mandate": null, "payment_method_options": null, "payment_method_types": null,
        },
        "period_end": draft.bill.start,
        "period_start": draft.bill.start,
        "status": "draft",
        "status_transitions": {
            "finalized_at": null, "marked_uncollectible_at": null, "paid_at": null, "voided_at": null,
        },
        "subtotal": draft.total,
        "subtotal_excluding_tax": draft.total,
        "total": draft.total,
        "total_excluding_tax": draft.total,
        "webhooks_delivered_at": ctx.now,
        "_subscription": subscription["id"],
    });
    for (names, value) in [
        (&UNSET[..], Value::Null),
        (&ZERO[..], json!(0)),
        (&EMPTY[..], json!([])),
    ] {
        for name in names {
            invoice[*name] = value.clone();
        }
    }
    for name in ["address", "email", "name", "phone", "shipping"] {
        invoice[format!("customer_{name}")] = customer[name].clone();
    }
    invoice
}

const ZERO: [&str; 7] = [
    "amount_overpaid",
    "amount_paid",
    "amount_shipping",
    "attempt_count",
    "post_payment_credit_notes_amount",
    "pre_payment_credit_notes_amount",
    "starting_balance",
];

const EMPTY: [&str; 6] = [
    "customer_tax_ids",
    "default_tax_rates",
    "discounts",
    "total_discount_amounts",
    "total_pretax_credit_amounts",
    "total_taxes",
];

/// Fields that are there and empty on every invoice of the twin.
const UNSET: [&str; 24] = [
    "account_tax_ids",
    "application",
    "automatically_finalizes_at",
    "custom_fields",
    "customer_account",
    "default_payment_method",
    "default_source",
    "description",
    "due_date",
    "effective_at",
    "ending_balance",
    "footer",
    "from_invoice",
    "last_finalization_error",
    "latest_revision",
    "next_payment_attempt",
    "number",
    "on_behalf_of",
    "receipt_number",
    "rendering",
    "shipping_cost",
    "shipping_details",
    "statement_descriptor",
    "test_clock",
];

/// Opens a draft: an invoice of nothing is paid at once, any other gets its payment intent.
pub fn finalize(ctx: &mut Ctx<'_>, id: &str) {
    let invoice = ctx.read(Kind::Invoice, id).clone();
    let customer = invoice["customer"].as_str().unwrap_or_default();
    let sequence = ctx.read(Kind::Customer, customer)["next_invoice_sequence"]
        .as_i64()
        .unwrap_or(1);
    let prefix = ctx.read(Kind::Customer, customer)["invoice_prefix"]
        .as_str()
        .unwrap_or_default();
    let number = format!("{prefix}-{sequence:04}");
    let page = format!("{}/stripe/invoices/{id}", ctx.house.public_url);
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
        ctx.tell(Kind::Invoice, id, "invoice.finalized");
        mark_paid(ctx, id);
        return;
    }
    let intent = open_intent(ctx, id);
    ctx.tell(Kind::Invoice, id, "invoice.finalized");
    ctx.tell(Kind::PaymentIntent, &intent, "payment_intent.created");
}

fn open_intent(ctx: &mut Ctx<'_>, id: &str) -> String {
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

/// Asks the card for what is due.
pub fn collect(ctx: &mut Ctx<'_>, id: &str, method: &str, presence: Presence) -> Option<Verdict> {
    let intent = intent_of(ctx, id)?;
    let verdict = charging::verdict(ctx.read(Kind::PaymentMethod, method), presence);
    charging::settle(ctx, &intent, method, verdict);
    Some(verdict)
}

pub fn intent_of(ctx: &Ctx<'_>, id: &str) -> Option<String> {
    ctx.read(Kind::Invoice, id)["_payment_intent"]
        .as_str()
        .map(ToOwned::to_owned)
}

pub fn count_attempt(ctx: &mut Ctx<'_>, id: &str) {
    ctx.change(Kind::Invoice, id, |invoice| {
        invoice["attempted"] = json!(true);
        invoice["attempt_count"] = json!(invoice["attempt_count"].as_i64().unwrap_or_default() + 1);
    });
}

pub fn paid(ctx: &mut Ctx<'_>, id: &str) {
    let payment = ctx.read(Kind::Invoice, id)["_invoice_payment"]
        .as_str()
        .map(ToOwned::to_owned);
    mark_paid(ctx, id);
    if let Some(payment) = payment {
        let now = ctx.now;
        ctx.change(Kind::InvoicePayment, &payment, |payment| {
            payment["status"] = json!("paid");
            payment["amount_paid"] = payment["amount_requested"].clone();
            payment["status_transitions"]["paid_at"] = json!(now);
        });
        ctx.tell(Kind::InvoicePayment, &payment, "invoice_payment.paid");
    }
    if let Some(subscription) = subscription_of(ctx, id) {
        subscribing::keep_method(ctx, &subscription, intent_of(ctx, id).as_deref());
        subscribing::invoice_paid(ctx, &subscription);
    }
}

fn mark_paid(ctx: &mut Ctx<'_>, id: &str) {
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
    ctx.tell(Kind::Invoice, id, "invoice.paid");
    ctx.tell(Kind::Invoice, id, "invoice.payment_succeeded");
}

pub fn needs_action(ctx: &mut Ctx<'_>, id: &str) {
    unpaid(ctx, id, "invoice.payment_action_required");
}

pub fn payment_failed(ctx: &mut Ctx<'_>, id: &str) {
    unpaid(ctx, id, "invoice.payment_failed");
}

fn unpaid(ctx: &mut Ctx<'_>, id: &str, event_type: &str) {
    let untold = match subscription_of(ctx, id) {
        Some(subscription) => subscribing::invoice_unpaid(ctx, &subscription, id),
        None => Untold::Nothing,
    };
    ctx.tell(Kind::Invoice, id, event_type);
    untold.tell(ctx);
}

pub fn void(ctx: &mut Ctx<'_>, id: &str) {
    let now = ctx.now;
    ctx.change(Kind::Invoice, id, |invoice| {
        invoice["status"] = json!("void");
        invoice["auto_advance"] = json!(false);
        invoice["next_payment_attempt"] = Value::Null;
        invoice["status_transitions"]["voided_at"] = json!(now);
    });
    ctx.tell(Kind::Invoice, id, "invoice.voided");
    if let Some(intent) = intent_of(ctx, id) {
        payment_intents::abandon(ctx, &intent, Some("void_invoice"));
    }
}

pub fn subscription_of(ctx: &Ctx<'_>, id: &str) -> Option<String> {
    ctx.read(Kind::Invoice, id)["_subscription"]
        .as_str()
        .map(ToOwned::to_owned)
}

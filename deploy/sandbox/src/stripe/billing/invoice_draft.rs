//! Draft invoices: lines, totals, and empty fields.

use serde_json::{Value, json};

use crate::stripe::{
    lists::embedded,
    object_kind::{Kind, random},
    provider::Context,
};

/// The subscription period to invoice.
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

/// Builds the invoice without storing it, also for previews.
pub fn write(ctx: &Context<'_>, bill: &Bill<'_>, id: &str) -> Value {
    let subscription = ctx.read(Kind::Subscription, bill.subscription);
    let lines = lines(subscription, bill, id);
    let total: i64 = lines.iter().filter_map(|line| line["amount"].as_i64()).sum();
    blank(
        ctx,
        subscription,
        &Draft {
            bill,
            id,
            lines,
            total,
        },
    )
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
        "pricing": pricing(price),
        "quantity": quantity,
        "quantity_decimal": quantity.to_string(),
        "subscription": subscription["id"],
        "subtotal": amount,
        "taxes": [],
    })
}

/// The `pricing` field of a line.
pub fn pricing(price: &Value) -> Value {
    json!({
        "price_details": { "price": price["id"], "product": price["product"] },
        "type": "price_details",
        "unit_amount_decimal": price["unit_amount_decimal"],
    })
}

fn blank(ctx: &Context<'_>, subscription: &Value, draft: &Draft<'_>) -> Value {
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

/// Fields that are null on every draft.
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

//! What happened, as it is told to the webhooks.

use serde_json::{Value, json};

use super::Ctx;
use crate::{calendar::rfc3339, ids::random_upper, outbox::Letter};

/// Every event the twin tells, with its summary.
pub const TYPES: [(&str, &str); 14] = [
    ("BILLING.PLAN.CREATED", "A billing plan was created."),
    ("BILLING.PLAN.ACTIVATED", "A billing plan was activated."),
    ("BILLING.PLAN.DEACTIVATED", "A billing plan was deactivated."),
    ("BILLING.SUBSCRIPTION.CREATED", "Subscription created"),
    ("BILLING.SUBSCRIPTION.ACTIVATED", "Subscription activated"),
    ("BILLING.SUBSCRIPTION.UPDATED", "Subscription updated"),
    ("BILLING.SUBSCRIPTION.SUSPENDED", "Subscription suspended"),
    ("BILLING.SUBSCRIPTION.CANCELLED", "Subscription cancelled"),
    ("BILLING.SUBSCRIPTION.EXPIRED", "Subscription expired"),
    (
        "BILLING.SUBSCRIPTION.PAYMENT.FAILED",
        "Payment failed for subscription",
    ),
    (
        "PAYMENT.SALE.PENDING",
        "The state of a payment changed to pending",
    ),
    ("PAYMENT.SALE.COMPLETED", "Payment completed"),
    ("PAYMENT.SALE.REFUNDED", "A sale payment was refunded"),
    ("PAYMENT.SALE.REVERSED", "A sale payment was reversed"),
];

/// About a plan.
pub fn tell_of_plan(ctx: &mut Ctx<'_>, event_type: &str, plan: &Value) {
    tell(ctx, event_type, ("plan", "2.0"), plan);
}

/// About a subscription, as it is now.
pub fn tell_of_subscription(ctx: &mut Ctx<'_>, event_type: &str, id: &str) {
    if let Some(subscription) = ctx.books.subscriptions.get(id) {
        let resource = subscription.shown(ctx.house);
        tell(ctx, event_type, ("subscription", "2.0"), &resource);
    }
}

pub fn tell_of_sale(ctx: &mut Ctx<'_>, event_type: &str, id: &str) {
    if let Some(sale) = ctx.books.sales.get(id) {
        let resource = sale.shown(ctx.house);
        tell(ctx, event_type, ("sale", "1.0"), &resource);
    }
}

pub fn tell_of_refund(ctx: &mut Ctx<'_>, refund: &Value) {
    tell(ctx, "PAYMENT.SALE.REFUNDED", ("refund", "1.0"), refund);
}

/// Less is told of it than PayPal shows when it is asked: not of which sale it is.
pub fn tell_of_reversal(ctx: &mut Ctx<'_>, reversal: &Value) {
    let mut resource = reversal.clone();
    if let Some(resource) = resource.as_object_mut() {
        resource.remove("sale_id");
    }
    tell(ctx, "PAYMENT.SALE.REVERSED", ("sale", "1.0"), &resource);
}

fn tell(ctx: &mut Ctx<'_>, event_type: &str, (resource_type, version): (&str, &str), resource: &Value) {
    let id = format!("WH-{}-{}", random_upper(17), random_upper(17));
    let summary = TYPES.iter().find(|(name, _)| *name == event_type);
    let own = format!("{}/v1/notifications/webhooks-events/{id}", ctx.house.url);
    let event = json!({
        "id": id,
        "event_version": "1.0",
        "create_time": rfc3339(ctx.now),
        "resource_type": resource_type,
        "resource_version": version,
        "event_type": event_type,
        "summary": summary.map(|(_, summary)| *summary),
        "resource": resource,
        "links": [
            { "href": own, "rel": "self", "method": "GET" },
            { "href": format!("{own}/resend"), "rel": "resend", "method": "POST" },
        ],
    });
    ctx.books.remember(&id, event);
    let listening: Vec<String> = ctx
        .books
        .webhooks
        .newest_first()
        .filter(|webhook| webhook.wants(event_type))
        .map(|webhook| webhook.id.clone())
        .collect();
    for endpoint in &listening {
        let letter = Letter {
            event: &id,
            event_type,
            endpoint,
            now: ctx.now,
        };
        ctx.books.agenda.outbox.post(&letter, &ctx.house.faults);
    }
}

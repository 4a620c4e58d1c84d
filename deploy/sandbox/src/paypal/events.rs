//! Events, stored and sent to the webhooks.

use serde_json::{Value, json};

use super::provider::Context;
use crate::engine::{calendar::rfc3339, ids::random_upper};

const EVENTS_MAX: usize = 20_000;

/// The supported event types, with their summaries.
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

pub fn emit_plan_event(ctx: &mut Context<'_>, event_type: &str, plan: &Value) {
    emit(ctx, event_type, "plan", "2.0", plan);
}

/// With the subscription as it is now.
pub fn emit_subscription_event(ctx: &mut Context<'_>, event_type: &str, id: &str) {
    if let Some(subscription) = ctx.state.subscriptions.get(id) {
        let resource = subscription.to_json(ctx.provider);
        emit(ctx, event_type, "subscription", "2.0", &resource);
    }
}

pub fn emit_sale_event(ctx: &mut Context<'_>, event_type: &str, id: &str) {
    if let Some(sale) = ctx.state.sales.get(id) {
        let resource = sale.to_json(ctx.provider);
        emit(ctx, event_type, "sale", "1.0", &resource);
    }
}

pub fn emit_refund_event(ctx: &mut Context<'_>, refund: &Value) {
    emit(ctx, "PAYMENT.SALE.REFUNDED", "refund", "1.0", refund);
}

/// The event lacks the sale's id, which the API shows.
pub fn emit_reversal_event(ctx: &mut Context<'_>, reversal: &Value) {
    let mut resource = reversal.clone();
    if let Some(resource) = resource.as_object_mut() {
        resource.remove("sale_id");
    }
    emit(ctx, "PAYMENT.SALE.REVERSED", "sale", "1.0", &resource);
}

fn emit(ctx: &mut Context<'_>, event_type: &str, resource_type: &str, version: &str, resource: &Value) {
    let id = format!("WH-{}-{}", random_upper(17), random_upper(17));
    let summary = TYPES.iter().find(|(name, _)| *name == event_type);
    let own = format!("{}/v1/notifications/webhooks-events/{id}", ctx.provider.url);
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
    ctx.state.events.put_bounded(&id, event, EVENTS_MAX);
    let endpoints: Vec<String> = ctx
        .state
        .webhooks
        .newest_first()
        .filter(|webhook| webhook.receives(event_type))
        .map(|webhook| webhook.id.clone())
        .collect();
    for endpoint in &endpoints {
        ctx.enqueue_webhook(&id, event_type, endpoint);
    }
}

//! Notifications to the merchant.

use serde_json::{Value, json};

use super::provider::Context;
use crate::engine::ids::uuid;

/// YooKassa sends all notifications to one URL.
const ENDPOINT: &str = "merchant";
const NOTIFICATIONS_MAX: usize = 20_000;

pub fn notify(ctx: &mut Context<'_>, event: &str, object: &Value) {
    let id = uuid();
    let notification = json!({ "type": "notification", "event": event, "object": object });
    ctx.state
        .notifications
        .put_bounded(&id, notification, NOTIFICATIONS_MAX);
    if ctx.state.webhook_url.is_some() {
        ctx.enqueue_webhook(&id, event, ENDPOINT);
    }
}

/// With the payment as it is now.
pub fn notify_payment(ctx: &mut Context<'_>, event: &str, id: &str) {
    if let Some(payment) = ctx.state.payments.get(id) {
        let object = payment.to_json(ctx.provider);
        notify(ctx, event, &object);
    }
}

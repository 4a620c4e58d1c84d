//! The webhook endpoint object.

use serde_json::{Value, json};

use crate::stripe::provider::Webhook;

pub fn build(id: &str, webhook: &Webhook, now: i64) -> Value {
    json!({
        "id": id,
        "object": "webhook_endpoint",
        "api_version": null,
        "application": null,
        "created": now,
        "description": null,
        "enabled_events": webhook.events,
        "livemode": false,
        "metadata": {},
        "status": "enabled",
        "url": webhook.url,
        "_secret": webhook.secret,
    })
}

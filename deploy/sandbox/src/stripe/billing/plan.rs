//! Plans, the older form of prices.

use serde_json::{Value, json};

/// Stripe's subscription items contain the price in both forms.
pub fn plan(price: &Value) -> Value {
    json!({
        "id": price["id"],
        "object": "plan",
        "active": price["active"],
        "amount": price["unit_amount"],
        "amount_decimal": price["unit_amount_decimal"],
        "billing_scheme": "per_unit",
        "created": price["created"],
        "currency": price["currency"],
        "interval": price["recurring"]["interval"],
        "interval_count": price["recurring"]["interval_count"],
        "livemode": false,
        "metadata": price["metadata"],
        "meter": null,
        "nickname": price["nickname"],
        "product": price["product"],
        "tiers_mode": null,
        "transform_usage": null,
        "trial_period_days": null,
        "usage_type": "licensed",
    })
}

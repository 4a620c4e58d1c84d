//! `subscription_schedules`: create from a subscription, update phases, release.

use serde_json::{Value, json};

use crate::stripe::{
    billing::{periods::period_end, schedules},
    context::Named,
    endpoints::payments::payment_methods,
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

const UNSIMULATED: [&str; 8] = [
    "billing_mode",
    "customer",
    "customer_account",
    "metadata",
    "pause_schedules",
    "phases",
    "default_settings",
    "start_date",
];
const UNSIMULATED_IN_PHASES: [&str; 10] = [
    "add_invoice_items",
    "application_fee_percent",
    "automatic_tax",
    "billing_thresholds",
    "default_tax_rates",
    "discounts",
    "on_behalf_of",
    "transfer_data",
    "trial",
    "trial_end",
];

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    params.refuse(&UNSIMULATED)?;
    let id = params.required("from_subscription")?;
    params.finish()?;
    let subscription = ctx.find(Kind::Subscription, &id, Named::Param("from_subscription"))?;
    if !subscription["schedule"].is_null() {
        let message = "You cannot migrate a subscription that is already attached to a schedule.".to_owned();
        return Err(ApiError::invalid(message).param("from_subscription"));
    }
    if subscription["status"] != "active" || subscription["cancel_at_period_end"] == true {
        let message = "The sandbox schedules only what is active and goes on.";
        return Err(ApiError::invalid(message).param("from_subscription"));
    }
    let schedule = ctx.insert(Kind::SubscriptionSchedule, built(&subscription, ctx.now));
    ctx.emit(
        Kind::SubscriptionSchedule,
        &schedule,
        "subscription_schedule.created",
    );
    schedules::attach(ctx, &subscription["id"], &json!(schedule));
    Ok(ctx.public_json(Kind::SubscriptionSchedule, &schedule))
}

/// The initial phase is the current period.
fn built(subscription: &Value, now: i64) -> Value {
    let item = &subscription["items"]["data"][0];
    let mut only = Phase {
        price: item["price"]["id"].clone(),
        quantity: item["quantity"].as_i64().unwrap_or(1),
        start: item["current_period_start"].as_i64().unwrap_or_default(),
        end: item["current_period_end"].as_i64().unwrap_or_default(),
        anchor: Value::Null,
        method: subscription["default_payment_method"].clone(),
        proration_behavior: "create_prorations".to_owned(),
    };
    let current = json!({ "end_date": only.end, "start_date": only.start });
    json!({
        "id": Kind::SubscriptionSchedule.new_id(),
        "object": "subscription_schedule",
        "application": null,
        "billing_mode": subscription["billing_mode"],
        "canceled_at": null,
        "completed_at": null,
        "created": now,
        "current_phase": current,
        "customer": subscription["customer"],
        "customer_account": null,
        "default_settings": {
            "application_fee_percent": null,
            "automatic_tax": { "disabled_reason": null, "enabled": false, "liability": null },
            "billing_cycle_anchor": "automatic",
            "billing_thresholds": null,
            "collection_method": "charge_automatically",
            "default_payment_method": null,
            "description": null,
            "invoice_settings": {
                "account_tax_ids": null, "custom_fields": null, "days_until_due": null, "description": null,
                "footer": null, "issuer": { "type": "self" },
            },
            "on_behalf_of": null,
            "transfer_data": null,
        },
        "end_behavior": "release",
        "livemode": false,
        "metadata": {},
        "pause_schedules": [],
        "phases": [only.shown(&subscription["currency"])],
        "released_at": null,
        "released_subscription": null,
        "status": "active",
        "subscription": subscription["id"],
        "test_clock": null,
    })
}

struct Phase {
    price: Value,
    quantity: i64,
    start: i64,
    end: i64,
    anchor: Value,
    method: Value,
    proration_behavior: String,
}

impl Phase {
    fn shown(&mut self, currency: &Value) -> Value {
        json!({
            "add_invoice_items": [],
            "application_fee_percent": null,
            "billing_cycle_anchor": self.anchor.take(),
            "billing_thresholds": null,
            "collection_method": null,
            "currency": currency,
            "default_payment_method": self.method.take(),
            "default_tax_rates": [],
            "description": null,
            "discounts": [],
            "end_date": self.end,
            "invoice_settings": null,
            "items": [{
                "billing_thresholds": null,
                "discounts": [],
                "metadata": {},
                "plan": self.price.clone(),
                "price": self.price.take(),
                "quantity": self.quantity,
                "tax_rates": [],
            }],
            "metadata": {},
            "on_behalf_of": null,
            "proration_behavior": self.proration_behavior,
            "start_date": self.start,
            "transfer_data": null,
            "trial_end": null,
        })
    }
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::SubscriptionSchedule, id, Named::Url)?;
    Ok(ctx.public_json(Kind::SubscriptionSchedule, id))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    params.refuse(&["metadata", "pause_schedules"])?;
    params.one_of("end_behavior", &["release"])?;
    params.one_of("proration_behavior", &["none"])?;
    let method = match params.nested("default_settings")? {
        None => None,
        Some(mut settings) => {
            let method = settings.text("default_payment_method")?;
            settings.finish()?;
            method
        }
    };
    let wanted = params.list("phases")?;
    params.finish()?;
    let schedule = active(ctx, id)?;
    if let Some(method) = &method {
        let customer = schedule["customer"].as_str().unwrap_or_default();
        let param = "default_settings[default_payment_method]";
        payment_methods::owned_by(ctx, method, customer, param)?;
    }
    let phases = read_phases(ctx, &schedule, wanted)?;

    ctx.change_and_emit(
        Kind::SubscriptionSchedule,
        id,
        "subscription_schedule.updated",
        |schedule| {
            if let Some(method) = method {
                schedule["default_settings"]["default_payment_method"] = json!(method);
            }
            if !phases.is_empty() {
                schedule["phases"] = Value::Array(phases);
            }
        },
    );
    Ok(ctx.public_json(Kind::SubscriptionSchedule, id))
}

/// Stripe requires all phases; the current one must not change.
fn read_phases(ctx: &Context<'_>, schedule: &Value, wanted: Vec<Params>) -> Result<Vec<Value>, ApiError> {
    let subscription = schedule["subscription"].as_str().unwrap_or_default();
    let subscription = ctx.read(Kind::Subscription, subscription);
    let currency = &subscription["currency"];
    let mut phases = Vec::with_capacity(wanted.len());
    let mut until = None;
    for mut params in wanted {
        let mut phase = read_phase(ctx, &mut params, until)?;
        params.finish()?;
        until = Some(phase.end);
        phases.push(phase.shown(currency));
    }
    let Some(first) = phases.first() else {
        return Ok(phases);
    };
    let runs = &schedule["current_phase"];
    let is_same = first["start_date"] == runs["start_date"]
        && first["end_date"] == runs["end_date"]
        && first["items"][0]["price"] == subscription["items"]["data"][0]["price"]["id"];
    if is_same {
        Ok(phases)
    } else {
        let message = "The sandbox does not change the phase that runs.";
        Err(ApiError::invalid(message).param("phases[0]"))
    }
}

fn read_phase(ctx: &Context<'_>, params: &mut Params, until: Option<i64>) -> Result<Phase, ApiError> {
    params.refuse(&UNSIMULATED_IN_PHASES)?;
    params.ignore(&["collection_method", "description", "invoice_settings", "metadata"]);
    let items = params.list("items")?;
    let [mut item] = <[Params; 1]>::try_from(items)
        .map_err(|_| ApiError::invalid("The sandbox schedules one item at a time."))?;
    let (price, param) = (item.required("price")?, item.path("price"));
    let quantity = item.integer_within("quantity", 0..=1_000_000)?.unwrap_or(1);
    item.finish()?;
    ctx.find(Kind::Price, &price, Named::Param(&param))?;

    let start = match (params.integer("start_date")?, until) {
        (Some(start), until) if until.is_none_or(|until| until == start) => start,
        (None, Some(until)) => until,
        _ => {
            let message = "A phase must begin where the one before it ends.";
            return Err(params.invalid("start_date", message));
        }
    };
    let end = match (params.integer("end_date")?, params.nested("duration")?) {
        (Some(end), None) if end > start => end,
        (None, Some(mut duration)) => {
            let interval = duration.required("interval")?;
            let count = duration.integer_within("interval_count", 1..=1_000)?.unwrap_or(1);
            duration.finish()?;
            period_end(
                start,
                &json!({ "interval": interval, "interval_count": count }),
                1,
            )
        }
        _ => {
            let message = "A phase has an `end_date` after its `start_date`, or a `duration`.";
            return Err(params.invalid("end_date", message));
        }
    };
    Ok(Phase {
        price: json!(price),
        quantity,
        start,
        end,
        anchor: json!(params.one_of("billing_cycle_anchor", &["automatic", "phase_start"])?),
        method: json!(params.text("default_payment_method")?),
        proration_behavior: params
            .one_of("proration_behavior", &["none", "create_prorations"])?
            .unwrap_or_else(|| "create_prorations".to_owned()),
    })
}

pub fn release(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    active(ctx, id)?;
    schedules::release(ctx, id);
    Ok(ctx.public_json(Kind::SubscriptionSchedule, id))
}

fn active(ctx: &Context<'_>, id: &str) -> ApiResult {
    let schedule = ctx.find(Kind::SubscriptionSchedule, id, Named::Url)?;
    if schedule["status"] == "active" {
        return Ok(schedule);
    }
    let status = schedule["status"].as_str().unwrap_or_default();
    Err(ApiError::invalid(format!(
        "You cannot update a subscription schedule that is currently in the `{status}` status. It must be in one of the following statuses: active or not_started."
    )))
}

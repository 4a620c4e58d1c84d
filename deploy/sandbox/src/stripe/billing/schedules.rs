//! Subscription schedules: phases with prices that apply from later periods on.

use serde_json::{Value, json};

use super::plan::plan;
use crate::stripe::{object_kind::Kind, protocol::error::ApiError, provider::Context};

/// A scheduled subscription rejects changes of its cancelation behavior.
pub fn check_cancelation_is_free(subscription: &Value) -> Result<(), ApiError> {
    let Some(schedule) = subscription["schedule"].as_str() else {
        return Ok(());
    };
    Err(ApiError::invalid(format!(
        "The subscription is managed by the subscription schedule `{schedule}`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead."
    )))
}

/// A scheduled subscription rejects changes of its terms.
pub fn check_terms_are_free(subscription: &Value) -> Result<(), ApiError> {
    let Some(schedule) = subscription["schedule"].as_str() else {
        return Ok(());
    };
    Err(ApiError::invalid(format!(
        "The sandbox does not change the terms of a subscription beside its schedule `{schedule}`. Release it first."
    )))
}

/// Applies the phase of the next period to the subscription. After the last phase the schedule is released.
pub fn begin_phase(ctx: &mut Context<'_>, subscription: &str) {
    let found = ctx.read(Kind::Subscription, subscription);
    let at = found["items"]["data"][0]["current_period_end"]
        .as_i64()
        .unwrap_or_default();
    let Some(schedule) = found["schedule"].as_str().map(ToOwned::to_owned) else {
        return;
    };
    let phases = ctx.read(Kind::SubscriptionSchedule, &schedule).clone();
    let mut phases_of = phases["phases"].as_array().into_iter().flatten();
    let moment = |phase: &Value, name: &str| phase[name].as_i64().unwrap_or_default();
    let Some(phase) =
        phases_of.find(|phase| moment(phase, "start_date") <= at && at < moment(phase, "end_date"))
    else {
        release(ctx, &schedule);
        return;
    };
    if phases["current_phase"]["start_date"] == phase["start_date"] {
        return;
    }

    ctx.change_and_emit(
        Kind::SubscriptionSchedule,
        &schedule,
        "subscription_schedule.updated",
        |schedule| {
            schedule["current_phase"] =
                json!({ "end_date": phase["end_date"], "start_date": phase["start_date"] });
        },
    );
    let wanted = phase["items"][0]["price"].as_str().unwrap_or_default();
    let price = ctx.read(Kind::Price, wanted).clone();
    let method = [
        &phase["default_payment_method"],
        &phases["default_settings"]["default_payment_method"],
    ]
    .into_iter()
    .find(|method| !method.is_null())
    .cloned();
    ctx.change(Kind::Subscription, subscription, |subscription| {
        let item = &mut subscription["items"]["data"][0];
        let starts_new_period = item["price"]["recurring"] != price["recurring"]
            || phase["billing_cycle_anchor"] == "phase_start";
        item["quantity"] = phase["items"][0]["quantity"].clone();
        item["plan"] = plan(&price);
        item["price"] = price;
        // Without a method in the schedule, the customer's default is charged.
        subscription["default_payment_method"] = method.unwrap_or_default();
        if starts_new_period {
            subscription["billing_cycle_anchor"] = json!(at);
            subscription["_cycle"] = json!(0);
        }
    });
}

/// Detaches the schedule; the subscription keeps its current terms.
pub fn release(ctx: &mut Context<'_>, schedule: &str) {
    let now = ctx.now;
    let subscription = ctx.read(Kind::SubscriptionSchedule, schedule)["subscription"].clone();
    ctx.change(Kind::SubscriptionSchedule, schedule, |schedule| {
        schedule["current_phase"] = Value::Null;
        schedule["released_at"] = json!(now);
        schedule["released_subscription"] = schedule["subscription"].take();
        schedule["status"] = json!("released");
    });
    ctx.emit(
        Kind::SubscriptionSchedule,
        schedule,
        "subscription_schedule.released",
    );
    attach(ctx, &subscription, &Value::Null);
}

/// Cancels the schedule of a subscription that has ended.
pub fn cancel(ctx: &mut Context<'_>, subscription: &str) {
    let now = ctx.now;
    let found = ctx.read(Kind::Subscription, subscription);
    let Some(schedule) = found["schedule"].as_str().map(ToOwned::to_owned) else {
        return;
    };
    ctx.change(Kind::SubscriptionSchedule, &schedule, |schedule| {
        schedule["canceled_at"] = json!(now);
        schedule["current_phase"] = Value::Null;
        schedule["status"] = json!("canceled");
    });
    ctx.emit(
        Kind::SubscriptionSchedule,
        &schedule,
        "subscription_schedule.canceled",
    );
}

pub fn attach(ctx: &mut Context<'_>, subscription: &Value, schedule: &Value) {
    let id = subscription.as_str().unwrap_or_default();
    ctx.change_and_emit(
        Kind::Subscription,
        id,
        "customer.subscription.updated",
        |subscription| subscription["schedule"] = schedule.clone(),
    );
}

//! The timer of a subscription: cancellation, expiry, trial notice, retry or renewal.

use serde_json::json;

use super::{renewals, subscriptions};
use crate::stripe::{object_kind::Kind, provider::Context};

pub fn on_timer(ctx: &mut Context<'_>, id: &str) {
    let subscription = ctx.read(Kind::Subscription, id).clone();
    if subscription["cancel_at"].as_i64().is_some_and(|at| at <= ctx.now) {
        subscriptions::cancel(ctx, id, "cancellation_requested");
        return;
    }
    match subscription["status"].as_str() {
        Some("incomplete") => subscriptions::expire(ctx, id),
        Some("trialing") if subscription["_trial_notice"] != true => {
            ctx.change(Kind::Subscription, id, |subscription| {
                subscription["_trial_notice"] = json!(true);
            });
            ctx.emit(Kind::Subscription, id, "customer.subscription.trial_will_end");
        }
        Some("past_due") if subscription["_retry_at"].as_i64().is_some_and(|at| at <= ctx.now) => {
            renewals::retry(ctx, id);
        }
        _ => renewals::start_next_period(ctx, id, "subscription_cycle"),
    }
}

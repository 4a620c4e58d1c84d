//! The billing engine: each subscription has one next moment, and the virtual clock brings it.

use serde_json::{Value, json};

use super::{
    House,
    books::Books,
    ctx::{Cause, Ctx},
    kinds::Kind,
    subscribing,
};

const INCOMPLETE_SECS: i64 = 23 * 3600;
const TRIAL_NOTICE_SECS: i64 = 3 * 24 * 3600;

/// Does everything whose time has come, each thing as of its own moment.
pub fn run(books: &mut Books, house: &House, now: i64) {
    while let Some((at, id)) = books.first_due(now) {
        let mut ctx = Ctx {
            books,
            now: at,
            cause: Cause::default(),
            house,
        };
        step(&mut ctx, &id);
        if books.first_due(now).is_some_and(|next| next == (at, id.clone())) {
            tracing::error!(
                subscription = id,
                "asks for the same moment twice; the engine leaves it alone"
            );
            books.forget_wake(&id);
        }
    }
}

/// When the subscription wants to be looked at again.
pub fn next_wake(subscription: &Value) -> Option<i64> {
    let moment = |name: &str| subscription[name].as_i64();
    let due = match subscription["status"].as_str()? {
        "incomplete" => moment("created").map(|created| created + INCOMPLETE_SECS),
        "trialing" if subscription["_trial_notice"] == true => moment("trial_end"),
        "trialing" => moment("trial_end")
            .map(|end| (end - TRIAL_NOTICE_SECS).max(moment("trial_start").unwrap_or_default())),
        "active" => period_end(subscription),
        "past_due" => moment("_retry_at")
            .into_iter()
            .chain(period_end(subscription))
            .min(),
        _ => return None,
    };
    match (due, moment("cancel_at")) {
        (Some(due), Some(cancel_at)) => Some(due.min(cancel_at)),
        (due, cancel_at) => due.or(cancel_at),
    }
}

fn period_end(subscription: &Value) -> Option<i64> {
    subscription["items"]["data"][0]["current_period_end"].as_i64()
}

fn step(ctx: &mut Ctx<'_>, id: &str) {
    let subscription = ctx.read(Kind::Subscription, id).clone();
    if subscription["cancel_at"].as_i64().is_some_and(|at| at <= ctx.now) {
        subscribing::cancel(ctx, id, "cancellation_requested");
        return;
    }
    match subscription["status"].as_str() {
        Some("incomplete") => subscribing::expire(ctx, id),
        Some("trialing") if subscription["_trial_notice"] != true => {
            ctx.change(Kind::Subscription, id, |subscription| {
                subscription["_trial_notice"] = json!(true);
            });
            ctx.tell(Kind::Subscription, id, "customer.subscription.trial_will_end");
        }
        Some("past_due") if subscription["_retry_at"].as_i64().is_some_and(|at| at <= ctx.now) => {
            subscribing::retry(ctx, id);
        }
        _ => subscribing::start_next_period(ctx, id, "subscription_cycle"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancellation_comes_before_the_renewal() {
        let items = json!({"data": [{"current_period_end": 500}]});
        let renewing = json!({"status": "active", "items": items});
        let ending = json!({"status": "active", "items": items, "cancel_at": 400});
        assert_eq!(next_wake(&renewing), Some(500));
        assert_eq!(next_wake(&ending), Some(400));
        assert_eq!(next_wake(&json!({"status": "canceled", "cancel_at": 400})), None);
    }

    #[test]
    fn an_incomplete_subscription_has_23_hours() {
        let subscription = json!({"status": "incomplete", "created": 1_000});
        assert_eq!(next_wake(&subscription), Some(1_000 + 23 * 3600));
    }
}

//! The next timer of a subscription.

use serde_json::Value;

const INCOMPLETE_SECS: i64 = 23 * 3600;
const TRIAL_NOTICE_SECS: i64 = 3 * 24 * 3600;

pub fn next_timer(subscription: &Value) -> Option<i64> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cancellation_is_due_before_the_renewal() {
        let items = json!({"data": [{"current_period_end": 500}]});
        let renewing = json!({"status": "active", "items": items});
        let ending = json!({"status": "active", "items": items, "cancel_at": 400});
        assert_eq!(next_timer(&renewing), Some(500));
        assert_eq!(next_timer(&ending), Some(400));
        assert_eq!(next_timer(&json!({"status": "canceled", "cancel_at": 400})), None);
    }

    #[test]
    fn incomplete_subscription_expires_after_23_hours() {
        let subscription = json!({"status": "incomplete", "created": 1_000});
        assert_eq!(next_timer(&subscription), Some(1_000 + 23 * 3600));
    }
}

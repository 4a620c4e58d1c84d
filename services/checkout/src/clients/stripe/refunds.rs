//! What went back at Stripe: refunds, and what buyers' banks took by a dispute.

use async_trait::async_trait;
use chrono::DateTime;
use kit::money::{Currency, Money};

use super::form::Form;
use super::wire::{DisputeObject, List, RefundObject};
use super::{PAGE_MAX, Stripe};
use crate::domain::refund::{Refund, RefundOutcome, RefundReason, RefundSnapshot};
use crate::ports::{NewRefund, ProviderError, RefundProvider};

#[async_trait]
impl RefundProvider for Stripe {
    async fn refund(&self, new: &NewRefund) -> Result<RefundSnapshot, ProviderError> {
        let form = Form::new()
            .with("payment_intent", &new.provider_intent_id)
            .with("amount", &new.amount.minor.to_string())
            .with("reason", reason(new.reason))
            .with("metadata[refund_id]", &new.refund_id.to_string())
            .filled(
                "metadata[order_id]",
                &new.order_id.map(|id| id.to_string()).unwrap_or_default(),
            );
        let made: RefundObject = self
            .http
            .post("refund", "/v1/refunds", &form, &new.idempotency_key)
            .await?;
        snapshot(made)
    }

    async fn list_refunds(
        &self,
        provider_intent_id: &str,
        _known: &[Refund],
    ) -> Result<Vec<RefundSnapshot>, ProviderError> {
        // Nobody gives one charge back in more than a hundred parts.
        let query = Form::new()
            .with("payment_intent", provider_intent_id)
            .with("limit", PAGE_MAX);
        let given: List<RefundObject> = self.http.get("list_refunds", "/v1/refunds", &query).await?;
        let disputes: List<DisputeObject> = self.http.get("list_disputes", "/v1/disputes", &query).await?;
        let mut shown: Vec<_> = given.data.into_iter().map(snapshot).collect::<Result<_, _>>()?;
        for dispute in &disputes.data {
            shown.extend(dispute_snapshots(dispute)?);
        }
        Ok(shown)
    }
}

fn reason(reason: RefundReason) -> &'static str {
    match reason {
        RefundReason::Surplus => "duplicate",
        RefundReason::Requested | RefundReason::AtProvider | RefundReason::Disputed => {
            "requested_by_customer"
        }
    }
}

/// Fails as "no answer" on anything Stripe does not say at the pinned version: better asked again than guessed.
fn snapshot(refund: RefundObject) -> Result<RefundSnapshot, ProviderError> {
    let unexpected = |what: &str| ProviderError::NoAnswer(format!("refund {}: {what}", refund.id));
    let currency =
        Currency::parse(&refund.currency.to_ascii_uppercase()).map_err(|_| unexpected("unknown currency"))?;
    let outcome = match refund.status.as_deref() {
        Some("pending" | "requires_action") => RefundOutcome::Pending,
        Some("succeeded") => RefundOutcome::Succeeded,
        Some(ended @ ("failed" | "canceled")) => RefundOutcome::Failed {
            code: refund.failure_reason.clone().unwrap_or_else(|| ended.to_owned()),
        },
        _ => return Err(unexpected("unknown status")),
    };
    let created_at = DateTime::from_timestamp(refund.created, 0).ok_or_else(|| unexpected("no time"))?;
    let refund_id = refund
        .metadata
        .refund_id
        .as_deref()
        .and_then(|id| id.parse().ok());
    Ok(RefundSnapshot {
        refund_id,
        amount: Money::new(refund.amount, currency),
        outcome,
        created_at,
        provider_refund_id: refund.id,
        is_disputed: false,
    })
}

/// Nothing while the bank only inquires. What it took went to the buyer, unless it gives it back; where it gives back a part, the
/// rest is a refund of its own. What moved is in the currency of our account, so its shares count, and a dispute that was won is
/// over whatever the rates are.
fn dispute_snapshots(dispute: &DisputeObject) -> Result<Vec<RefundSnapshot>, ProviderError> {
    let unexpected = |what: &str| ProviderError::NoAnswer(format!("dispute {}: {what}", dispute.id));
    let currency = Currency::parse(&dispute.currency.to_ascii_uppercase())
        .map_err(|_| unexpected("unknown currency"))?;
    let created_at = DateTime::from_timestamp(dispute.created, 0).ok_or_else(|| unexpected("no time"))?;
    let sum = |is_ours: fn(i64) -> bool| {
        let moves = dispute.balance_transactions.iter().map(|moved| moved.amount);
        moves
            .filter(|amount| is_ours(*amount))
            .map(i128::from)
            .sum::<i128>()
    };
    let (taken, back) = (-sum(i64::is_negative), sum(i64::is_positive));
    let snapshot = |id: String, minor: i64, outcome| RefundSnapshot {
        refund_id: None,
        amount: Money::new(minor, currency),
        outcome,
        is_disputed: true,
        created_at,
        provider_refund_id: id,
    };
    let returned = || RefundOutcome::Failed {
        code: format!("dispute_{}", dispute.status),
    };
    let whole = |outcome| snapshot(dispute.id.clone(), dispute.amount, outcome);
    Ok(match (taken, back) {
        (0, _) => Vec::new(),
        (_, 0) => vec![whole(RefundOutcome::Succeeded)],
        _ if dispute.status == "won" || back >= taken => vec![whole(returned())],
        _ => {
            let rest = i128::from(dispute.amount) * (taken - back) / taken;
            let rest = i64::try_from(rest).map_err(|_| unexpected("no such amount"))?;
            let kept = snapshot(format!("{}/rest", dispute.id), rest, RefundOutcome::Succeeded);
            vec![whole(returned()), kept]
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(status: &str, failure: &Value) -> Result<RefundSnapshot, ProviderError> {
        let refund = json!({
            "id": "re_1", "object": "refund", "amount": 500, "currency": "jpy", "status": status,
            "failure_reason": failure, "created": 1_800_000_000,
            "metadata": { "refund_id": "rfd_0192f0c0a0007000800000000000000a" },
        });
        snapshot(serde_json::from_value(refund).unwrap())
    }

    #[test]
    fn refund_says_which_of_ours_it_is_and_how_far() {
        let told = read("pending", &Value::Null).unwrap();
        assert_eq!(told.outcome, RefundOutcome::Pending);
        assert_eq!((told.amount.minor, told.amount.currency.code()), (500, "JPY"));
        let ours = told.refund_id.map(|id| id.to_string());
        assert_eq!(ours.as_deref(), Some("rfd_0192f0c0a0007000800000000000000a"));
        assert_eq!(
            read("succeeded", &Value::Null).unwrap().outcome,
            RefundOutcome::Succeeded
        );
    }

    /// What became of the whole, and what is left of it in the end.
    fn read_dispute(status: &str, moved: &[i64]) -> Vec<(String, i64, bool)> {
        let transactions: Vec<Value> = moved.iter().map(|amount| json!({ "amount": amount })).collect();
        let dispute = json!({
            "id": "du_1", "object": "dispute", "amount": 1000, "currency": "usd", "status": status,
            "created": 1_800_000_000, "balance_transactions": transactions,
        });
        let told = dispute_snapshots(&serde_json::from_value(dispute).unwrap()).unwrap();
        told.into_iter()
            .map(|one| {
                assert!(one.is_disputed);
                let went = one.outcome == RefundOutcome::Succeeded;
                (one.provider_refund_id, one.amount.minor, went)
            })
            .collect()
    }

    #[test]
    fn dispute_is_what_it_moved_on_our_balance() {
        let whole = |went| ("du_1".to_owned(), 1000, went);
        assert_eq!(read_dispute("warning_needs_response", &[]), []);
        for status in ["needs_response", "under_review", "lost"] {
            // In the currency of the account, which need not be the charge's.
            assert_eq!(read_dispute(status, &[-880]), [whole(true)]);
        }
        for back in [860, 880, 900] {
            assert_eq!(read_dispute("won", &[-880, back]), [whole(false)]);
        }
        let rest = ("du_1/rest".to_owned(), 600, true);
        assert_eq!(read_dispute("lost", &[-880, 352]), [whole(false), rest]);
    }

    #[test]
    fn failure_names_its_reason_and_unknown_words_are_no_answer() {
        let code = |status: &str, failure: &Value| match read(status, failure).unwrap().outcome {
            RefundOutcome::Failed { code } => code,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            code("failed", &json!("lost_or_stolen_card")),
            "lost_or_stolen_card"
        );
        assert_eq!(code("canceled", &Value::Null), "canceled");
        assert!(matches!(
            read("brand_new", &Value::Null),
            Err(ProviderError::NoAnswer(_))
        ));
    }
}

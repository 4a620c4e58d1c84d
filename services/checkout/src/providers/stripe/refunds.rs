//! What went back at Stripe: refunds, and what buyers' banks took by a dispute.

use async_trait::async_trait;
use chrono::DateTime;
use kit::money::{Currency, Money};

use super::form::Form;
use super::wire::{DisputeObject, List, RefundObject};
use super::{PAGE_MAX, Stripe};
use crate::domain::refund::dispute::Dispute;
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
            .with("metadata[order_id]", &new.order_id.to_string());
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
        // One page of a hundred refunds is enough.
        let query = Form::new()
            .with("payment_intent", provider_intent_id)
            .with("limit", PAGE_MAX);
        let given: List<RefundObject> = self.http.get("list_refunds", "/v1/refunds", &query).await?;
        let disputes: List<DisputeObject> = self.http.get("list_disputes", "/v1/disputes", &query).await?;
        let mut shown: Vec<_> = given.data.into_iter().map(snapshot).collect::<Result<_, _>>()?;
        for disputed in &disputes.data {
            shown.extend(dispute(disputed)?.snapshots());
        }
        Ok(shown)
    }
}

fn reason(reason: RefundReason) -> &'static str {
    match reason {
        RefundReason::Excess => "duplicate",
        RefundReason::Requested | RefundReason::AtProvider | RefundReason::Disputed => {
            "requested_by_customer"
        }
    }
}

/// Fails as "no answer" on anything Stripe does not say at the pinned version: better asked again than guessed.
fn snapshot(refund: RefundObject) -> Result<RefundSnapshot, ProviderError> {
    let unexpected = |what: &str| ProviderError::OutcomeUnknown(format!("refund {}: {what}", refund.id));
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

fn dispute(shown: &DisputeObject) -> Result<Dispute, ProviderError> {
    let unexpected = |what: &str| ProviderError::OutcomeUnknown(format!("dispute {}: {what}", shown.id));
    let currency =
        Currency::parse(&shown.currency.to_ascii_uppercase()).map_err(|_| unexpected("unknown currency"))?;
    let created_at = DateTime::from_timestamp(shown.created, 0).ok_or_else(|| unexpected("no time"))?;
    Ok(Dispute {
        provider_dispute_id: shown.id.clone(),
        amount: Money::new(shown.amount, currency),
        status: shown.status.clone(),
        moved: shown
            .balance_transactions
            .iter()
            .map(|moved| moved.amount)
            .collect(),
        created_at,
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
        let reported = read("pending", &Value::Null).unwrap();
        assert_eq!(reported.outcome, RefundOutcome::Pending);
        assert_eq!(
            (reported.amount.minor, reported.amount.currency.code()),
            (500, "JPY")
        );
        let ours = reported.refund_id.map(|id| id.to_string());
        assert_eq!(ours.as_deref(), Some("rfd_0192f0c0a0007000800000000000000a"));
        assert_eq!(
            read("succeeded", &Value::Null).unwrap().outcome,
            RefundOutcome::Succeeded
        );
    }

    #[test]
    fn dispute_says_what_is_disputed_and_what_moved() {
        let payload = json!({
            "id": "du_1", "object": "dispute", "amount": 1000, "currency": "usd", "status": "won",
            "created": 1_800_000_000, "balance_transactions": [{ "amount": -880 }, { "amount": 860 }],
        });
        let result = dispute(&serde_json::from_value(payload).unwrap()).unwrap();
        assert_eq!(
            (result.amount.minor, result.amount.currency.code()),
            (1000, "USD")
        );
        assert_eq!((result.status.as_str(), result.moved), ("won", vec![-880, 860]));
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
            Err(ProviderError::OutcomeUnknown(_))
        ));
    }
}

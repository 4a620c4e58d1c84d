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
        let taken = disputes
            .data
            .into_iter()
            .filter_map(|dispute| dispute_snapshot(dispute).transpose());
        given.data.into_iter().map(snapshot).chain(taken).collect()
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

/// `None`: the bank only inquires, and took nothing. What it gives back because the dispute is won has not gone back to the
/// buyer in the end.
fn dispute_snapshot(dispute: DisputeObject) -> Result<Option<RefundSnapshot>, ProviderError> {
    let unexpected = |what: &str| ProviderError::NoAnswer(format!("dispute {}: {what}", dispute.id));
    if dispute.balance_transactions.is_empty() {
        return Ok(None);
    }
    let currency = Currency::parse(&dispute.currency.to_ascii_uppercase())
        .map_err(|_| unexpected("unknown currency"))?;
    let moved: i64 = dispute
        .balance_transactions
        .iter()
        .map(|moved| moved.amount)
        .sum();
    let outcome = if moved < 0 {
        RefundOutcome::Succeeded
    } else {
        RefundOutcome::Failed {
            code: format!("dispute_{}", dispute.status),
        }
    };
    let created_at = DateTime::from_timestamp(dispute.created, 0).ok_or_else(|| unexpected("no time"))?;
    Ok(Some(RefundSnapshot {
        refund_id: None,
        amount: Money::new(dispute.amount, currency),
        outcome,
        is_disputed: true,
        created_at,
        provider_refund_id: dispute.id,
    }))
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

    fn read_dispute(status: &str, moved: &[i64]) -> Option<RefundOutcome> {
        let transactions: Vec<Value> = moved.iter().map(|amount| json!({ "amount": amount })).collect();
        let dispute = json!({
            "id": "du_1", "object": "dispute", "amount": 999, "currency": "usd", "status": status,
            "created": 1_800_000_000, "balance_transactions": transactions,
        });
        let told = dispute_snapshot(serde_json::from_value(dispute).unwrap()).unwrap()?;
        assert!(told.is_disputed && told.amount.minor == 999 && told.provider_refund_id == "du_1");
        Some(told.outcome)
    }

    #[test]
    fn dispute_is_what_it_moved_on_our_balance() {
        assert_eq!(read_dispute("warning_needs_response", &[]), None);
        for status in ["needs_response", "under_review", "lost"] {
            // In the currency of the account, which need not be the charge's.
            assert_eq!(read_dispute(status, &[-880]), Some(RefundOutcome::Succeeded));
        }
        let code = "dispute_won".to_owned();
        assert_eq!(
            read_dispute("won", &[-880, 880]),
            Some(RefundOutcome::Failed { code })
        );
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

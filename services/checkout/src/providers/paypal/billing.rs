//! PayPal's invoices and subscription changes.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::http::Method;
use kit::money::Money;
use serde_json::json;

use super::wire::Transaction;
use super::{Paypal, declined, subscription_snapshot};
use crate::domain::subscription::billing_state::SubscriptionSnapshot;
use crate::ports::{ChangeProvider, InvoiceProvider, LaterPlan, NewPlan, ProviderChange, ProviderError};
use crate::providers::transport::path_segment;

#[async_trait]
impl InvoiceProvider for Paypal {
    async fn fetch_snapshot(&self, id: &str) -> Result<SubscriptionSnapshot, ProviderError> {
        let found = self.subscription(id).await?;
        let transactions = self.transactions(&found).await?;
        let cycles = self.plan(&found.plan_id).await?.cycles();
        subscription_snapshot::read_snapshot(&found, &transactions, cycles, self.clock.now())
    }

    /// No effect: PayPal cannot disable its own retries. An amount is captured once, by PayPal or by us.
    async fn disable_auto_advance(
        &self,
        _provider_invoice_id: &str,
        _key: &str,
    ) -> Result<(), ProviderError> {
        Ok(())
    }

    /// Captures the outstanding balance. Rejected if nothing is outstanding.
    async fn pay_invoice(&self, provider_invoice_id: &str, key: &str) -> Result<(), ProviderError> {
        let id =
            subscription_snapshot::subscription_of(provider_invoice_id).ok_or(ProviderError::NotFound)?;
        let found = self.subscription(id).await?;
        let owed = found.owed(&self.transactions(&found).await?)?;
        let owed = owed.ok_or_else(|| ProviderError::Rejected {
            code: "zero_outstanding_balance".to_owned(),
            detail: "nothing is owed any more".to_owned(),
        })?;
        let path = format!("/v1/billing/subscriptions/{}/capture", path_segment(id));
        let body = json!({
            "note": "What could not be paid before.",
            "capture_type": "OUTSTANDING_BALANCE",
            "amount": { "value": owed.major(), "currency_code": owed.currency.code() },
        });
        let request = || {
            let request = self.http.request(Method::POST, &path).json(&body);
            request.header("PayPal-Request-Id", key)
        };
        let answered = self.http.send("paypal_capture_outstanding", request).await?;
        // The response may only confirm acceptance: the next fetch shows the result.
        match answered.json::<Transaction>() {
            Ok(tried) if matches!(tried.status.as_str(), "DECLINED" | "DENIED" | "FAILED") => {
                Err(ProviderError::Declined(declined("payment_denied")))
            }
            _ => Ok(()),
        }
    }

    /// No effect: PayPal charges nothing after the end of a subscription.
    async fn close_invoice(&self, _provider_invoice_id: &str, _key: &str) -> Result<(), ProviderError> {
        Ok(())
    }
}

/// PayPal has no idempotency keys for these calls. A rejected change is compared with the current status instead.
#[async_trait]
impl ChangeProvider for Paypal {
    async fn change(&self, id: &str, change: &ProviderChange, _key: &str) -> Result<(), ProviderError> {
        match change {
            ProviderChange::CancelAtPeriodEnd => {
                let outcome = self.set_status(id, "cancel", "The member has cancelled.").await;
                self.unless_status_is(id, outcome, &["CANCELLED", "EXPIRED"])
                    .await
            }
            ProviderChange::Resume(_) => {
                let outcome = self.set_status(id, "activate", "The pause is over.").await;
                self.unless_status_is(id, outcome, &["ACTIVE"]).await
            }
            ProviderChange::Pause { until } => {
                self.pause(id, &subscription_snapshot::pause_note(*until)).await
            }
            ProviderChange::Reactivate
            | ProviderChange::Card { .. }
            | ProviderChange::Plan(_)
            | ProviderChange::CancelScheduledPlan => Err(not_done_here()),
        }
    }

    async fn preview_plan(&self, _id: &str, _plan: &NewPlan) -> Result<Money, ProviderError> {
        Err(not_done_here())
    }

    async fn schedule_plan(
        &self,
        _id: &str,
        _plan: &LaterPlan,
        _key: &str,
    ) -> Result<DateTime<Utc>, ProviderError> {
        Err(not_done_here())
    }
}

fn not_done_here() -> ProviderError {
    ProviderError::Rejected {
        code: "not_done_here".to_owned(),
        detail: "PayPal's buyers do this themselves, or not at all".to_owned(),
    }
}

impl Paypal {
    pub(super) async fn set_status(&self, id: &str, verb: &str, reason: &str) -> Result<(), ProviderError> {
        let path = format!("/v1/billing/subscriptions/{}/{verb}", path_segment(id));
        let body = json!({ "reason": reason });
        let request = || self.http.request(Method::POST, &path).json(&body);
        let call = match verb {
            "cancel" => "paypal_cancel_subscription",
            "suspend" => "paypal_suspend_subscription",
            _ => "paypal_activate_subscription",
        };
        self.http.send(call, request).await.map(drop)
    }

    async fn unless_status_is(
        &self,
        id: &str,
        outcome: Result<(), ProviderError>,
        wanted: &[&str],
    ) -> Result<(), ProviderError> {
        let Err(ProviderError::Rejected { .. }) = outcome else {
            return outcome;
        };
        let is_so = wanted.contains(&self.subscription(id).await?.status.as_str());
        if is_so { Ok(()) } else { outcome }
    }

    /// A pause with another end is ended and started again.
    async fn pause(&self, id: &str, note: &str) -> Result<(), ProviderError> {
        let outcome = self.set_status(id, "suspend", note).await;
        let Err(ProviderError::Rejected { .. }) = outcome else {
            return outcome;
        };
        let found = self.subscription(id).await?;
        if found.status != "SUSPENDED" {
            return outcome;
        }
        if found.status_change_note.as_deref() == Some(note) {
            return Ok(());
        }
        self.set_status(id, "activate", "The pause is to end at another time.")
            .await?;
        self.set_status(id, "suspend", note).await
    }
}

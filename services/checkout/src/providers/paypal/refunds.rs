//! Refunds at PayPal. A subscription payment is refunded as a capture.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::http::Method;
use serde::Deserialize;
use serde_json::json;

use super::Paypal;
use super::wire::Amount;
use crate::domain::refund::{Refund, RefundOutcome, RefundSnapshot};
use crate::ports::{NewRefund, ProviderError, RefundProvider};
use crate::providers::transport::{money, path_segment};

pub const REVERSED: &str = "PAYMENT.SALE.REVERSED";
const PAGE_MAX: usize = 20;
const PAGES_MAX: usize = 50;

#[derive(Deserialize)]
struct RefundObject {
    id: String,
    status: String,
    amount: Amount,
    custom_id: Option<String>,
    create_time: DateTime<Utc>,
}

/// A reversal by the buyer's bank, which PayPal returns only in the v1 format.
#[derive(Deserialize)]
struct ReversalObject {
    id: String,
    sale_id: Option<String>,
    state: String,
    amount: Total,
    create_time: DateTime<Utc>,
}

#[derive(Deserialize)]
struct Total {
    /// Negative.
    total: String,
    currency: String,
}

#[derive(Deserialize)]
struct Events {
    #[serde(default)]
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    resource: Resource,
}

#[derive(Deserialize)]
struct Resource {
    id: String,
    sale_id: Option<String>,
}

#[async_trait]
impl RefundProvider for Paypal {
    async fn refund(&self, new: &NewRefund) -> Result<RefundSnapshot, ProviderError> {
        let path = format!(
            "/v2/payments/captures/{}/refund",
            path_segment(&new.provider_intent_id)
        );
        let body = json!({
            "amount": { "value": new.amount.major(), "currency_code": new.amount.currency.code() },
            "custom_id": new.refund_id.to_string(),
            "invoice_id": new.refund_id.to_string(),
        });
        let request = || {
            let request = self.http.request(Method::POST, &path).json(&body);
            request
                .header("PayPal-Request-Id", &new.idempotency_key)
                .header("Prefer", "return=representation")
        };
        let made: RefundObject = self.http.send("paypal_refund", request).await?.json()?;
        snapshot(made)
    }

    /// PayPal does not list the refunds of a capture, so its events are searched.
    async fn list_refunds(
        &self,
        provider_intent_id: &str,
        _known: &[Refund],
    ) -> Result<Vec<RefundSnapshot>, ProviderError> {
        let mut found = Vec::new();
        for event in self.list_events("PAYMENT.SALE.REFUNDED").await? {
            if event.sale_id.as_deref() == Some(provider_intent_id) {
                found.push(self.fetch_refund(&event.id).await?);
            }
        }
        for event in self.list_events(REVERSED).await? {
            match self.fetch_reversal(&event.id).await {
                Ok(reversal) if reversal.sale_id.as_deref() == Some(provider_intent_id) => {
                    found.push(reversal_snapshot(reversal)?);
                }
                // A reversal that PayPal no longer returns must not block the refunds of other payments.
                Ok(_) | Err(ProviderError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    async fn reversed_intent(&self, reversal_id: &str) -> Result<String, ProviderError> {
        let reversal = self.fetch_reversal(reversal_id).await?;
        reversal.sale_id.ok_or(ProviderError::NotFound)
    }
}

impl Paypal {
    async fn list_events(&self, event_type: &str) -> Result<Vec<Resource>, ProviderError> {
        let mut resources = Vec::new();
        for page in 1..=PAGES_MAX {
            let query = [
                ("event_type", event_type.to_owned()),
                ("page_size", PAGE_MAX.to_string()),
                ("page", page.to_string()),
            ];
            let request = || {
                let path = "/v1/notifications/webhooks-events";
                self.http.request(Method::GET, path).query(&query)
            };
            let event: Events = self.http.send("paypal_list_events", request).await?.json()?;
            let count = event.events.len();
            resources.extend(event.events.into_iter().map(|event| event.resource));
            if count < PAGE_MAX {
                break;
            }
        }
        Ok(resources)
    }

    async fn fetch_reversal(&self, id: &str) -> Result<ReversalObject, ProviderError> {
        let path = format!("/v1/payments/refund/{}", path_segment(id));
        let request = || self.http.request(Method::GET, &path);
        Ok(self.http.send("paypal_fetch_reversal", request).await?.json()?)
    }

    async fn fetch_refund(&self, id: &str) -> Result<RefundSnapshot, ProviderError> {
        let path = format!("/v2/payments/refunds/{}", path_segment(id));
        let request = || self.http.request(Method::GET, &path);
        let found: RefundObject = self.http.send("paypal_fetch_refund", request).await?.json()?;
        snapshot(found)
    }
}

fn snapshot(refund: RefundObject) -> Result<RefundSnapshot, ProviderError> {
    Ok(RefundSnapshot {
        amount: money(&refund.amount.value, &refund.amount.currency_code)?,
        refund_id: refund.custom_id.and_then(|text| text.parse().ok()),
        outcome: outcome(&refund.id, &refund.status)?,
        provider_refund_id: refund.id,
        created_at: refund.create_time,
        is_disputed: false,
    })
}

fn reversal_snapshot(reversal: ReversalObject) -> Result<RefundSnapshot, ProviderError> {
    let Total { total, currency } = &reversal.amount;
    Ok(RefundSnapshot {
        amount: money(total.trim_start_matches('-'), currency)?,
        refund_id: None,
        outcome: outcome(&reversal.id, &reversal.state)?,
        provider_refund_id: reversal.id,
        created_at: reversal.create_time,
        is_disputed: true,
    })
}

/// The v1 format has the same statuses in lower case.
fn outcome(id: &str, status: &str) -> Result<RefundOutcome, ProviderError> {
    match status.to_ascii_lowercase().as_str() {
        "pending" => Ok(RefundOutcome::Pending),
        "completed" => Ok(RefundOutcome::Succeeded),
        code @ ("failed" | "cancelled") => Ok(RefundOutcome::Failed {
            code: code.to_owned(),
        }),
        other => Err(ProviderError::OutcomeUnknown(format!(
            "refund {id}: status {other:?}"
        ))),
    }
}

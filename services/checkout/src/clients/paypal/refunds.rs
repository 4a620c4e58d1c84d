//! Refunds at PayPal. A payment of a subscription is a capture like any other.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use reqwest::Method;
use serde::Deserialize;
use serde_json::json;

use super::Paypal;
use super::wire::Amount;
use crate::clients::transport::{money, path_segment};
use crate::domain::refund::{Refund, RefundOutcome, RefundSnapshot};
use crate::ports::{NewRefund, ProviderError, RefundProvider};

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

    /// A capture does not list its refunds: PayPal tells of each in an event, which it keeps.
    async fn list_refunds(
        &self,
        provider_intent_id: &str,
        _known: &[Refund],
    ) -> Result<Vec<RefundSnapshot>, ProviderError> {
        let mut found = Vec::new();
        for page in 1..=PAGES_MAX {
            let query = [
                ("event_type", "PAYMENT.SALE.REFUNDED".to_owned()),
                ("page_size", PAGE_MAX.to_string()),
                ("page", page.to_string()),
            ];
            let request = || {
                let path = "/v1/notifications/webhooks-events";
                self.http.request(Method::GET, path).query(&query)
            };
            let told: Events = self.http.send("paypal_list_events", request).await?.json()?;
            let count = told.events.len();
            for Event { resource } in told.events {
                if resource.sale_id.as_deref() == Some(provider_intent_id) {
                    found.push(self.fetch_refund(&resource.id).await?);
                }
            }
            if count < PAGE_MAX {
                break;
            }
        }
        Ok(found)
    }
}

impl Paypal {
    async fn fetch_refund(&self, id: &str) -> Result<RefundSnapshot, ProviderError> {
        let path = format!("/v2/payments/refunds/{}", path_segment(id));
        let request = || self.http.request(Method::GET, &path);
        let found: RefundObject = self.http.send("paypal_fetch_refund", request).await?.json()?;
        snapshot(found)
    }
}

fn snapshot(refund: RefundObject) -> Result<RefundSnapshot, ProviderError> {
    let outcome = match refund.status.as_str() {
        "PENDING" => RefundOutcome::Pending,
        "COMPLETED" => RefundOutcome::Succeeded,
        "FAILED" | "CANCELLED" => RefundOutcome::Failed {
            code: refund.status.to_ascii_lowercase(),
        },
        other => {
            return Err(ProviderError::NoAnswer(format!(
                "refund {}: status {other:?}",
                refund.id
            )));
        }
    };
    Ok(RefundSnapshot {
        amount: money(&refund.amount.value, &refund.amount.currency_code)?,
        refund_id: refund.custom_id.and_then(|text| text.parse().ok()),
        provider_refund_id: refund.id,
        outcome,
        created_at: refund.create_time,
    })
}

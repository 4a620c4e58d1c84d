//! YooKassa: one payment for one period, the first made in YooKassa's widget, the others of what it kept of that one.
//!
//! YooKassa does not sign its notifications: each is a hint, and the object it names is fetched.

mod capabilities;
mod recurring;
mod webhooks;

pub use self::webhooks::read as read_webhook;

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::config::RotatingSecret;
use kit::http::{ClientError, HttpResponse, Method, RequestBuilder};
use kit::money::Money;
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::{Value, json};

use super::transport::{Transport, by_status, money, path_segment};
use crate::domain::ids::PaymentId;
use crate::domain::order::hosted_checkout::{Reference, end_of_period};
use crate::domain::payment::Decline;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderStatus};
use crate::domain::refund::{Refund, RefundOutcome, RefundSnapshot};
use crate::ports::{
    HostedCheckoutProvider, Later, NewHostedCheckout, NewRefund, ObservedHostedCheckout,
    OpenedHostedCheckout, ProviderError, RefundProvider, SubscriptionProvider,
};

const PAGE_MAX: &str = "100";

/// What a shop has at YooKassa.
pub struct Account {
    pub api_base: String,
    pub shop_id: String,
    pub secret_key: RotatingSecret,
    pub timeout: Duration,
}

pub struct Yookassa {
    transport: Transport,
    shop_id: String,
    secret_key: RotatingSecret,
}

#[derive(Deserialize)]
struct PaymentObject {
    id: String,
    status: String,
    amount: Amount,
    confirmation: Option<Confirmation>,
    #[serde(default)]
    metadata: Metadata,
    cancellation_details: Option<Cancellation>,
    payment_method: Option<PaidWith>,
    created_at: DateTime<Utc>,
    captured_at: Option<DateTime<Utc>>,
}

#[derive(Deserialize)]
struct Amount {
    value: String,
    currency: String,
}

#[derive(Deserialize)]
struct Confirmation {
    confirmation_token: Option<String>,
}

#[derive(Deserialize, Default)]
struct Metadata {
    reference: Option<String>,
    /// Of one that was made without its buyer.
    charge: Option<String>,
}

#[derive(Deserialize)]
struct Cancellation {
    reason: String,
}

/// What was paid with; kept where it is `saved`.
#[derive(Deserialize)]
struct PaidWith {
    id: String,
    #[serde(default)]
    saved: bool,
    card: Option<CardObject>,
}

#[derive(Deserialize)]
struct CardObject {
    last4: String,
    card_type: String,
}

#[derive(Deserialize)]
struct RefundObject {
    id: String,
    payment_id: Option<String>,
    status: String,
    amount: Amount,
    description: Option<String>,
    created_at: DateTime<Utc>,
}

#[derive(Deserialize)]
struct List<T> {
    items: Vec<T>,
}

impl Yookassa {
    pub fn new(account: Account) -> Result<Self, ClientError> {
        Ok(Self {
            transport: Transport::new(&account.api_base, account.timeout)?,
            shop_id: account.shop_id,
            secret_key: account.secret_key,
        })
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.transport
            .request(method, path)
            .basic_auth(&self.shop_id, Some(self.secret_key.first().expose_secret()))
    }

    async fn post(
        &self,
        call: &'static str,
        path: &str,
        body: &Value,
        key: &str,
    ) -> Result<HttpResponse, ProviderError> {
        let request = self.request(Method::POST, path).json(body);
        let request = request.header("Idempotence-Key", key);
        self.transport.send(call, request, refused).await
    }

    async fn payment(&self, id: &str) -> Result<PaymentObject, ProviderError> {
        let path = format!("/v3/payments/{}", path_segment(id));
        let request = self.request(Method::GET, &path);
        let answered = self
            .transport
            .send("yookassa_fetch_payment", request, refused)
            .await?;
        Ok(answered.json()?)
    }

    async fn fetch_refund(&self, id: &str) -> Result<RefundObject, ProviderError> {
        let path = format!("/v3/refunds/{}", path_segment(id));
        let request = self.request(Method::GET, &path);
        let answered = self
            .transport
            .send("yookassa_fetch_refund", request, refused)
            .await?;
        Ok(answered.json()?)
    }
}

#[async_trait]
impl HostedCheckoutProvider for Yookassa {
    async fn create_hosted_checkout(
        &self,
        page: &NewHostedCheckout,
    ) -> Result<OpenedHostedCheckout, ProviderError> {
        let reference = page.reference.to_string();
        let body = json!({
            "amount": written(page.amount),
            "capture": true,
            "confirmation": { "type": "embedded" },
            "description": page.description,
            "metadata": { "reference": reference },
            "save_payment_method": page.later == Later::OffSession,
        });
        let key = reference.as_str();
        let answered = self
            .post("yookassa_create_payment", "/v3/payments", &body, key)
            .await?;
        let made: PaymentObject = answered.json()?;
        let token = made
            .confirmation
            .and_then(|confirmation| confirmation.confirmation_token);
        let token = token.ok_or_else(|| ProviderError::Rejected {
            code: "no_confirmation".to_owned(),
            detail: format!("payment {} is {}", made.id, made.status),
        })?;
        Ok(OpenedHostedCheckout {
            provider_payment_id: made.id,
            redirect_url_or_token: token,
        })
    }

    async fn fetch_hosted_checkout(
        &self,
        provider_payment_id: &str,
    ) -> Result<ObservedHostedCheckout, ProviderError> {
        let found = self.payment(provider_payment_id).await?;
        Ok(ObservedHostedCheckout {
            reference: reference(&found),
            snapshot: snapshot(&found)?,
        })
    }
}

#[async_trait]
impl SubscriptionProvider for Yookassa {
    async fn fetch_subscription(&self, id: &str) -> Result<PaymentSnapshot, ProviderError> {
        snapshot(&self.payment(id).await?)
    }

    /// A lost payment is found by its hosted checkout.
    async fn find_subscription(
        &self,
        _provider_customer_id: Option<&str>,
        _payment_id: PaymentId,
    ) -> Result<Option<PaymentSnapshot>, ProviderError> {
        Ok(None)
    }

    /// Nothing is charged again unless we ask for it; what waits for its buyer ends by itself, and cannot be ended from here.
    async fn cancel_subscription(&self, id: &str) -> Result<PaymentSnapshot, ProviderError> {
        self.fetch_subscription(id).await
    }
}

#[async_trait]
impl RefundProvider for Yookassa {
    async fn refund(&self, new: &NewRefund) -> Result<RefundSnapshot, ProviderError> {
        let body = json!({
            "payment_id": new.provider_intent_id,
            "amount": written(new.amount),
            "description": new.refund_id.to_string(),
        });
        let key = &new.idempotency_key;
        let answered = self.post("yookassa_refund", "/v3/refunds", &body, key).await?;
        refund_snapshot(answered.json()?)
    }

    async fn list_refunds(
        &self,
        provider_intent_id: &str,
        _known: &[Refund],
    ) -> Result<Vec<RefundSnapshot>, ProviderError> {
        // One page of a hundred refunds is enough.
        let query = [("payment_id", provider_intent_id), ("limit", PAGE_MAX)];
        let request = self.request(Method::GET, "/v3/refunds").query(&query);
        let answered = self
            .transport
            .send("yookassa_list_refunds", request, refused)
            .await?;
        let list: List<RefundObject> = answered.json()?;
        list.items.into_iter().map(refund_snapshot).collect()
    }
}

fn written(amount: Money) -> Value {
    json!({ "value": amount.major(), "currency": amount.currency.code() })
}

fn reference(payment: &PaymentObject) -> Option<Reference> {
    payment.metadata.reference.as_deref()?.parse().ok()
}

fn snapshot(payment: &PaymentObject) -> Result<PaymentSnapshot, ProviderError> {
    let unexpected = |what: &str| ProviderError::OutcomeUnknown(format!("payment {}: {what}", payment.id));
    let (status, period_end, charge) = match payment.status.as_str() {
        "pending" => {
            let charge = payment
                .confirmation
                .as_ref()
                .and_then(|confirmation| confirmation.confirmation_token.clone())
                .map_or(Charge::Processing, |client_secret| Charge::ActionRequired {
                    client_secret,
                });
            (ProviderStatus::Incomplete, payment.created_at, charge)
        }
        "waiting_for_capture" => (ProviderStatus::Incomplete, payment.created_at, Charge::Processing),
        "succeeded" => {
            let paid_at = payment
                .captured_at
                .ok_or_else(|| unexpected("no time of capture"))?;
            let months = reference(payment).map_or(0, |reference| reference.period_months);
            let taken = money(&payment.amount.value, &payment.amount.currency)?;
            let end = end_of_period(paid_at, months);
            (ProviderStatus::Paid, end, Charge::Captured(taken))
        }
        "canceled" => (ProviderStatus::Expired, payment.created_at, refusal(payment)),
        other => return Err(unexpected(&format!("status {other:?}"))),
    };
    Ok(PaymentSnapshot {
        provider_subscription_id: payment.id.clone(),
        payment_id: None,
        provider_intent_id: Some(payment.id.clone()),
        status,
        period_end,
        charge,
    })
}

fn refusal(payment: &PaymentObject) -> Charge {
    let reason = payment
        .cancellation_details
        .as_ref()
        .map(|details| details.reason.as_str());
    match reason {
        None | Some("expired_on_confirmation" | "expired_on_capture" | "canceled_by_merchant") => {
            Charge::Closed
        }
        Some(reason) => Charge::Declined(Decline {
            code: reason.to_owned(),
            message: "The bank did not allow this payment. Try again with another card.".to_owned(),
        }),
    }
}

fn refund_snapshot(refund: RefundObject) -> Result<RefundSnapshot, ProviderError> {
    let outcome = match refund.status.as_str() {
        "pending" => RefundOutcome::Pending,
        "succeeded" => RefundOutcome::Succeeded,
        "canceled" => RefundOutcome::Failed {
            code: "canceled".to_owned(),
        },
        other => {
            return Err(ProviderError::OutcomeUnknown(format!(
                "refund {}: status {other:?}",
                refund.id
            )));
        }
    };
    Ok(RefundSnapshot {
        amount: money(&refund.amount.value, &refund.amount.currency)?,
        refund_id: refund.description.and_then(|text| text.parse().ok()),
        provider_refund_id: refund.id,
        outcome,
        created_at: refund.created_at,
        is_disputed: false,
    })
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Refusal {
    code: String,
    description: String,
}

fn refused(answered: &HttpResponse) -> ProviderError {
    let Refusal { code, description } = serde_json::from_slice(&answered.body).unwrap_or_default();
    by_status(answered.status, &code, description)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(status: &str, more: &Value) -> PaymentSnapshot {
        let mut shown = json!({
            "id": "2c1", "status": status, "amount": { "value": "499.00", "currency": "RUB" },
            "metadata": { "reference": "hco_0192f0c0a0007000800000000000000a.1" },
            "created_at": "2026-11-20T12:00:00.000Z",
        });
        for (name, value) in more.as_object().unwrap() {
            shown[name] = value.clone();
        }
        snapshot(&serde_json::from_value(shown).unwrap()).unwrap()
    }

    #[test]
    fn a_payment_pays_for_its_period() {
        let captured = json!({ "captured_at": "2026-11-20T12:05:00.000Z" });
        let shown = read("succeeded", &captured);
        assert_eq!(shown.status, ProviderStatus::Paid);
        assert_eq!(shown.period_end.to_rfc3339(), "2026-12-20T12:05:00+00:00");
        assert!(matches!(shown.charge, Charge::Captured(paid) if paid.minor == 49_900));
    }

    #[test]
    fn refusal_differs_from_an_unused_page() {
        let of = |reason: &str| {
            let details = json!({ "cancellation_details": { "party": "yoo_money", "reason": reason } });
            read("canceled", &details).charge
        };
        assert_eq!(of("expired_on_confirmation"), Charge::Closed);
        assert!(
            matches!(of("insufficient_funds"), Charge::Declined(said) if said.code == "insufficient_funds")
        );
    }

    #[test]
    fn a_pending_payment_is_never_paid() {
        let waiting =
            json!({ "paid": true, "confirmation": { "type": "embedded", "confirmation_token": "ct-1" } });
        let shown = read("pending", &waiting);
        assert!(matches!(shown.charge, Charge::ActionRequired { client_secret } if client_secret == "ct-1"));
    }
}

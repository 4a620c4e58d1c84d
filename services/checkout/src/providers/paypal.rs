//! PayPal subscriptions by its REST API. The buyer's browser creates them; this client fetches, cancels and refunds them.

mod billing;
mod capabilities;
mod http;
mod periods;
mod plans;
mod refunds;
mod subscription_snapshot;
mod webhooks;
mod wire;

pub use self::webhooks::read as read_webhook;

use async_trait::async_trait;
use chrono::{DateTime, Months, TimeDelta, Utc};
use kit::clock::Clock;
use kit::config::RotatingSecret;
use kit::http::{ClientError, Method};
use std::time::Duration;

use self::http::Http;
use self::wire::{Cycles, PlanObject, SubscriptionObject, Transactions};
use super::transport::{money, path_segment};
use crate::domain::ids::PaymentId;
use crate::domain::payment::Decline;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderStatus};
use crate::ports::{ApprovalState, ObservedApproval, ProviderError, SubscriptionProvider};

/// A merchant account at PayPal.
pub struct Account {
    pub api_base: String,
    pub client_id: String,
    pub client_secret: RotatingSecret,
    pub webhook_id: String,
    pub timeout: Duration,
}

pub struct Paypal {
    http: Http,
    webhook_id: String,
    clock: Clock,
}

impl Paypal {
    pub fn new(account: Account, clock: Clock) -> Result<Self, ClientError> {
        Ok(Self {
            webhook_id: account.webhook_id.clone(),
            http: Http::new(account, clock.clone())?,
            clock,
        })
    }

    async fn subscription(&self, id: &str) -> Result<SubscriptionObject, ProviderError> {
        let path = format!("/v1/billing/subscriptions/{}", path_segment(id));
        let request = || self.http.request(Method::GET, &path);
        Ok(self
            .http
            .send("paypal_fetch_subscription", request)
            .await?
            .json()?)
    }

    async fn plan(&self, id: &str) -> Result<PlanObject, ProviderError> {
        let path = format!("/v1/billing/plans/{}", path_segment(id));
        let request = || self.http.request(Method::GET, &path);
        Ok(self.http.send("paypal_fetch_plan", request).await?.json()?)
    }

    async fn transactions(&self, found: &SubscriptionObject) -> Result<Transactions, ProviderError> {
        let path = format!(
            "/v1/billing/subscriptions/{}/transactions",
            path_segment(&found.id)
        );
        let from = found.create_time - TimeDelta::days(1);
        let until = self.clock.now() + TimeDelta::days(1);
        let bounds = [("start_time", stamp(from)), ("end_time", stamp(until))];
        let request = || self.http.request(Method::GET, &path).query(&bounds);
        Ok(self
            .http
            .send("paypal_list_transactions", request)
            .await?
            .json()?)
    }

    async fn look_into(&self, found: &SubscriptionObject) -> Result<PaymentSnapshot, ProviderError> {
        let transactions = self.transactions(found).await?;
        let cycles = match found.next_billing() {
            Some(_) => None,
            None => Some(self.plan(&found.plan_id).await?.cycles()),
        };
        snapshot(found, &transactions, cycles, self.clock.now())
    }

    pub(super) async fn approval(&self, id: &str) -> Result<ObservedApproval, ProviderError> {
        let found = self.subscription(id).await?;
        let snapshot = self.look_into(&found).await?;
        let plan = self.plan(&found.plan_id).await?;
        // The amount of a plan that the buyer's page overrides is known only from the payment.
        let agreed = match (&snapshot.charge, found.plan_overridden) {
            (Charge::Captured(paid), _) => Some(*paid),
            (_, false) => plan.regular_price()?,
            (_, true) => None,
        };
        let quantity_is_one = found.quantity.as_deref().is_none_or(|quantity| quantity == "1");
        Ok(ObservedApproval {
            custom_id: found.custom_id.clone(),
            plan_id: found.plan_id.clone(),
            amount: agreed.filter(|_| quantity_is_one && !found.plan_overridden),
            payer_id: found.payer_id(),
            email: found.email(),
            full_name: found.full_name(),
            state: match found.status.as_str() {
                "APPROVED" | "ACTIVE" => ApprovalState::Approved,
                "SUSPENDED" | "CANCELLED" | "EXPIRED" => ApprovalState::Ended,
                _ => ApprovalState::Pending,
            },
            made_at: found.create_time,
            snapshot,
        })
    }
}

fn stamp(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[async_trait]
impl SubscriptionProvider for Paypal {
    async fn fetch_subscription(&self, id: &str) -> Result<PaymentSnapshot, ProviderError> {
        let found = self.subscription(id).await?;
        self.look_into(&found).await
    }

    /// The browser creates subscriptions, so no creating call can be lost here.
    async fn find_subscription(
        &self,
        _provider_customer_id: Option<&str>,
        _payment_id: PaymentId,
    ) -> Result<Option<PaymentSnapshot>, ProviderError> {
        Ok(None)
    }

    async fn cancel_subscription(&self, id: &str) -> Result<PaymentSnapshot, ProviderError> {
        let reason = "It was paid in another way, or is not wanted any more.";
        match self.set_status(id, "cancel", reason).await {
            // The subscription has already ended.
            Ok(()) | Err(ProviderError::Rejected { .. }) => self.fetch_subscription(id).await,
            Err(error) => Err(error),
        }
    }
}

/// `cycles`: required if the subscription has no next billing time.
fn snapshot(
    found: &SubscriptionObject,
    transactions: &Transactions,
    cycles: Option<Cycles>,
    now: DateTime<Utc>,
) -> Result<PaymentSnapshot, ProviderError> {
    let first = transactions.first_payment();
    let period_end = period_end(found, cycles);
    let is_owed = found.owed(transactions)?.is_some();
    let is_on_trial = first.is_none() && found.is_on_trial();
    let status = match found.status.as_str() {
        "APPROVAL_PENDING" | "APPROVED" => ProviderStatus::Incomplete,
        "ACTIVE" | "SUSPENDED" if is_on_trial => ProviderStatus::Trialing,
        "ACTIVE" | "SUSPENDED" if is_owed => ProviderStatus::PastDue,
        "ACTIVE" => ProviderStatus::Active,
        "SUSPENDED" if first.is_some() => ProviderStatus::Active,
        "SUSPENDED" => ProviderStatus::PastDue,
        // Not charged any more. The paid period or trial continues.
        "CANCELLED" if is_on_trial && now < period_end => ProviderStatus::Trialing,
        "CANCELLED" | "EXPIRED" if now < period_end => ProviderStatus::Active,
        "CANCELLED" => ProviderStatus::Canceled,
        "EXPIRED" => ProviderStatus::Expired,
        other => {
            return Err(ProviderError::OutcomeUnknown(format!(
                "subscription {}: status {other:?}",
                found.id
            )));
        }
    };
    let charge = match first {
        Some(paid) if paid.status == "PENDING" => Charge::Processing,
        Some(paid) => {
            let gross = &paid.amount_with_breakdown.gross_amount;
            Charge::Captured(money(&gross.value, &gross.currency_code)?)
        }
        None if status == ProviderStatus::Trialing => Charge::NotDue,
        None if found.is_over() => Charge::Closed,
        None => match found.last_refusal() {
            Some(code) => Charge::Declined(declined(code)),
            None => Charge::Processing,
        },
    };
    Ok(PaymentSnapshot {
        provider_subscription_id: found.id.clone(),
        payment_id: None,
        provider_intent_id: first.map(|paid| paid.id.clone()),
        status,
        period_end,
        charge,
    })
}

fn period_end(found: &SubscriptionObject, cycles: Option<Cycles>) -> DateTime<Utc> {
    if let Some(next) = found.next_billing() {
        return next;
    }
    let last = found
        .billing_info
        .as_ref()
        .and_then(|info| info.last_payment.as_ref());
    match (last.map(|paid| paid.time), cycles) {
        (Some(paid_at), Some(Cycles { months, .. })) => {
            paid_at.checked_add_months(Months::new(months)).unwrap_or(paid_at)
        }
        (Some(paid_at), None) => paid_at,
        (None, Some(Cycles { trial, .. })) => found.started_at() + trial,
        (None, None) => found.create_time,
    }
}

fn declined(code: &str) -> Decline {
    Decline {
        code: code.to_ascii_lowercase(),
        message: "PayPal could not take the payment. Choose another way to pay.".to_owned(),
    }
}

#[cfg(test)]
mod tests;

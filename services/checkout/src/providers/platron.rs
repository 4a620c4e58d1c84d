//! Platron: one payment for one period, the first made on Platron's page, the others by its recurring profile. Its scripts take signed forms and answer in signed XML.
//!
//! Platron supports no idempotency keys. A page made twice is two payments of which the buyer is shown one; before money is
//! given back, what was given back so far is looked up.

mod capabilities;
mod recurring;
mod signature;
#[cfg(test)]
mod tests;
mod webhooks;
mod xml;

pub use self::webhooks::read_stored as read_webhook;

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDateTime, Utc};
use kit::clock::Clock;
use kit::config::RotatingSecret;
use kit::http::{ClientError, HttpResponse, Method};
use kit::ids::new_uuid;
use kit::money::Money;
use url::form_urlencoded::byte_serialize;

use self::signature::{Fields, get, is_right, signed};
use super::transport::{Transport, by_status, money};
use crate::domain::ids::PaymentId;
use crate::domain::order::hosted_checkout::{LIFETIME, Reference, end_of_period};
use crate::domain::payment::Decline;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderStatus};
use crate::domain::refund::{Refund, RefundOutcome, RefundSnapshot, RefundState};
use crate::ports::{
    HostedCheckoutProvider, Later, NewHostedCheckout, NewRefund, ObservedHostedCheckout,
    OpenedHostedCheckout, ProviderError, RefundProvider, SubscriptionProvider,
};

/// As long as Platron keeps a recurring profile at most.
const PROFILE_MONTHS: u32 = 156;

/// What a merchant has at Platron.
pub struct Account {
    pub api_base: String,
    pub merchant_id: String,
    pub secret_key: RotatingSecret,
    /// How buyers reach us.
    pub public_url: String,
    /// How Platron does, where that differs.
    pub callback_url: Option<String>,
    pub timeout: Duration,
}

pub struct Platron {
    transport: Transport,
    merchant_id: String,
    secret_key: RotatingSecret,
    public_url: String,
    callback_url: String,
    clock: Clock,
}

impl Platron {
    pub fn new(account: Account, clock: Clock) -> Result<Self, ClientError> {
        let callback_url = account.callback_url.as_ref().unwrap_or(&account.public_url);
        Ok(Self {
            transport: Transport::new(&account.api_base, account.timeout)?,
            callback_url: callback_url.trim_end_matches('/').to_owned(),
            merchant_id: account.merchant_id,
            secret_key: account.secret_key,
            public_url: account.public_url.trim_end_matches('/').to_owned(),
            clock,
        })
    }

    async fn call(
        &self,
        call: &'static str,
        script: &'static str,
        mut fields: Fields,
    ) -> Result<Fields, ProviderError> {
        fields.push(("pg_merchant_id".to_owned(), self.merchant_id.clone()));
        let fields = self.signed(script, fields);
        let request = self.transport.request(Method::POST, &format!("/{script}"));
        let answered = self.transport.send(call, request.form(&fields), refused).await?;
        self.read(script, &answered)
    }

    fn signed(&self, script: &str, fields: Fields) -> Fields {
        signed(
            script,
            fields,
            &self.secret_key.first(),
            new_uuid(self.clock.now()),
        )
    }

    /// While the key is replaced, Platron may sign with either.
    fn is_right(&self, script: &str, fields: &[(String, String)]) -> bool {
        let secrets = self.secret_key.values();
        secrets.iter().any(|secret| is_right(script, fields, secret))
    }

    /// Errors come with status 200 and without a signature; whatever succeeds must be signed.
    fn read(&self, script: &str, answered: &HttpResponse) -> Result<Fields, ProviderError> {
        let unreadable = || ProviderError::OutcomeUnknown(format!("{script}: unreadable"));
        let text = std::str::from_utf8(&answered.body).map_err(|_| unreadable())?;
        let fields = xml::read("response", text).ok_or_else(unreadable)?;
        if get(&fields, "pg_status") == Some("error") {
            return Err(failure(&fields));
        }
        if self.is_right(script, &fields) {
            Ok(fields)
        } else {
            Err(ProviderError::OutcomeUnknown(format!(
                "{script}: the answer is not Platron's"
            )))
        }
    }

    async fn status(&self, payment_id: &str) -> Result<Fields, ProviderError> {
        let fields = owned([("pg_payment_id", payment_id.to_owned())]);
        self.call("platron_get_status", "get_status.php", fields).await
    }
}

fn owned<const N: usize>(fields: [(&str, String); N]) -> Fields {
    fields.map(|(name, value)| (name.to_owned(), value)).into()
}

fn refused(answered: &HttpResponse) -> ProviderError {
    by_status(answered.status, "", String::new())
}

fn failure(fields: &[(String, String)]) -> ProviderError {
    let code = get(fields, "pg_error_code").unwrap_or_default();
    let detail = get(fields, "pg_error_description").unwrap_or_default().to_owned();
    match code {
        "340" => ProviderError::NotFound,
        // Signature and merchant: our settings are wrong. Nothing was done.
        "100" | "101" => ProviderError::NotSent(detail),
        "1000" => ProviderError::OutcomeUnknown(detail),
        code => ProviderError::Rejected {
            code: format!("platron_{code}"),
            detail,
        },
    }
}

#[async_trait]
impl HostedCheckoutProvider for Platron {
    async fn create_hosted_checkout(
        &self,
        page: &NewHostedCheckout,
    ) -> Result<OpenedHostedCheckout, ProviderError> {
        let url = |path: &str| format!("{}{path}", self.callback_url);
        let campaign: String = byte_serialize(page.campaign.as_bytes()).collect();
        let back = format!(
            "{}/{}/payment-return/?campaign={campaign}",
            self.public_url, page.language
        );
        let mut fields = owned([
            ("pg_order_id", page.reference.to_string()),
            ("pg_amount", page.amount.major()),
            ("pg_currency", page.amount.currency.code().to_owned()),
            ("pg_description", page.description.clone()),
            ("pg_lifetime", LIFETIME.num_seconds().to_string()),
            ("pg_language", page.language.clone()),
            ("pg_check_url", url("/webhooks/platron/check")),
            ("pg_result_url", url("/webhooks/platron/result")),
            ("pg_refund_url", url("/webhooks/platron/refund")),
            ("pg_request_method", "POST".to_owned()),
            ("pg_success_url", back.clone()),
            ("pg_failure_url", back),
        ]);
        if page.later == Later::OffSession {
            fields.extend(owned([
                ("pg_recurring_start", "1".to_owned()),
                ("pg_recurring_lifetime", PROFILE_MONTHS.to_string()),
            ]));
        }
        if !page.email.is_empty() {
            fields.push(("pg_user_contact_email".to_owned(), page.email.clone()));
        }
        let made = self
            .call("platron_init_payment", "init_payment.php", fields)
            .await?;
        let (Some(id), Some(address)) = (get(&made, "pg_payment_id"), get(&made, "pg_redirect_url")) else {
            return Err(ProviderError::OutcomeUnknown(
                "init_payment.php: no payment".to_owned(),
            ));
        };
        Ok(OpenedHostedCheckout {
            provider_payment_id: id.to_owned(),
            redirect_url_or_token: address.to_owned(),
        })
    }

    async fn fetch_hosted_checkout(
        &self,
        provider_payment_id: &str,
    ) -> Result<ObservedHostedCheckout, ProviderError> {
        let fields = self.status(provider_payment_id).await?;
        Ok(ObservedHostedCheckout {
            reference: reference(&fields),
            snapshot: snapshot(&fields, self.clock.now())?,
        })
    }
}

#[async_trait]
impl SubscriptionProvider for Platron {
    async fn fetch_subscription(&self, id: &str) -> Result<PaymentSnapshot, ProviderError> {
        snapshot(&self.status(id).await?, self.clock.now())
    }

    /// A lost payment is found by its hosted checkout.
    async fn find_subscription(
        &self,
        _provider_customer_id: Option<&str>,
        _payment_id: PaymentId,
    ) -> Result<Option<PaymentSnapshot>, ProviderError> {
        Ok(None)
    }

    async fn cancel_subscription(&self, id: &str) -> Result<PaymentSnapshot, ProviderError> {
        let fields = owned([("pg_payment_id", id.to_owned())]);
        match self.call("platron_cancel", "cancel.php", fields).await {
            // It is paid or over: nothing is charged again.
            Ok(_) | Err(ProviderError::Rejected { .. }) => self.fetch_subscription(id).await,
            Err(error) => Err(error),
        }
    }
}

#[async_trait]
impl RefundProvider for Platron {
    /// The caller has listed earlier refunds.
    async fn refund(&self, new: &NewRefund) -> Result<RefundSnapshot, ProviderError> {
        let fields = owned([
            ("pg_payment_id", new.provider_intent_id.clone()),
            ("pg_refund_amount", new.amount.major()),
        ]);
        self.call("platron_revoke", "revoke.php", fields).await?;
        Ok(RefundSnapshot {
            provider_refund_id: new.refund_id.to_string(),
            refund_id: Some(new.refund_id),
            amount: new.amount,
            outcome: RefundOutcome::Succeeded,
            created_at: self.clock.now(),
            is_disputed: false,
        })
    }

    /// Platron returns only the total refunded amount.
    async fn list_refunds(
        &self,
        provider_intent_id: &str,
        known: &[Refund],
    ) -> Result<Vec<RefundSnapshot>, ProviderError> {
        let fields = self.status(provider_intent_id).await?;
        let Some(total) = amount_of(&fields, "pg_refund_amount")? else {
            return Ok(Vec::new());
        };
        Ok(unknown_refund(provider_intent_id, total, known, self.clock.now())
            .into_iter()
            .collect())
    }
}

/// What went back beyond what we know of: the one we had no answer about, or one made by hand.
fn unknown_refund(
    payment: &str,
    total: Money,
    known: &[Refund],
    now: DateTime<Utc>,
) -> Option<RefundSnapshot> {
    let given = known
        .iter()
        .filter(|refund| matches!(refund.state, RefundState::Succeeded { .. }))
        .map(|refund| refund.amount.minor)
        .sum::<i64>();
    let minor = total.minor - given;
    if minor <= 0 {
        return None;
    }
    let ours = known
        .iter()
        .find(|refund| refund.is_open() && refund.amount.minor == minor);
    Some(RefundSnapshot {
        provider_refund_id: ours.map_or_else(
            || format!("{payment}/{}", total.minor),
            |refund| refund.refund_id.to_string(),
        ),
        refund_id: ours.map(|refund| refund.refund_id),
        amount: Money::new(minor, total.currency),
        outcome: RefundOutcome::Succeeded,
        created_at: now,
        is_disputed: false,
    })
}

fn reference(fields: &[(String, String)]) -> Option<Reference> {
    get(fields, "pg_order_id")?.parse().ok()
}

fn amount_of(fields: &[(String, String)], name: &str) -> Result<Option<Money>, ProviderError> {
    let currency = get(fields, "pg_currency").unwrap_or("RUB");
    // The rouble's name until 1998, which Platron still takes and gives.
    let currency = if currency == "RUR" { "RUB" } else { currency };
    match get(fields, name) {
        None | Some("" | "0" | "0.00") => Ok(None),
        Some(value) => money(value, currency).map(Some),
    }
}

/// In UTC, as agreed with Platron for this merchant.
fn moment(fields: &[(String, String)], name: &str) -> Option<DateTime<Utc>> {
    let written = NaiveDateTime::parse_from_str(get(fields, name)?, "%Y-%m-%d %H:%M:%S").ok()?;
    Some(written.and_utc())
}

fn snapshot(fields: &[(String, String)], now: DateTime<Utc>) -> Result<PaymentSnapshot, ProviderError> {
    let unexpected = |what: &str| ProviderError::OutcomeUnknown(format!("get_status.php: {what}"));
    let id = get(fields, "pg_payment_id").ok_or_else(|| unexpected("no payment"))?;
    let created = moment(fields, "pg_create_date").unwrap_or(now);
    let (status, period_end, charge) = match get(fields, "pg_transaction_status") {
        Some("partial" | "incomplete") => {
            let client_secret = id.to_owned();
            (
                ProviderStatus::Incomplete,
                created,
                Charge::ActionRequired { client_secret },
            )
        }
        Some("pending") => (ProviderStatus::Incomplete, created, Charge::Processing),
        // Given back or not, it was taken.
        Some("ok" | "revoked") => {
            let paid_at = moment(fields, "pg_result_date").unwrap_or(created);
            let months = reference(fields).map_or(0, |reference| reference.period_months);
            let end = end_of_period(paid_at, months);
            let taken = amount_of(fields, "pg_amount")?.ok_or_else(|| unexpected("no amount"))?;
            (ProviderStatus::Paid, end, Charge::Captured(taken))
        }
        Some("failed") => (ProviderStatus::Expired, created, refusal(fields)),
        other => return Err(unexpected(&format!("status {other:?}"))),
    };
    Ok(PaymentSnapshot {
        provider_subscription_id: id.to_owned(),
        payment_id: None,
        provider_intent_id: Some(id.to_owned()),
        status,
        period_end,
        charge,
    })
}

fn refusal(fields: &[(String, String)]) -> Charge {
    match get(fields, "pg_failure_code") {
        // Expired unpaid, or cancelled by the buyer.
        None | Some("360" | "400") => Charge::Closed,
        Some(code) => Charge::Declined(Decline {
            code: format!("platron_{code}"),
            message: "The payment did not succeed. Try again, or with another card.".to_owned(),
        }),
    }
}

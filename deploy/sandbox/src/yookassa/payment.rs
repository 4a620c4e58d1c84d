//! A payment, a saved card and a refund: as stored, and as YooKassa's JSON.

use std::borrow::Cow;

use kit::money::{Currency, Money};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::provider::YookassaProvider;
use crate::engine::calendar;

/// YooKassa's fee, in tenths of a percent.
const FEE_PER_MILLE: i64 = 35;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Pending,
    WaitingForCapture,
    Succeeded,
    Canceled,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancellation {
    party: Cow<'static, str>,
    pub reason: Cow<'static, str>,
}

impl Cancellation {
    pub const fn by_network(reason: &'static str) -> Self {
        Self::new("payment_network", reason)
    }

    pub const fn by_yookassa(reason: &'static str) -> Self {
        Self::new("yoo_money", reason)
    }

    pub fn by_bank(reason: &str) -> Self {
        Self {
            party: "payment_network".into(),
            reason: Cow::Owned(reason.to_owned()),
        }
    }

    pub const fn by_merchant(reason: &'static str) -> Self {
        Self::new("merchant", reason)
    }

    const fn new(party: &'static str, reason: &'static str) -> Self {
        Self {
            party: Cow::Borrowed(party),
            reason: Cow::Borrowed(reason),
        }
    }
}

/// How the buyer reaches the payment page.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    Embedded {
        token: String,
    },
    Redirect {
        return_url: String,
    },
    /// A payment with a saved card.
    None,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct PaymentMethod {
    pub id: String,
    pub number: String,
    pub month: String,
    pub year: String,
    pub is_saved: bool,
    /// The result of later payments; `None` is success.
    pub decline: Option<Cancellation>,
}

impl PaymentMethod {
    fn to_json(&self) -> Value {
        let last4 = &self.number[self.number.len().saturating_sub(4)..];
        json!({
            "type": "bank_card",
            "id": self.id,
            "saved": self.is_saved,
            "status": if self.is_saved { "active" } else { "inactive" },
            "title": format!("Bank card *{last4}"),
            "card": {
                "first6": self.number.get(..6), "last4": last4, "expiry_year": self.year, "expiry_month": self.month,
                "card_type": network(&self.number), "issuer_country": "RU",
            },
        })
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Payment {
    pub id: String,
    pub status: Status,
    pub minor: i64,
    pub currency: String,
    pub refunded: i64,
    pub is_captured_automatically: bool,
    pub saves_method: bool,
    pub confirmation: Confirmation,
    pub method: Option<PaymentMethod>,
    pub cancellation: Option<Cancellation>,
    /// Why the last attempt in the widget failed.
    pub last_decline: Option<Cancellation>,
    pub description: Option<String>,
    pub metadata: Value,
    pub merchant_customer: Option<String>,
    pub has_receipt: bool,
    pub created: i64,
    pub captured: Option<i64>,
    /// The end of the authorisation.
    pub expires: Option<i64>,
}

impl Payment {
    pub fn money(&self, minor: i64) -> Value {
        let value = Currency::parse(&self.currency).map_or_else(
            |_| minor.to_string(),
            |currency| Money::new(minor, currency).major(),
        );
        json!({ "value": value, "currency": self.currency })
    }

    pub const fn refundable(&self) -> i64 {
        self.minor - self.refunded
    }

    pub fn to_json(&self, provider: &YookassaProvider) -> Value {
        let is_paid = matches!(self.status, Status::WaitingForCapture | Status::Succeeded);
        let mut json = json!({
            "id": self.id,
            "status": self.status,
            "amount": self.money(self.minor),
            "recipient": { "account_id": provider.shop_id, "gateway_id": "100700" },
            "created_at": timestamp(self.created),
            "test": true,
            "paid": is_paid,
            "refundable": self.status == Status::Succeeded && self.refundable() > 0,
            "metadata": self.metadata,
        });
        let mut set = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                json[name] = value;
            }
        };
        set("description", self.description.as_deref().map(Value::from));
        set(
            "merchant_customer_id",
            self.merchant_customer.as_deref().map(Value::from),
        );
        set("payment_method", self.method.as_ref().map(PaymentMethod::to_json));
        set("captured_at", self.captured.map(|at| timestamp(at).into()));
        set("expires_at", self.expires.map(|at| timestamp(at).into()));
        set(
            "cancellation_details",
            self.cancellation.as_ref().map(|details| json!(details)),
        );
        if self.status == Status::Pending {
            set("confirmation", self.confirmation_json(provider));
        }
        if self.status == Status::Succeeded {
            set(
                "income_amount",
                Some(self.money(self.minor - self.minor * FEE_PER_MILLE / 1000)),
            );
            set("refunded_amount", Some(self.money(self.refunded)));
        }
        if is_paid {
            set(
                "authorization_details",
                Some(json!({
                    "rrn": "603668680243", "auth_code": "000000", "three_d_secure": { "applied": false },
                })),
            );
        }
        if self.has_receipt {
            set(
                "receipt_registration",
                Some(match self.status {
                    Status::Succeeded => "succeeded".into(),
                    Status::Canceled => "canceled".into(),
                    Status::Pending | Status::WaitingForCapture => "pending".into(),
                }),
            );
        }
        json
    }

    fn confirmation_json(&self, provider: &YookassaProvider) -> Option<Value> {
        match &self.confirmation {
            Confirmation::Embedded { token } => {
                Some(json!({ "type": "embedded", "confirmation_token": token }))
            }
            Confirmation::Redirect { return_url } => Some(json!({
                "type": "redirect",
                "return_url": return_url,
                "confirmation_url": format!("{}/api-pages/v2/payment-confirm/epl?orderId={}", provider.url, self.id),
            })),
            Confirmation::None => None,
        }
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Refund {
    pub id: String,
    pub payment: String,
    pub amount: Value,
    pub description: Option<String>,
    pub created: i64,
}

impl Refund {
    pub fn to_json(&self) -> Value {
        let mut json = json!({
            "id": self.id, "status": "succeeded", "amount": self.amount, "created_at": timestamp(self.created),
            "payment_id": self.payment,
        });
        if let Some(description) = &self.description {
            json["description"] = description.as_str().into();
        }
        json
    }
}

/// YooKassa's timestamps have milliseconds.
fn timestamp(at: i64) -> String {
    calendar::rfc3339(at).replace('Z', ".000Z")
}

fn network(number: &str) -> &'static str {
    match number.as_bytes().first() {
        Some(b'4') => "Visa",
        Some(b'2') => "Mir",
        _ => "MasterCard",
    }
}

//! Sales: the payments of subscriptions.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{buyers::Buyer, provider::PaypalProvider, subscription::Subscription};
use crate::engine::{calendar::rfc3339, ids::random_upper};

/// A bank debit clears in three days.
pub const CLEARING_SECS: i64 = 3 * 24 * 3600;
const FEE_BASIS_POINTS: i64 = 349;
const FEE_FIXED_MINOR: i64 = 49;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Pending,
    Completed,
    PartiallyRefunded,
    Refunded,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Sale {
    pub id: String,
    pub subscription: String,
    pub state: State,
    pub minor: i64,
    pub refunded: i64,
    pub currency: String,
    /// Amounts as decimal text.
    pub gross: String,
    fee: String,
    net: String,
    buyer: Buyer,
    custom: Option<String>,
    pub at: i64,
    pub updated: i64,
}

impl Sale {
    pub fn of(subscription: &Subscription, buyer: Buyer, minor: i64, now: i64) -> Self {
        let terms = &subscription.terms;
        let fee = (minor * FEE_BASIS_POINTS / 10_000 + FEE_FIXED_MINOR).min(minor);
        Self {
            id: random_upper(17),
            subscription: subscription.id.clone(),
            state: State::Completed,
            minor,
            refunded: 0,
            currency: terms.currency.clone(),
            gross: terms.money(minor),
            fee: terms.money(fee),
            net: terms.money(minor - fee),
            buyer,
            custom: subscription.custom_id.clone(),
            at: now,
            updated: now,
        }
    }

    /// The sale of the v1 API and of events.
    pub fn to_json(&self, provider: &PaypalProvider) -> Value {
        let own = format!("{}/v1/payments/sale/{}", provider.url, self.id);
        let mut json = json!({
            "id": self.id,
            "billing_agreement_id": self.subscription,
            "state": self.state,
            "amount": { "total": self.gross, "currency": self.currency, "details": { "subtotal": self.gross } },
            "payment_mode": if self.buyer == Buyer::Slow { "ECHECK" } else { "INSTANT_TRANSFER" },
            "protection_eligibility": "ELIGIBLE",
            "protection_eligibility_type": "ITEM_NOT_RECEIVED_ELIGIBLE,UNAUTHORIZED_PAYMENT_ELIGIBLE",
            "transaction_fee": { "value": self.fee, "currency": self.currency },
            "create_time": rfc3339(self.at),
            "update_time": rfc3339(self.updated),
            "links": [
                { "href": own, "rel": "self", "method": "GET" },
                { "href": format!("{own}/refund"), "rel": "refund", "method": "POST" },
            ],
        });
        if let Some(custom) = &self.custom {
            json["custom"] = custom.as_str().into();
        }
        if self.state == State::Pending {
            json["reason_code"] = "ECHECK".into();
        }
        json
    }

    /// The capture of the v2 API.
    pub fn as_capture(&self, provider: &PaypalProvider) -> Value {
        let own = format!("{}/v2/payments/captures/{}", provider.url, self.id);
        let money = |value: &str| json!({ "currency_code": self.currency, "value": value });
        json!({
            "id": self.id,
            "status": self.status(),
            "amount": money(&self.gross),
            "final_capture": true,
            "seller_receivable_breakdown": {
                "gross_amount": money(&self.gross), "paypal_fee": money(&self.fee), "net_amount": money(&self.net),
            },
            "custom_id": self.custom,
            "create_time": rfc3339(self.at),
            "update_time": rfc3339(self.updated),
            "links": [
                { "href": own, "rel": "self", "method": "GET" },
                { "href": format!("{own}/refund"), "rel": "refund", "method": "POST" },
            ],
        })
    }

    /// The item of a subscription's transaction list.
    pub fn as_transaction(&self) -> Value {
        let money = |value: &str| json!({ "currency_code": self.currency, "value": value });
        json!({
            "status": self.status(),
            "id": self.id,
            "amount_with_breakdown": {
                "gross_amount": money(&self.gross), "fee_amount": money(&self.fee), "net_amount": money(&self.net),
            },
            "payer_name": self.buyer.name(),
            "payer_email": self.buyer.email(),
            "time": rfc3339(self.at),
        })
    }

    const fn status(&self) -> &'static str {
        match self.state {
            State::Pending => "PENDING",
            State::Completed => "COMPLETED",
            State::PartiallyRefunded => "PARTIALLY_REFUNDED",
            State::Refunded => "REFUNDED",
        }
    }
}

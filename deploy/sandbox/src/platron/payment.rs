//! A payment and a recurring profile, as stored.

use chrono::DateTime;
use kit::money::{Currency, Money};
use serde::{Deserialize, Serialize};

use super::signature::Fields;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The buyer has not started to pay.
    Partial,
    /// The merchant checks the order, or the bank processes the charge.
    Pending,
    Ok,
    Failed,
    Revoked,
}

impl Status {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Partial => "partial",
            Self::Pending => "pending",
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Revoked => "revoked",
        }
    }
}

/// The result of the charge, decided on the payment page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// `None` is success.
    pub failure: Option<u32>,
    pub after_secs: i64,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Payment {
    pub id: String,
    /// Identifies the payment in the URL of its page.
    pub customer: String,
    pub order: Option<String>,
    pub status: Status,
    pub minor: i64,
    pub refunded: i64,
    pub currency: String,
    pub description: String,
    pub check_url: Option<String>,
    pub result_url: Option<String>,
    pub refund_url: Option<String>,
    pub success_url: Option<String>,
    pub failure_url: Option<String>,
    pub site_url: Option<String>,
    /// The merchant's own parameters, returned with every call.
    pub merchant_params: Fields,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// Lifetime in months of the recurring profile that this payment creates.
    pub recurring_months: Option<u32>,
    pub profile: Option<String>,
    pub attempt: Option<Attempt>,
    pub failure: Option<u32>,
    /// The merchant's message to the buyer.
    pub merchant_message: Option<String>,
    pub created: i64,
    pub ended: Option<i64>,
    pub revoked: Option<i64>,
    /// Whether the result call was made, with any response.
    pub is_result_delivered: bool,
}

impl Payment {
    pub fn amount(&self, minor: i64) -> String {
        Currency::parse(&self.currency).map_or_else(
            |_| minor.to_string(),
            |currency| Money::new(minor, currency).major(),
        )
    }

    pub const fn is_final(&self) -> bool {
        matches!(self.status, Status::Ok | Status::Failed | Status::Revoked)
    }
}

/// Allows later payments without the buyer.
#[derive(Clone, Serialize, Deserialize)]
pub struct RecurringProfile {
    pub id: String,
    pub payment: String,
    pub expires: i64,
    /// The failure code of later payments; `None` is success.
    pub decline: Option<u32>,
}

/// A timestamp in Platron's format.
pub fn timestamp(at: i64) -> String {
    DateTime::from_timestamp(at, 0)
        .unwrap_or_default()
        .format("%Y-%m-%d %H:%M:%S")
        .to_string()
}

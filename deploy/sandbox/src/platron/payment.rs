//! A payment and a recurring profile as the twin keeps them.

use chrono::DateTime;
use kit::money::{Currency, Money};
use serde::{Deserialize, Serialize};

use super::signature::Fields;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nobody has begun to pay.
    Partial,
    /// Somebody pays, or the bank takes its time.
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

/// What the bank will say once the merchant has agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// None is a success.
    pub refusal: Option<u32>,
    pub after_secs: i64,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Payment {
    pub id: String,
    /// What the payment page is asked for.
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
    /// Parameters that are the merchant's own; they come back with every call.
    pub own: Fields,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// Months a profile lives that this payment begins.
    pub recurring_months: Option<u32>,
    pub profile: Option<String>,
    pub attempt: Option<Attempt>,
    pub failure: Option<u32>,
    /// What the merchant said to whoever tried to pay.
    pub objection: Option<String>,
    pub created: i64,
    pub ended: Option<i64>,
    pub revoked: Option<i64>,
    /// Whether the merchant has been called about the result, in vain or not.
    pub is_told: bool,
}

impl Payment {
    pub fn amount(&self, minor: i64) -> String {
        Currency::parse(&self.currency).map_or_else(
            |_| minor.to_string(),
            |currency| Money::new(minor, currency).major(),
        )
    }

    pub const fn is_over(&self) -> bool {
        matches!(self.status, Status::Ok | Status::Failed | Status::Revoked)
    }
}

/// Allows further payments without anybody.
#[derive(Clone, Serialize, Deserialize)]
pub struct Profile {
    pub id: String,
    pub payment: String,
    pub expires: i64,
    /// What becomes of them.
    pub refusal: Option<u32>,
}

/// As Platron writes moments.
pub fn moment(at: i64) -> String {
    DateTime::from_timestamp(at, 0)
        .unwrap_or_default()
        .format("%Y-%m-%d %H:%M:%S")
        .to_string()
}

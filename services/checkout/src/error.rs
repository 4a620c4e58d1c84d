//! What a caller can do about a refusal. Inside detail stays here and is logged once, where it becomes a status.

use kit::error::{Failure, Kind};

use crate::domain::campaign::Terms;
use crate::domain::catalogue::Unpriced;
use crate::domain::payment::Decline;
use crate::domain::submission::Refusal;
use crate::domain::survey_order;
use crate::ports::{ProviderError, WebhookFault};
use crate::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no such campaign")]
    UnknownCampaign,
    #[error("the coupon does not belong to this price")]
    UnknownCoupon,
    #[error("no such price on sale")]
    UnknownPrice,
    #[error("the member holds this product already")]
    AlreadySubscribed,
    #[error("another payment for this product is in the air")]
    PaymentInProgress,
    #[error("the member is erased, or about to be")]
    MemberErased,
    #[error("the idempotency key was used for another request")]
    IdempotencyConflict,
    #[error("the idempotency key is in use at this moment")]
    KeyInUse,
    #[error("declined: {}", .0.code)]
    Declined(Decline),
    #[error("no such subscription of this member")]
    UnknownSubscription,
    #[error("{field}: {why}")]
    Invalid { field: &'static str, why: &'static str },
    #[error("webhook refused: {0}")]
    Webhook(#[from] WebhookFault),
    #[error("provider: {0}")]
    Provider(#[from] ProviderError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("an event could not be written as JSON: {0}")]
    Event(#[from] serde_json::Error),
    #[error("an amount went out of range: {0}")]
    Money(#[from] kit::money::MoneyError),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(StoreError::Sql(error))
    }
}

impl From<Unpriced> for Error {
    fn from(unpriced: Unpriced) -> Self {
        match unpriced {
            Unpriced::UnknownCampaign => Self::UnknownCampaign,
            Unpriced::UnknownCoupon => Self::UnknownCoupon,
        }
    }
}

impl From<survey_order::Fault> for Error {
    fn from(survey_order::Fault { field, why }: survey_order::Fault) -> Self {
        Self::Invalid { field, why }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::AlreadySubscribed => Self::AlreadySubscribed,
            Refusal::PaymentInProgress => Self::PaymentInProgress,
        }
    }
}

impl Error {
    /// A price whose coupon is not the one the buyer names.
    pub fn unless_coupon_fits(terms: &Terms, coupon_code: &str) -> Result<()> {
        if terms.coupon_code.eq_ignore_ascii_case(coupon_code.trim()) {
            Ok(())
        } else {
            Err(Self::UnknownCoupon)
        }
    }
}

fn session_over() -> Failure {
    Failure::new(
        Kind::Unauthenticated,
        "SESSION_EXPIRED",
        "Your session has ended. Sign in again.",
    )
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownCampaign => {
                Self::new(Kind::Refused, "UNKNOWN_CAMPAIGN", "This offer does not exist.")
            }
            Error::UnknownCoupon => {
                Self::new(Kind::Refused, "UNKNOWN_COUPON", "This coupon is not valid here.")
            }
            Error::UnknownPrice => Self::new(
                Kind::Refused,
                "UNKNOWN_PRICE",
                "This price is no longer offered. Reload the page.",
            ),
            Error::AlreadySubscribed => Self::new(
                Kind::Refused,
                "ALREADY_SUBSCRIBED",
                "You already have this subscription.",
            ),
            Error::PaymentInProgress => Self::new(
                Kind::Refused,
                "PAYMENT_IN_PROGRESS",
                "Another payment of yours is still being checked. Try again in a minute.",
            ),
            Error::MemberErased => session_over(),
            Error::IdempotencyConflict => Self::new(
                Kind::Conflict,
                "IDEMPOTENCY_CONFLICT",
                "This idempotency key was used for another request.",
            ),
            Error::KeyInUse => Self::new(
                Kind::Conflict,
                "IDEMPOTENCY_KEY_IN_USE",
                "The same request is being answered right now. Try again in a moment.",
            ),
            Error::Declined(decline) => Self::new(Kind::Refused, &decline.code, decline.message),
            Error::UnknownSubscription => Self::new(
                Kind::NotFound,
                "UNKNOWN_SUBSCRIPTION",
                "There is no such subscription.",
            ),
            Error::Invalid { field, why } => {
                Self::new(Kind::Invalid, "INVALID_ARGUMENT", format!("{field}: {why}"))
                    .field(field, "INVALID", why)
            }
            Error::Webhook(fault) => Self::new(Kind::Invalid, "BAD_SIGNATURE", fault.to_string()),
            Error::Provider(ref inside) => {
                tracing::warn!(error = %inside, "The payment provider did not do what it was asked");
                let message = "The payment provider cannot be reached. Try again in a moment.";
                Self::new(Kind::Unavailable, "PROVIDER_UNAVAILABLE", message)
            }
            Error::Store(StoreError::Sql(ref inside)) if kit::database::is_outage(inside) => {
                tracing::error!(error = %inside, "The database is not reachable");
                Self::unavailable()
            }
            Error::Store(_) | Error::Event(_) | Error::Money(_) => {
                tracing::error!(error = %error, "A request failed inside");
                Self::internal()
            }
        }
    }
}

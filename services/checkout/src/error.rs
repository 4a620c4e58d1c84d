//! Errors of checkout. Their public form is in `error/public.rs`.

mod public;

use kit::error::FieldError;

use crate::domain::order::checkout_request::Refusal;
use crate::domain::order::payment_import;
use crate::domain::payment::Decline;
use crate::domain::pricing::campaign::Terms;
use crate::domain::pricing::catalogue::PricingError;
use crate::domain::pricing::coupon;
use crate::domain::pricing::seed::SeedErrors;
use crate::domain::refund;
use crate::domain::subscription::subscription_change;
use crate::domain::survey::survey_order;
use crate::ports::{ProviderError, WebhookError};
use crate::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no such campaign")]
    UnknownCampaign,
    #[error("coupon: {0:?}")]
    Coupon(coupon::Refusal),
    #[error("the quote is invalid, or of another price")]
    QuoteInvalid,
    #[error("the quote has expired")]
    QuoteExpired,
    #[error("no such price on sale")]
    UnknownPrice,
    #[error("the trial before this subscription is to be paid")]
    TrialUnpaid,
    #[error("the member, or the card, has had the free trial")]
    TrialUsed,
    #[error("the member holds this product already")]
    AlreadySubscribed,
    #[error("the member owns for good all that it opens")]
    AlreadyOwned,
    #[error("sessions cannot be booked yet")]
    NotBookable,
    #[error("another payment for this product is in flight")]
    PaymentInProgress,
    #[error("the member has a subscription of a Russian provider")]
    RussianSubscription,
    #[error("no configured provider takes such payments")]
    NoProvider,
    #[error("the provider has no such subscription of this member")]
    UnknownApproval,
    #[error("the member has not agreed to it")]
    ApprovalMissing,
    #[error("the approval ended before it was linked")]
    ApprovalExpired,
    #[error("the member is erased, or about to be")]
    MemberErased,
    #[error(transparent)]
    Idempotency(#[from] kit::idempotency::Rejection),
    #[error("declined: {}", .0.code)]
    Declined(Decline),
    #[error("no such subscription of this member")]
    UnknownSubscription,
    #[error("change not allowed: {0:?}")]
    ChangeNotAllowed(subscription_change::Refusal),
    #[error("the provider refused a subscription change: {code}")]
    ChangeRefused { code: String },
    #[error("another change of the subscription is under way")]
    ChangeInProgress,
    #[error("the plan would cost less")]
    PlanCostsLess,
    #[error("the previewed amount has changed")]
    PreviewExpired,
    #[error("no such order")]
    UnknownOrder,
    #[error("the survey of this order has no playlist")]
    NoPlaylist,
    #[error("the survey's order is not paid")]
    SurveyUnpaid,
    #[error("no such withdrawal")]
    UnknownWithdrawal,
    #[error("the withdrawal was accepted for another order")]
    WithdrawalSettled,
    #[error("the address has declared as many withdrawals as it can in a day")]
    TooManyWithdrawals,
    #[error("fields are not valid")]
    Fields(Vec<FieldError>),
    #[error("not refunded: {0}")]
    NotRefundable(#[from] refund::Refusal),
    #[error("{field}: {why}")]
    Invalid { field: &'static str, why: &'static str },
    #[error("webhook refused: {0}")]
    Webhook(#[from] WebhookError),
    #[error("provider: {0}")]
    Provider(#[from] ProviderError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("an event or a quote could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Seed(#[from] SeedErrors),
    #[error("an amount went out of range: {0}")]
    Money(#[from] kit::money::MoneyError),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(StoreError::Sql(error))
    }
}

impl From<PricingError> for Error {
    fn from(unpriced: PricingError) -> Self {
        match unpriced {
            PricingError::UnknownCampaign => Self::UnknownCampaign,
            PricingError::Coupon(refusal) => Self::Coupon(refusal),
        }
    }
}

impl From<coupon::Refusal> for Error {
    fn from(refusal: coupon::Refusal) -> Self {
        Self::Coupon(refusal)
    }
}

impl From<subscription_change::Refusal> for Error {
    fn from(refusal: subscription_change::Refusal) -> Self {
        Self::ChangeNotAllowed(refusal)
    }
}

impl From<survey_order::ValidationError> for Error {
    fn from(survey_order::ValidationError { field, why }: survey_order::ValidationError) -> Self {
        Self::Invalid { field, why }
    }
}

impl From<payment_import::Refusal> for Error {
    fn from(refusal: payment_import::Refusal) -> Self {
        match refusal {
            payment_import::Refusal::UnknownPrice => Self::UnknownPrice,
            payment_import::Refusal::AlreadySubscribed => Self::AlreadySubscribed,
            payment_import::Refusal::PaymentInProgress => Self::PaymentInProgress,
        }
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
    /// The outcome at the provider is unknown.
    pub fn unanswered() -> Self {
        Self::Provider(ProviderError::OutcomeUnknown("not known yet".to_owned()))
    }

    /// A price whose coupon is not the one the buyer names.
    pub fn unless_coupon_fits(terms: &Terms, coupon_code: &str) -> Result<()> {
        if terms.coupon_code.eq_ignore_ascii_case(coupon_code.trim()) {
            Ok(())
        } else {
            Err(Self::Coupon(coupon::Refusal::Unknown))
        }
    }
}

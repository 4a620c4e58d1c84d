//! Public codes and messages of errors. Internal detail is logged once here and not returned.

use kit::error::{ErrorCode, Failure, Kind};

use super::Error;
use crate::domain::pricing::coupon;
use crate::domain::subscription::subscription_change;
use crate::ports::{ProviderError, WebhookError};
use crate::store::StoreError;

fn coupon_refused(refusal: coupon::Refusal) -> Failure {
    use coupon::Refusal;

    let (code, message) = match refusal {
        Refusal::Unknown => (ErrorCode::UnknownCoupon, "This coupon is not valid here."),
        Refusal::OtherCampaign => (
            ErrorCode::CouponOtherCampaign,
            "This coupon does not belong to this offer.",
        ),
        Refusal::NotActive => (ErrorCode::CouponNotActive, "This coupon is not valid yet."),
        Refusal::Expired => (ErrorCode::CouponExpired, "This coupon has expired."),
        Refusal::OtherCountry => (
            ErrorCode::CouponOtherCountry,
            "This coupon is not valid in your country.",
        ),
        Refusal::Exhausted => (
            ErrorCode::CouponExhausted,
            "This coupon has been used as often as it can be.",
        ),
        Refusal::AlreadyUsed => (ErrorCode::CouponAlreadyUsed, "You have used this coupon already."),
    };
    refused(code, message)
}

fn provider_refused(refusal: &Error) -> Failure {
    match refusal {
        Error::RussianSubscription => refused(
            ErrorCode::Sb101,
            "You already have a subscription paid with a Russian card.",
        ),
        Error::ApprovalMissing => refused(
            ErrorCode::PaypalNotApproved,
            "You have not agreed to the subscription at PayPal yet.",
        ),
        Error::ApprovalExpired => refused(
            ErrorCode::PaypalEnded,
            "That subscription has ended at PayPal. The amount is refunded.",
        ),
        Error::UnknownApproval => refused(
            ErrorCode::UnknownPaypalSubscription,
            "There is no such subscription of yours at PayPal.",
        ),
        _ => refused(
            ErrorCode::ProviderNotOffered,
            "This way to pay is not offered here.",
        ),
    }
}

/// The offer is valid, but not available to this buyer, or not yet.
fn not_sold(refusal: &Error) -> Failure {
    match refusal {
        Error::AlreadyOwned => refused(
            ErrorCode::AlreadyOwned,
            "You own this for good. A subscription would add nothing to it, so you are not charged.",
        ),
        Error::NotBookable => refused(
            ErrorCode::SessionsNotBookable,
            "Sessions cannot be booked yet, so none are sold. Nothing was charged.",
        ),
        _ => refused(
            ErrorCode::AlreadySubscribed,
            "You already have this subscription.",
        ),
    }
}

/// The offer on the page is stale or invalid.
fn price_refused(refusal: &Error) -> Failure {
    match refusal {
        Error::QuoteInvalid => refused(
            ErrorCode::QuoteInvalid,
            "This price cannot be checked. Reload the page to see the price of today.",
        ),
        Error::QuoteExpired => refused(
            ErrorCode::QuoteExpired,
            "This price was held for a while, which is over. Reload the page to see the price of today.",
        ),
        Error::TrialUnpaid => refused(
            ErrorCode::TrialNotPaid,
            "The trial of this offer is paid first. Reload the page.",
        ),
        Error::TrialUsed => refused(
            ErrorCode::TrialAlreadyUsed,
            "The free trial has been used already. Reload the page to see the price without it.",
        ),
        _ => refused(
            ErrorCode::UnknownPrice,
            "This price is no longer offered. Reload the page.",
        ),
    }
}

fn change_not_allowed(refusal: subscription_change::Refusal) -> Failure {
    use subscription_change::Refusal;

    let (code, message) = match refusal {
        Refusal::NotActive => (
            ErrorCode::SubscriptionNotActive,
            "This subscription has not begun, or is managed where it was bought.",
        ),
        Refusal::Unsupported => (
            ErrorCode::UnsupportedByProvider,
            "This cannot be done with the way this subscription is paid.",
        ),
        Refusal::Ended => (ErrorCode::SubscriptionEnded, "This subscription has ended."),
        Refusal::PastDue => (
            ErrorCode::SubscriptionPastDue,
            "A payment is overdue. Pay it with another card first.",
        ),
        Refusal::Ending => (
            ErrorCode::SubscriptionEnding,
            "This subscription is cancelled. Keep it first.",
        ),
        Refusal::Paused => (
            ErrorCode::SubscriptionPaused,
            "This subscription is paused. Resume it first.",
        ),
        Refusal::PlanScheduled => (
            ErrorCode::PlanChangeScheduled,
            "Another plan begins when your paid time ends. Undo that first.",
        ),
        Refusal::OnTrial => (
            ErrorCode::SubscriptionOnTrial,
            "This can be done once the trial is over.",
        ),
        Refusal::PauseTooLong => (
            ErrorCode::PauseTooLong,
            "A pause ends in the future, within three months.",
        ),
        Refusal::PreviewExpired => preview_expired(),
    };
    refused(code, message)
}

fn preview_expired() -> (ErrorCode, &'static str) {
    (
        ErrorCode::PreviewExpired,
        "What this plan costs has to be worked out again.",
    )
}

/// Errors of `ChangeSubscription`.
fn change_failed(error: &Error) -> Failure {
    match error {
        Error::ChangeNotAllowed(refusal) => change_not_allowed(*refusal),
        Error::ChangeRefused { code } => Failure::with_code(
            Kind::Refused,
            code,
            "The change was not accepted. Check your card and try again, or use another card.",
        ),
        Error::PlanCostsLess => refused(
            ErrorCode::PlanCostsLess,
            "This plan costs less than yours. You can change to it when your paid time ends.",
        ),
        Error::PreviewExpired => {
            let (code, message) = preview_expired();
            refused(code, message)
        }
        _ => refused(
            ErrorCode::ChangeInProgress,
            "Another change of this subscription is under way. Try again in a moment.",
        ),
    }
}

/// Errors of withdrawals.
fn not_withdrawn(error: &Error) -> Failure {
    match error {
        Error::TooManyWithdrawals => Failure::new(
            Kind::TooMany,
            ErrorCode::TooManyWithdrawals,
            "We have received several withdrawals for this address today. Try again tomorrow.",
        ),
        Error::WithdrawalSettled => Failure::new(
            Kind::Conflict,
            ErrorCode::WithdrawalSettled,
            "This withdrawal was accepted for another order.",
        ),
        _ => Failure::new(
            Kind::NotFound,
            ErrorCode::UnknownWithdrawal,
            "There is no such withdrawal.",
        ),
    }
}

fn not_found(error: &Error) -> Failure {
    let (code, message) = match error {
        Error::UnknownOrder => (ErrorCode::UnknownOrder, "There is no such order."),
        _ => (ErrorCode::UnknownSubscription, "There is no such subscription."),
    };
    Failure::new(Kind::NotFound, code, message)
}

fn refused(code: ErrorCode, message: &str) -> Failure {
    Failure::new(Kind::Refused, code, message)
}

fn session_over() -> Failure {
    Failure::new(
        Kind::Unauthenticated,
        ErrorCode::SessionExpired,
        "Your session has ended. Sign in again.",
    )
}

/// Logs an internal error and returns a generic one.
fn internal_failure(error: &Error) -> Failure {
    match error {
        Error::Provider(inside) => {
            tracing::warn!(error = %inside, "provider call failed");
            let message = "The payment provider cannot be reached. Try again in a moment.";
            Failure::new(Kind::Unavailable, ErrorCode::ProviderUnavailable, message)
        }
        inside => {
            tracing::error!(error = %inside, "request failed");
            match inside {
                Error::Store(StoreError::Sql(error)) => Failure::of_database(error),
                _ => Failure::internal(),
            }
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownCampaign => refused(ErrorCode::UnknownCampaign, "This offer does not exist."),
            Error::Coupon(refusal) => coupon_refused(refusal),
            refusal @ (Error::QuoteInvalid
            | Error::QuoteExpired
            | Error::UnknownPrice
            | Error::TrialUnpaid
            | Error::TrialUsed) => price_refused(&refusal),
            refusal @ (Error::AlreadySubscribed | Error::AlreadyOwned | Error::NotBookable) => {
                not_sold(&refusal)
            }
            Error::PaymentInProgress => refused(
                ErrorCode::PaymentInProgress,
                "Another payment of yours is still being checked. Try again in a minute.",
            ),
            refusal @ (Error::RussianSubscription
            | Error::NoProvider
            | Error::Provider(ProviderError::NotConfigured(_))
            | Error::UnknownApproval
            | Error::ApprovalMissing
            | Error::ApprovalExpired) => provider_refused(&refusal),
            Error::MemberErased => session_over(),
            Error::Idempotency(rejection) => rejection.into(),
            Error::Declined(decline) => Self::with_code(Kind::Refused, &decline.code, decline.message),
            Error::Provider(ProviderError::Unsupported(..)) => {
                change_not_allowed(subscription_change::Refusal::Unsupported)
            }
            change @ (Error::ChangeNotAllowed(_)
            | Error::ChangeRefused { .. }
            | Error::ChangeInProgress
            | Error::PlanCostsLess
            | Error::PreviewExpired) => change_failed(&change),
            Error::NoPlaylist => refused(ErrorCode::NoPlaylist, "This survey has no playlist."),
            Error::SurveyUnpaid => refused(ErrorCode::OrderUnpaid, "This order is not paid yet."),
            unknown @ (Error::UnknownOrder | Error::UnknownSubscription) => not_found(&unknown),
            withdrawal
            @ (Error::UnknownWithdrawal | Error::WithdrawalSettled | Error::TooManyWithdrawals) => {
                not_withdrawn(&withdrawal)
            }
            Error::Fields(errors) => Self::fields(errors),
            Error::NotRefundable(refusal) => {
                Self::new(Kind::Refused, ErrorCode::NotRefundable, refusal.to_string())
            }
            Error::Invalid { field, why } => Self::new(
                Kind::Invalid,
                ErrorCode::InvalidArgument,
                format!("{field}: {why}"),
            )
            .field(field, ErrorCode::Invalid, why),
            Error::Webhook(WebhookError::Unverified(inside)) => internal_failure(&Error::Provider(inside)),
            Error::Webhook(error) => Self::new(Kind::Invalid, ErrorCode::BadSignature, error.to_string()),
            inside @ (Error::Provider(_)
            | Error::Store(_)
            | Error::Json(_)
            | Error::Seed(_)
            | Error::Money(_)) => internal_failure(&inside),
        }
    }
}

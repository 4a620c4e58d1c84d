//! Public codes and messages of errors. Internal detail is logged once here and not returned.

use kit::error::{Failure, Kind};

use super::Error;
use crate::domain::pricing::coupon;
use crate::domain::subscription::subscription_change;
use crate::ports::{ProviderError, WebhookError};
use crate::store::StoreError;

fn coupon_refused(refusal: coupon::Refusal) -> Failure {
    use coupon::Refusal;

    let (code, message) = match refusal {
        Refusal::Unknown => ("UNKNOWN_COUPON", "This coupon is not valid here."),
        Refusal::OtherCampaign => (
            "COUPON_OTHER_CAMPAIGN",
            "This coupon does not belong to this offer.",
        ),
        Refusal::NotActive => ("COUPON_NOT_ACTIVE", "This coupon is not valid yet."),
        Refusal::Expired => ("COUPON_EXPIRED", "This coupon has expired."),
        Refusal::OtherCountry => (
            "COUPON_OTHER_COUNTRY",
            "This coupon is not valid in your country.",
        ),
        Refusal::Exhausted => (
            "COUPON_EXHAUSTED",
            "This coupon has been used as often as it can be.",
        ),
        Refusal::AlreadyUsed => ("COUPON_ALREADY_USED", "You have used this coupon already."),
    };
    refused(code, message)
}

fn provider_refused(refusal: &Error) -> Failure {
    match refusal {
        Error::RussianSubscription => refused(
            "SB101",
            "You already have a subscription paid with a Russian card.",
        ),
        Error::ApprovalMissing => refused(
            "PAYPAL_NOT_APPROVED",
            "You have not agreed to the subscription at PayPal yet.",
        ),
        Error::ApprovalExpired => refused(
            "PAYPAL_ENDED",
            "That subscription has ended at PayPal. The amount is refunded.",
        ),
        Error::UnknownApproval => refused(
            "UNKNOWN_PAYPAL_SUBSCRIPTION",
            "There is no such subscription of yours at PayPal.",
        ),
        _ => refused("PROVIDER_NOT_OFFERED", "This way to pay is not offered here."),
    }
}

/// The offer is valid, but not available to this buyer, or not yet.
fn not_sold(refusal: &Error) -> Failure {
    match refusal {
        Error::AlreadyOwned => refused(
            "ALREADY_OWNED",
            "You own this for good. A subscription would add nothing to it, so you are not charged.",
        ),
        Error::NotBookable => refused(
            "SESSIONS_NOT_BOOKABLE",
            "Sessions cannot be booked yet, so none are sold. Nothing was charged.",
        ),
        _ => refused("ALREADY_SUBSCRIBED", "You already have this subscription."),
    }
}

/// The offer on the page is stale or invalid.
fn price_refused(refusal: &Error) -> Failure {
    match refusal {
        Error::QuoteInvalid => refused(
            "QUOTE_INVALID",
            "This price cannot be checked. Reload the page to see the price of today.",
        ),
        Error::QuoteExpired => refused(
            "QUOTE_EXPIRED",
            "This price was held for a while, which is over. Reload the page to see the price of today.",
        ),
        Error::TrialUnpaid => refused(
            "TRIAL_NOT_PAID",
            "The trial of this offer is paid first. Reload the page.",
        ),
        Error::TrialUsed => refused(
            "TRIAL_ALREADY_USED",
            "The free trial has been used already. Reload the page to see the price without it.",
        ),
        _ => refused(
            "UNKNOWN_PRICE",
            "This price is no longer offered. Reload the page.",
        ),
    }
}

fn change_not_allowed(refusal: subscription_change::Refusal) -> Failure {
    use subscription_change::Refusal;

    let (code, message) = match refusal {
        Refusal::NotActive => (
            "SUBSCRIPTION_NOT_ACTIVE",
            "This subscription has not begun, or is managed where it was bought.",
        ),
        Refusal::Unsupported => (
            "UNSUPPORTED_BY_PROVIDER",
            "This cannot be done with the way this subscription is paid.",
        ),
        Refusal::Ended => ("SUBSCRIPTION_ENDED", "This subscription has ended."),
        Refusal::PastDue => (
            "SUBSCRIPTION_PAST_DUE",
            "A payment is overdue. Pay it with another card first.",
        ),
        Refusal::Ending => (
            "SUBSCRIPTION_ENDING",
            "This subscription is cancelled. Keep it first.",
        ),
        Refusal::Paused => (
            "SUBSCRIPTION_PAUSED",
            "This subscription is paused. Resume it first.",
        ),
        Refusal::PlanScheduled => (
            "PLAN_CHANGE_SCHEDULED",
            "Another plan begins when your paid time ends. Undo that first.",
        ),
        Refusal::OnTrial => (
            "SUBSCRIPTION_ON_TRIAL",
            "This can be done once the trial is over.",
        ),
        Refusal::PauseTooLong => (
            "PAUSE_TOO_LONG",
            "A pause ends in the future, within three months.",
        ),
        Refusal::PreviewExpired => preview_expired(),
    };
    refused(code, message)
}

fn preview_expired() -> (&'static str, &'static str) {
    (
        "PREVIEW_EXPIRED",
        "What this plan costs has to be worked out again.",
    )
}

/// Errors of `ChangeSubscription`.
fn change_failed(error: &Error) -> Failure {
    match error {
        Error::ChangeNotAllowed(refusal) => change_not_allowed(*refusal),
        Error::ChangeRefused { code } => refused(
            code,
            "The change was not accepted. Check your card and try again, or use another card.",
        ),
        Error::PlanCostsLess => refused(
            "PLAN_COSTS_LESS",
            "This plan costs less than yours. You can change to it when your paid time ends.",
        ),
        Error::PreviewExpired => {
            let (code, message) = preview_expired();
            refused(code, message)
        }
        _ => refused(
            "CHANGE_IN_PROGRESS",
            "Another change of this subscription is under way. Try again in a moment.",
        ),
    }
}

/// Errors of withdrawals.
fn not_withdrawn(error: &Error) -> Failure {
    match error {
        Error::TooManyWithdrawals => Failure::new(
            Kind::TooMany,
            "TOO_MANY_WITHDRAWALS",
            "We have received several withdrawals for this address today. Try again tomorrow.",
        ),
        Error::WithdrawalSettled => Failure::new(
            Kind::Conflict,
            "WITHDRAWAL_SETTLED",
            "This withdrawal was accepted for another order.",
        ),
        _ => Failure::new(
            Kind::NotFound,
            "UNKNOWN_WITHDRAWAL",
            "There is no such withdrawal.",
        ),
    }
}

fn refused(code: &str, message: &str) -> Failure {
    Failure::new(Kind::Refused, code, message)
}

fn session_over() -> Failure {
    Failure::new(
        Kind::Unauthenticated,
        "SESSION_EXPIRED",
        "Your session has ended. Sign in again.",
    )
}

/// Logs an internal error and returns a generic one.
fn internal_failure(error: &Error) -> Failure {
    match error {
        Error::Provider(inside) => {
            tracing::warn!(error = %inside, "provider call failed");
            let message = "The payment provider cannot be reached. Try again in a moment.";
            Failure::new(Kind::Unavailable, "PROVIDER_UNAVAILABLE", message)
        }
        Error::Store(StoreError::Sql(inside)) if kit::database::is_outage(inside) => {
            tracing::error!(error = %inside, "The database is not reachable");
            Failure::unavailable()
        }
        inside => {
            tracing::error!(error = %inside, "A request failed inside");
            Failure::internal()
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownCampaign => refused("UNKNOWN_CAMPAIGN", "This offer does not exist."),
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
                "PAYMENT_IN_PROGRESS",
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
            Error::Declined(decline) => Self::new(Kind::Refused, &decline.code, decline.message),
            Error::UnknownSubscription => Self::new(
                Kind::NotFound,
                "UNKNOWN_SUBSCRIPTION",
                "There is no such subscription.",
            ),
            Error::Provider(ProviderError::Unsupported(..)) => {
                change_not_allowed(subscription_change::Refusal::Unsupported)
            }
            change @ (Error::ChangeNotAllowed(_)
            | Error::ChangeRefused { .. }
            | Error::ChangeInProgress
            | Error::PlanCostsLess
            | Error::PreviewExpired) => change_failed(&change),
            Error::NoPlaylist => refused("NO_PLAYLIST", "This survey has no playlist."),
            Error::SurveyUnpaid => refused("ORDER_UNPAID", "This order is not paid yet."),
            Error::UnknownOrder => Self::new(Kind::NotFound, "UNKNOWN_ORDER", "There is no such order."),
            withdrawal
            @ (Error::UnknownWithdrawal | Error::WithdrawalSettled | Error::TooManyWithdrawals) => {
                not_withdrawn(&withdrawal)
            }
            Error::Fields(faults) => Self::fields(faults),
            Error::NotRefundable(refusal) => Self::new(Kind::Refused, "NOT_REFUNDABLE", refusal.to_string()),
            Error::Invalid { field, why } => {
                Self::new(Kind::Invalid, "INVALID_ARGUMENT", format!("{field}: {why}"))
                    .field(field, "INVALID", why)
            }
            Error::Webhook(WebhookError::Unverified(inside)) => internal_failure(&Error::Provider(inside)),
            Error::Webhook(fault) => Self::new(Kind::Invalid, "BAD_SIGNATURE", fault.to_string()),
            inside @ (Error::Provider(_)
            | Error::Store(_)
            | Error::Json(_)
            | Error::Seed(_)
            | Error::Money(_)) => internal_failure(&inside),
        }
    }
}

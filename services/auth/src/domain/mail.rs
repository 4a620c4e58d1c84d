//! Mail templates, their links and retry delays.
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kit::backoff::Backoff;
use kit::due_queue::{GiveUpAfter, RetryPolicy};

use crate::domain::email::Email;

kit::typed_id! {
    /// One mail to be sent.
    pub MailId = "mal";
    /// One link that is mailed.
    pub LinkId = "lnk"
}

/// Of attempts to send a mail. Short waits, because the recipient may be waiting; a mail older than the limit would only surprise.
pub const RETRIES: RetryPolicy = RetryPolicy {
    backoff: Backoff::new(Duration::from_secs(5), Duration::from_mins(5)),
    give_up_after: GiveUpAfter::Age(TimeDelta::days(3)),
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// A password reset was requested.
    ResetPassword,
    /// Sign-up with an address only.
    SetPassword,
    PasswordChanged,
    /// Goes to an address that is to be an account's; its link confirms it.
    ConfirmEmail,
    /// Goes to the former address; its link restores it.
    EmailChanged,
    /// To the address of an erased account.
    AccountErased,
    /// A refund succeeded.
    PaymentRefunded,
    /// A payment succeeded.
    PaymentReceipt,
    /// The first charge is near.
    TrialEnding,
    /// A renewal was not paid.
    PaymentOverdue,
    SubscriptionCanceled,
    /// A withdrawal was declared: its content and time.
    WithdrawalReceived,
    WithdrawalAccepted,
    /// A guest has paid.
    PurchaseReceipt,
    /// A guest is refunded.
    PurchaseRefunded,
    /// The account was signed in to from a new browser; its link ends that session.
    NewSignIn,
    SecondFactorEnabled,
    SecondFactorDisabled,
    RecoveryCodeUsed,
}

impl Template {
    pub const ALL: [Self; 19] = [
        Self::ResetPassword,
        Self::SetPassword,
        Self::PasswordChanged,
        Self::ConfirmEmail,
        Self::EmailChanged,
        Self::AccountErased,
        Self::PaymentRefunded,
        Self::PaymentReceipt,
        Self::TrialEnding,
        Self::PaymentOverdue,
        Self::SubscriptionCanceled,
        Self::WithdrawalReceived,
        Self::WithdrawalAccepted,
        Self::PurchaseReceipt,
        Self::PurchaseRefunded,
        Self::NewSignIn,
        Self::SecondFactorEnabled,
        Self::SecondFactorDisabled,
        Self::RecoveryCodeUsed,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::ResetPassword => "reset_password",
            Self::SetPassword => "set_password",
            Self::PasswordChanged => "password_changed",
            Self::ConfirmEmail => "confirm_email",
            Self::EmailChanged => "email_changed",
            Self::AccountErased => "account_erased",
            Self::PaymentRefunded => "payment_refunded",
            Self::PaymentReceipt => "payment_receipt",
            Self::TrialEnding => "trial_ending",
            Self::PaymentOverdue => "payment_overdue",
            Self::SubscriptionCanceled => "subscription_canceled",
            Self::WithdrawalReceived => "withdrawal_received",
            Self::WithdrawalAccepted => "withdrawal_accepted",
            Self::PurchaseReceipt => "purchase_receipt",
            Self::PurchaseRefunded => "purchase_refunded",
            Self::NewSignIn => "new_sign_in",
            Self::SecondFactorEnabled => "second_factor_enabled",
            Self::SecondFactorDisabled => "second_factor_disabled",
            Self::RecoveryCodeUsed => "recovery_code_used",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|template| template.as_str() == name)
    }

    /// What says the same to a buyer without an account, of the mails about what is paid once.
    pub fn for_guests(self) -> Option<Self> {
        match self {
            Self::PaymentReceipt => Some(Self::PurchaseReceipt),
            Self::PaymentRefunded => Some(Self::PurchaseRefunded),
            _ => None,
        }
    }

    /// Lifetime of its link.
    pub fn link_ttl(self) -> TimeDelta {
        match self {
            Self::ResetPassword => TimeDelta::hours(1),
            Self::ConfirmEmail => TimeDelta::days(1),
            Self::SetPassword | Self::EmailChanged | Self::NewSignIn => TimeDelta::days(7),
            _ => TimeDelta::zero(),
        }
    }

    /// The page that its link opens, in the reader's language.
    pub fn page(self) -> &'static str {
        match self {
            Self::PaymentReceipt | Self::TrialEnding | Self::PaymentOverdue | Self::SubscriptionCanceled => {
                "account"
            }
            Self::ConfirmEmail => "profile",
            Self::NewSignIn => "account/end-session",
            _ => "forgot-password",
        }
    }

    /// The name of the token in the address of that page. Tokens in `token` sign in on most pages.
    pub fn token_parameter(self) -> &'static str {
        match self {
            Self::ConfirmEmail => "emailToken",
            _ => "token",
        }
    }
}

/// One mail as it is handed over.
pub struct RenderedMail {
    pub id: MailId,
    pub to: Email,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub created_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_found_by_its_name() {
        for template in Template::ALL {
            assert_eq!(Template::named(template.as_str()), Some(template));
        }
        assert_eq!(Template::named("newsletter"), None);
    }
}

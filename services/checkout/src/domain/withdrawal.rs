//! Withdrawals from a contract: declaration and acceptance. A declaration is stored as made: it is not matched
//! with any account, and its response reveals nothing about members.

use chrono::{DateTime, TimeDelta, Utc};
use kit::error::{ErrorCode, FieldError};
use kit::money::{Money, MoneyError};

use super::ids::{OrderId, PaymentId, UserId, WithdrawalId};
use super::payment::{Payment, PaymentState};
use crate::domain::order::contact::{email_error, name_error};
use crate::domain::payment::renewal::Renewal;

/// The withdrawal period, counted from the payment.
pub const PERIOD: TimeDelta = TimeDelta::days(14);
/// Limit per address and day, because each declaration is confirmed by mail.
pub const PER_ADDRESS_MAX: i64 = 10;
pub const PER_ADDRESS_WITHIN: TimeDelta = TimeDelta::days(1);

const REFERENCE_CHARS_MAX: usize = 200;
const LANGUAGE_BYTES_MAX: usize = 16;
const LANGUAGE_DEFAULT: &str = "en";

/// As it came.
#[derive(Clone)]
pub struct WithdrawalRequest {
    pub full_name: String,
    pub email: String,
    pub reference: String,
    pub language: String,
}

/// Deliberately without `Debug`: it is about a person.
#[derive(Clone, PartialEq, Eq)]
pub struct Declaration {
    pub full_name: String,
    pub email: String,
    /// Empty where none was named.
    pub reference: String,
    pub language: String,
}

impl Declaration {
    /// Returns all validation errors at once.
    pub fn accept(request: &WithdrawalRequest) -> Result<Self, Vec<FieldError>> {
        let email = request.email.trim().to_lowercase();
        let declaration = Self {
            full_name: request.full_name.trim().to_owned(),
            email,
            reference: request.reference.trim().to_owned(),
            language: match request.language.trim() {
                "" => LANGUAGE_DEFAULT.to_owned(),
                language => language.to_owned(),
            },
        };
        let errors: Vec<FieldError> = [
            name_error(&declaration.full_name),
            email_error(&declaration.email),
            reference_error(&declaration.reference),
            language_error(&declaration.language),
        ]
        .into_iter()
        .flatten()
        .collect();
        if errors.is_empty() {
            Ok(declaration)
        } else {
            Err(errors)
        }
    }
}

fn reference_error(reference: &str) -> Option<FieldError> {
    let wrong = |code, message| Some(FieldError::new("reference", code, message));
    if reference.chars().count() > REFERENCE_CHARS_MAX {
        return wrong(ErrorCode::TooLong, "At most 200 characters.");
    }
    if reference.chars().any(char::is_control) {
        return wrong(ErrorCode::Invalid, "Write it in one line.");
    }
    None
}

fn language_error(language: &str) -> Option<FieldError> {
    let plain = language
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let fits = plain && language.len() <= LANGUAGE_BYTES_MAX;
    (!fits).then(|| FieldError::new("language", ErrorCode::Invalid, "Not a language tag."))
}

#[derive(Clone, PartialEq, Eq)]
pub struct Withdrawal {
    pub withdrawal_id: WithdrawalId,
    pub declaration: Declaration,
    /// The signed-in member.
    pub user_id: Option<UserId>,
    pub received_at: DateTime<Utc>,
    pub accepted: Option<Accepted>,
}

impl Withdrawal {
    /// The declaring person is erased.
    pub fn is_erased(&self) -> bool {
        self.declaration.email.is_empty()
    }
}

/// The order that an operator matched, and the refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepted {
    pub order_id: OrderId,
    pub at: DateTime<Utc>,
    /// The refunded amount; `None` where nothing was paid.
    pub refunded: Option<Money>,
}

/// A payment whose remaining amount is refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentToRefund {
    pub payment_id: PaymentId,
    pub captured: Money,
}

/// The payments that a withdrawal refunds: captured within the period before the declaration, or after it.
pub fn payments_to_refund(
    payments: &[Payment],
    renewals: &[Renewal],
    declared_at: DateTime<Utc>,
) -> Vec<PaymentToRefund> {
    let since = declared_at - PERIOD;
    let first = payments.iter().filter_map(|payment| match payment.state {
        PaymentState::Succeeded { captured, at } if at >= since => Some(PaymentToRefund {
            payment_id: payment.payment_id,
            captured,
        }),
        _ => None,
    });
    let later = renewals.iter().filter(|renewal| renewal.at >= since);
    let later = later.map(|renewal| PaymentToRefund {
        payment_id: renewal.payment_id,
        captured: renewal.captured,
    });
    first.chain(later).filter(|it| it.captured.minor > 0).collect()
}

/// `None` when the text is empty.
pub fn sum(amounts: &[Money]) -> Result<Option<Money>, MoneyError> {
    let Some((first, rest)) = amounts.split_first() else {
        return Ok(None);
    };
    rest.iter()
        .try_fold(*first, |sum, amount| sum.checked_add(*amount))
        .map(Some)
}

#[cfg(test)]
mod tests;

//! Dunning: when an overdue renewal is retried, by the class of its decline, and when it is given up.

use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;

/// How long a member keeps access while a renewal is overdue.
#[derive(Debug, Clone, Copy)]
pub struct Grace(pub TimeDelta);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dunning {
    pub provider_invoice_id: String,
    pub amount: Money,
    pub since: DateTime<Utc>,
    pub grace_until: DateTime<Utc>,
    /// Code of the latest decline.
    pub decline_code: String,
    pub attempts: i32,
    /// `None`: only another card can pay.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// Key of the attempt whose outcome is unknown.
    pub attempt_key: Option<String>,
    /// The provider no longer retries by itself; checkout does.
    pub auto_advance_disabled: bool,
}

/// Whether a retry with the same card can succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclineClass {
    /// No retry succeeds without another card or its holder.
    Hard,
    /// A retry can succeed when the account has funds: around paydays.
    InsufficientFunds,
    /// The bank or the network failed temporarily.
    Transient,
    /// The bank gives no reason.
    Generic,
}

const HARD: [&str; 22] = [
    "authentication_required",
    "card_not_supported",
    "currency_not_supported",
    "expired_card",
    "fraudulent",
    "incorrect_cvc",
    "incorrect_number",
    "invalid_account",
    "invalid_cvc",
    "invalid_expiry_month",
    "invalid_expiry_year",
    "invalid_number",
    "invoice_payment_intent_requires_action",
    "lost_card",
    "merchant_blacklist",
    "no_payment_method",
    "pickup_card",
    "restricted_card",
    "revocation_of_all_authorizations",
    "revocation_of_authorization",
    "stolen_card",
    "stop_payment_order",
];
const INSUFFICIENT_FUNDS: [&str; 3] = [
    "card_velocity_exceeded",
    "insufficient_funds",
    "withdrawal_count_limit_exceeded",
];
const TRANSIENT: [&str; 5] = [
    "approve_with_id",
    "issuer_not_available",
    "processing_error",
    "reenter_transaction",
    "try_again_later",
];

/// Maps a provider's decline code; unknown codes are `Generic`.
pub fn classify_decline(code: &str) -> DeclineClass {
    if HARD.contains(&code) {
        DeclineClass::Hard
    } else if INSUFFICIENT_FUNDS.contains(&code) {
        DeclineClass::InsufficientFunds
    } else if TRANSIENT.contains(&code) {
        DeclineClass::Transient
    } else {
        DeclineClass::Generic
    }
}

impl DeclineClass {
    /// Hours after the first failure at which each retry is made.
    fn attempt_hours(self) -> &'static [i64] {
        match self {
            Self::Hard => &[],
            Self::InsufficientFunds => &[24, 3 * 24, 5 * 24, 7 * 24, 10 * 24, 13 * 24],
            Self::Transient => &[1, 4, 12, 24, 3 * 24, 7 * 24],
            Self::Generic => &[3 * 24, 7 * 24],
        }
    }
}

/// The next planned retry in the future. Retries missed during downtime are skipped.
pub fn next_attempt(dunning: &Dunning, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let hours = classify_decline(&dunning.decline_code).attempt_hours();
    let planned = hours.iter().map(|hours| dunning.since + TimeDelta::hours(*hours));
    planned.filter(|at| *at > now && *at < dunning.grace_until).min()
}

impl Dunning {
    pub fn begin(
        provider_invoice_id: &str,
        amount: Money,
        code: &str,
        Grace(grace): Grace,
        now: DateTime<Utc>,
    ) -> Self {
        let begun = Self {
            provider_invoice_id: provider_invoice_id.to_owned(),
            amount,
            since: now,
            grace_until: now + grace,
            decline_code: code.to_owned(),
            attempts: 0,
            next_attempt_at: None,
            attempt_key: None,
            auto_advance_disabled: false,
        };
        Self {
            next_attempt_at: next_attempt(&begun, now),
            ..begun
        }
    }

    /// Begins another attempt. Store its key before the provider is called.
    #[must_use]
    pub fn with_new_attempt(self) -> Self {
        let attempts = self.attempts + 1;
        Self {
            attempt_key: Some(format!("try-{}-{attempts}", self.provider_invoice_id)),
            attempts,
            next_attempt_at: None,
            ..self
        }
    }

    /// The attempt was declined.
    #[must_use]
    pub fn declined(self, code: &str, now: DateTime<Utc>) -> Self {
        let refused = Self {
            decline_code: code.to_owned(),
            attempt_key: None,
            ..self
        };
        Self {
            next_attempt_at: next_attempt(&refused, now),
            ..refused
        }
    }

    pub fn needs_new_card(&self) -> bool {
        classify_decline(&self.decline_code) == DeclineClass::Hard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fixtures::{noon, price};

    const GRACE: Grace = Grace(TimeDelta::days(14));

    fn begun(code: &str) -> Dunning {
        Dunning::begin("in_1", price(), code, GRACE, noon())
    }

    /// Every try a card that keeps saying this is asked for, in hours after the first failure.
    fn tries(code: &str) -> Vec<i64> {
        let mut dunning = begun(code);
        let mut hours = Vec::new();
        while let Some(at) = dunning.next_attempt_at {
            hours.push((at - noon()).num_hours());
            dunning = dunning.with_new_attempt().declined(code, at);
        }
        hours
    }

    #[test]
    fn lost_and_expired_cards_are_never_tried_again() {
        for code in HARD {
            assert_eq!(tries(code), [] as [i64; 0], "{code}");
            assert!(begun(code).needs_new_card());
        }
    }

    #[test]
    fn every_other_code_is_tried_by_its_own_plan_within_the_grace() {
        assert_eq!(tries("insufficient_funds"), [24, 72, 120, 168, 240, 312]);
        assert_eq!(tries("processing_error"), [1, 4, 12, 24, 72, 168]);
        for code in ["do_not_honor", "card_declined", "unlisted_code"] {
            assert_eq!(tries(code), [72, 168], "{code}");
        }
    }

    #[test]
    fn nothing_is_retried_after_the_grace() {
        let short = Grace(TimeDelta::days(2));
        let dunning = Dunning::begin("in_1", price(), "insufficient_funds", short, noon());
        assert_eq!(next_attempt(&dunning, noon() + TimeDelta::days(1)), None);
    }

    #[test]
    fn missed_retries_are_skipped() {
        let dunning = begun("insufficient_funds");
        let late = noon() + TimeDelta::days(6);
        assert_eq!(next_attempt(&dunning, late), Some(noon() + TimeDelta::days(7)));
    }

    #[test]
    fn each_try_has_a_key_of_its_own() {
        let first = begun("insufficient_funds").with_new_attempt();
        let second = first
            .clone()
            .declined("insufficient_funds", noon())
            .with_new_attempt();
        assert_eq!(first.attempt_key.as_deref(), Some("try-in_1-1"));
        assert_eq!(second.attempt_key.as_deref(), Some("try-in_1-2"));
    }

    #[test]
    fn a_card_lost_meanwhile_ends_the_tries() {
        let dunning = begun("insufficient_funds")
            .with_new_attempt()
            .declined("lost_card", noon());
        assert_eq!(dunning.next_attempt_at, None);
    }
}

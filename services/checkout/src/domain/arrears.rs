//! A renewal the card did not pay: when it is tried again, by what the bank said, and when we give up.

use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;

/// How long a member keeps access while a renewal is unpaid.
#[derive(Debug, Clone, Copy)]
pub struct Grace(pub TimeDelta);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrears {
    pub provider_invoice_id: String,
    pub amount: Money,
    pub since: DateTime<Utc>,
    pub grace_until: DateTime<Utc>,
    /// What the bank said last.
    pub code: String,
    pub tries: i32,
    /// `None`: only another card helps.
    pub next_try_at: Option<DateTime<Utc>>,
    /// The key of a try whose outcome is not known.
    pub try_key: Option<String>,
    /// The provider leaves trying to us.
    pub is_held: bool,
}

/// What a decline promises about trying the same card again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prospect {
    /// Never, without another card or its holder.
    Hopeless,
    /// When there is money again: around paydays.
    Later,
    /// The bank or the network had a bad hour.
    Soon,
    /// The bank does not say why.
    Doubtful,
}

const HOPELESS: [&str; 22] = [
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
const LATER: [&str; 3] = [
    "card_velocity_exceeded",
    "insufficient_funds",
    "withdrawal_count_limit_exceeded",
];
const SOON: [&str; 5] = [
    "approve_with_id",
    "issuer_not_available",
    "processing_error",
    "reenter_transaction",
    "try_again_later",
];

/// By a provider's code for a decline; one we do not know says nothing.
pub fn prospect(code: &str) -> Prospect {
    if HOPELESS.contains(&code) {
        Prospect::Hopeless
    } else if LATER.contains(&code) {
        Prospect::Later
    } else if SOON.contains(&code) {
        Prospect::Soon
    } else {
        Prospect::Doubtful
    }
}

impl Prospect {
    /// How many hours after the first failure each further try is made.
    fn hours(self) -> &'static [i64] {
        match self {
            Self::Hopeless => &[],
            Self::Later => &[24, 3 * 24, 5 * 24, 7 * 24, 10 * 24, 13 * 24],
            Self::Soon => &[1, 4, 12, 24, 3 * 24, 7 * 24],
            Self::Doubtful => &[3 * 24, 7 * 24],
        }
    }
}

/// The next planned moment that is still to come: what was missed while nobody was at work is not made up for.
pub fn next_try(arrears: &Arrears, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let hours = prospect(&arrears.code).hours();
    let planned = hours.iter().map(|hours| arrears.since + TimeDelta::hours(*hours));
    planned.filter(|at| *at > now && *at < arrears.grace_until).min()
}

impl Arrears {
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
            code: code.to_owned(),
            tries: 0,
            next_try_at: None,
            try_key: None,
            is_held: false,
        };
        Self {
            next_try_at: next_try(&begun, now),
            ..begun
        }
    }

    /// Another try is begun: the key is to be stored before the provider is asked.
    #[must_use]
    pub fn tried(self) -> Self {
        let tries = self.tries + 1;
        Self {
            try_key: Some(format!("try-{}-{tries}", self.provider_invoice_id)),
            tries,
            next_try_at: None,
            ..self
        }
    }

    /// The bank has answered the try.
    #[must_use]
    pub fn refused(self, code: &str, now: DateTime<Utc>) -> Self {
        let refused = Self {
            code: code.to_owned(),
            try_key: None,
            ..self
        };
        Self {
            next_try_at: next_try(&refused, now),
            ..refused
        }
    }

    pub fn needs_new_card(&self) -> bool {
        prospect(&self.code) == Prospect::Hopeless
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fixtures::{noon, price};

    const GRACE: Grace = Grace(TimeDelta::days(14));

    fn begun(code: &str) -> Arrears {
        Arrears::begin("in_1", price(), code, GRACE, noon())
    }

    /// Every try a card that keeps saying this is asked for, in hours after the first failure.
    fn tries(code: &str) -> Vec<i64> {
        let mut arrears = begun(code);
        let mut hours = Vec::new();
        while let Some(at) = arrears.next_try_at {
            hours.push((at - noon()).num_hours());
            arrears = arrears.tried().refused(code, at);
        }
        hours
    }

    #[test]
    fn lost_and_expired_cards_are_never_tried_again() {
        for code in HOPELESS {
            assert_eq!(tries(code), [] as [i64; 0], "{code}");
            assert!(begun(code).needs_new_card());
        }
    }

    #[test]
    fn every_other_code_is_tried_by_its_own_plan_within_the_grace() {
        assert_eq!(tries("insufficient_funds"), [24, 72, 120, 168, 240, 312]);
        assert_eq!(tries("processing_error"), [1, 4, 12, 24, 72, 168]);
        for code in ["do_not_honor", "card_declined", "never_heard_of"] {
            assert_eq!(tries(code), [72, 168], "{code}");
        }
    }

    #[test]
    fn nothing_is_tried_once_the_grace_is_over() {
        let short = Grace(TimeDelta::days(2));
        let arrears = Arrears::begin("in_1", price(), "insufficient_funds", short, noon());
        assert_eq!(next_try(&arrears, noon() + TimeDelta::days(1)), None);
    }

    #[test]
    fn what_was_missed_is_not_made_up_for() {
        let arrears = begun("insufficient_funds");
        let late = noon() + TimeDelta::days(6);
        assert_eq!(next_try(&arrears, late), Some(noon() + TimeDelta::days(7)));
    }

    #[test]
    fn each_try_has_a_key_of_its_own() {
        let first = begun("insufficient_funds").tried();
        let second = first.clone().refused("insufficient_funds", noon()).tried();
        assert_eq!(first.try_key.as_deref(), Some("try-in_1-1"));
        assert_eq!(second.try_key.as_deref(), Some("try-in_1-2"));
    }

    #[test]
    fn a_card_lost_meanwhile_ends_the_tries() {
        let arrears = begun("insufficient_funds").tried().refused("lost_card", noon());
        assert_eq!(arrears.next_try_at, None);
    }
}

//! A hosted checkout session at a provider. Its order is created when it is paid.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Months, TimeDelta, Utc};

use super::buyer::Buyer;
use crate::domain::ids::{HostedCheckoutId, PriceId};
use crate::domain::payment::provider_result::Charge;
use crate::domain::pricing::campaign::{PriceKind, Terms};
use crate::domain::provider::Provider;

/// Providers keep a session open for an hour; a buyer needs part of that time to pay.
pub const LIFETIME: TimeDelta = TimeDelta::minutes(60);
const REUSED_FOR: TimeDelta = TimeDelta::minutes(40);
/// A buyer may pay at the last moment, and the bank may take a day.
const POLLED_FOR: TimeDelta = TimeDelta::hours(26);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostedCheckout {
    pub hosted_checkout_id: HostedCheckoutId,
    pub buyer: Buyer,
    pub price_id: PriceId,
    pub provider: Provider,
    pub state: HostedCheckoutState,
    pub country: String,
    pub language: String,
    pub provider_payment_id: Option<String>,
    pub redirect_url_or_token: Option<String>,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostedCheckoutState {
    /// Committed here; it is unknown whether the provider received it.
    Intended,
    Open,
    Paid,
    /// It can no longer be paid.
    Expired,
}

impl HostedCheckoutState {
    pub const ALL: [Self; 4] = [Self::Intended, Self::Open, Self::Paid, Self::Expired];

    pub fn name(self) -> &'static str {
        match self {
            Self::Intended => "intended",
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Expired => "expired",
        }
    }

    /// The state after a provider's charge state. `Paid` is final.
    #[must_use]
    pub fn after(self, charge: &Charge) -> Self {
        match (self, charge) {
            (Self::Paid, _) | (_, Charge::Captured(_)) => Self::Paid,
            (Self::Expired, _) | (_, Charge::Declined(_) | Charge::Closed) => Self::Expired,
            _ => Self::Open,
        }
    }
}

impl HostedCheckout {
    /// It leaves enough time to pay.
    pub fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        self.state == HostedCheckoutState::Open && now < self.created_at + REUSED_FOR
    }

    /// Next poll; `None` when the state is final.
    pub fn next_check(&self, checks: i32, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let pause = TimeDelta::seconds(30 << checks.clamp(0, 6));
        let is_waiting = matches!(
            self.state,
            HostedCheckoutState::Intended | HostedCheckoutState::Open
        );
        (is_waiting && now < self.created_at + POLLED_FOR).then(|| now + pause)
    }
}

/// The reference sent to the provider: session id and paid months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    pub hosted_checkout_id: HostedCheckoutId,
    pub period_months: u32,
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.hosted_checkout_id, self.period_months)
    }
}

impl FromStr for Reference {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (hosted_checkout_id, months) = text.split_once('.').ok_or(())?;
        Ok(Self {
            hosted_checkout_id: hosted_checkout_id.parse().map_err(|_| ())?,
            period_months: months.parse().map_err(|_| ())?,
        })
    }
}

/// Text beside the amount on the provider's page; names the renewal where there is one.
pub fn description(terms: &Terms, language: &str) -> String {
    let (product, months) = (&terms.product, terms.period_months);
    if terms.kind != PriceKind::Subscription {
        return format!("Stillpoint {product}");
    }
    let price = format!("{} {}", terms.amount.major(), terms.currency().code());
    if language.starts_with("ru") {
        format!("Stillpoint {product}: {price} каждые {months} мес., автоматически до отмены")
    } else {
        format!("Stillpoint {product}: {price} every {months} months, renewed until cancelled")
    }
}

/// One payment pays for one period.
pub fn end_of_period(paid_at: DateTime<Utc>, period_months: u32) -> DateTime<Utc> {
    let end = paid_at.checked_add_months(Months::new(period_months));
    end.unwrap_or(paid_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fixtures::{later, noon, price};
    use crate::domain::ids::UserId;

    fn page(state: HostedCheckoutState) -> HostedCheckout {
        HostedCheckout {
            hosted_checkout_id: HostedCheckoutId::new(noon()),
            buyer: Buyer {
                user_id: UserId::parse("usr_1").unwrap(),
                email: "buyer@example.com".into(),
                full_name: "A Buyer".into(),
            },
            price_id: PriceId::new(noon()),
            provider: Provider::Platron,
            state,
            country: "RU".into(),
            language: "ru".into(),
            provider_payment_id: Some("1".into()),
            redirect_url_or_token: Some("http://pay.example".into()),
            created_at: noon(),
        }
    }

    #[test]
    fn references_are_read_as_they_are_written() {
        let reference = Reference {
            hosted_checkout_id: HostedCheckoutId::new(noon()),
            period_months: 12,
        };
        assert_eq!(reference.to_string().parse(), Ok(reference));
        for foreign in ["", "ord_1", "17", "hco_1.x"] {
            assert!(foreign.parse::<Reference>().is_err(), "{foreign}");
        }
    }

    #[test]
    fn nothing_undoes_that_a_page_was_paid() {
        let paid = Charge::Captured(price());
        assert_eq!(
            HostedCheckoutState::Expired.after(&paid),
            HostedCheckoutState::Paid
        );
        assert_eq!(
            HostedCheckoutState::Paid.after(&Charge::Closed),
            HostedCheckoutState::Paid
        );
        assert_eq!(
            HostedCheckoutState::Expired.after(&Charge::Processing),
            HostedCheckoutState::Expired
        );
        assert_eq!(
            HostedCheckoutState::Intended.after(&Charge::Processing),
            HostedCheckoutState::Open
        );
    }

    #[test]
    fn a_page_is_shown_while_there_is_time_to_pay_and_watched_for_longer() {
        let open = page(HostedCheckoutState::Open);
        assert!(open.is_fresh(noon()) && !open.is_fresh(later(1)));
        assert!(!page(HostedCheckoutState::Expired).is_fresh(noon()));
        assert!(open.next_check(99, later(2)).is_some());
        assert_eq!(open.next_check(0, later(27)), None);
        assert_eq!(page(HostedCheckoutState::Paid).next_check(0, noon()), None);
    }

    #[test]
    fn a_period_is_paid_for_until_its_end() {
        assert_eq!(end_of_period(noon(), 1).to_rfc3339(), "2026-12-20T12:00:00+00:00");
    }

    #[test]
    fn buyers_read_what_is_charged_and_how_often_within_what_providers_take() {
        let terms = crate::domain::fixtures::terms();
        for (language, words) in [("ru", "каждые 12 мес."), ("en", "every 12 months")] {
            let said = description(&terms, language);
            assert!(said.contains("59.99 TRY") && said.contains(words), "{said}");
            assert!(said.chars().count() <= 128, "{said}");
        }
        let gift = Terms {
            kind: PriceKind::OneTime,
            ..terms
        };
        assert_eq!(description(&gift, "en"), "Stillpoint premium");
    }

    #[test]
    fn states_are_read_as_they_are_written() {
        let names = HostedCheckoutState::ALL.map(HostedCheckoutState::name);
        assert_eq!(names, ["intended", "open", "paid", "expired"]);
    }
}

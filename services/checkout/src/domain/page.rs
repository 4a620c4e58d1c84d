//! A page of a provider that is open for a member to pay a price. There is no order until they have.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Months, TimeDelta, Utc};

use super::buyer::Buyer;
use super::campaign::{PriceKind, Terms};
use super::ids::{PageId, PriceId};
use super::provider::Provider;
use super::report::Charge;

/// Providers keep a page open for an hour; whoever is shown it needs some of that to pay.
pub const LIVES: TimeDelta = TimeDelta::minutes(60);
const SHOWN_FOR: TimeDelta = TimeDelta::minutes(40);
/// A buyer may pay at the last moment, and their bank take its time.
const WATCHED_FOR: TimeDelta = TimeDelta::hours(26);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub page_id: PageId,
    pub buyer: Buyer,
    pub price_id: PriceId,
    pub provider: Provider,
    pub state: PageState,
    pub country: String,
    pub language: String,
    pub provider_payment_id: Option<String>,
    pub handle: Option<String>,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageState {
    /// Committed here; whether the provider has heard of it is not known yet.
    Intended,
    Open,
    Paid,
    /// It can never be paid.
    Over,
}

impl PageState {
    pub const ALL: [Self; 4] = [Self::Intended, Self::Open, Self::Paid, Self::Over];

    pub fn name(self) -> &'static str {
        match self {
            Self::Intended => "intended",
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Over => "expired",
        }
    }

    /// What a provider's word makes of it. What was paid stays so.
    #[must_use]
    pub fn after(self, charge: &Charge) -> Self {
        match (self, charge) {
            (Self::Paid, _) | (_, Charge::Captured(_)) => Self::Paid,
            (Self::Over, _) | (_, Charge::Declined(_) | Charge::Closed) => Self::Over,
            _ => Self::Open,
        }
    }
}

impl Page {
    /// It may be shown to somebody who wants to pay now.
    pub fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        self.state == PageState::Open && now < self.created_at + SHOWN_FOR
    }

    /// When to ask the provider about it again; `None` when nothing can come any more.
    pub fn next_check(&self, checks: i32, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let pause = TimeDelta::seconds(30 << checks.clamp(0, 6));
        let is_waiting = matches!(self.state, PageState::Intended | PageState::Open);
        (is_waiting && now < self.created_at + WATCHED_FOR).then(|| now + pause)
    }
}

/// What a payment is made under at the provider: whose page, and for how long it pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    pub page_id: PageId,
    pub period_months: u32,
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.page_id, self.period_months)
    }
}

impl FromStr for Reference {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (page_id, months) = text.split_once('.').ok_or(())?;
        Ok(Self {
            page_id: page_id.parse().map_err(|_| ())?,
            period_months: months.parse().map_err(|_| ())?,
        })
    }
}

/// What the buyer reads beside the sum, before they pay: that it goes on, where it does.
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

    fn page(state: PageState) -> Page {
        Page {
            page_id: PageId::new(noon()),
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
            handle: Some("http://pay.example".into()),
            created_at: noon(),
        }
    }

    #[test]
    fn references_are_read_as_they_are_written() {
        let reference = Reference {
            page_id: PageId::new(noon()),
            period_months: 12,
        };
        assert_eq!(reference.to_string().parse(), Ok(reference));
        for foreign in ["", "ord_1", "17", "ppg_1.x"] {
            assert!(foreign.parse::<Reference>().is_err(), "{foreign}");
        }
    }

    #[test]
    fn nothing_undoes_that_a_page_was_paid() {
        let paid = Charge::Captured(price());
        assert_eq!(PageState::Over.after(&paid), PageState::Paid);
        assert_eq!(PageState::Paid.after(&Charge::Closed), PageState::Paid);
        assert_eq!(PageState::Over.after(&Charge::Processing), PageState::Over);
        assert_eq!(PageState::Intended.after(&Charge::Processing), PageState::Open);
    }

    #[test]
    fn a_page_is_shown_while_there_is_time_to_pay_and_watched_for_longer() {
        let open = page(PageState::Open);
        assert!(open.is_fresh(noon()) && !open.is_fresh(later(1)));
        assert!(!page(PageState::Over).is_fresh(noon()));
        assert!(open.next_check(99, later(2)).is_some());
        assert_eq!(open.next_check(0, later(27)), None);
        assert_eq!(page(PageState::Paid).next_check(0, noon()), None);
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
        let names = PageState::ALL.map(PageState::name);
        assert_eq!(names, ["intended", "open", "paid", "expired"]);
    }
}

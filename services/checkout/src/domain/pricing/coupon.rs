//! Coupons: discount, limits and validity, and the reservation of a coupon by an order.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::order::OrderState;

/// How long an unpaid order reserves a coupon.
pub const RESERVED_FOR: TimeDelta = TimeDelta::minutes(30);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coupon {
    pub code: String,
    pub percent_off: u8,
    pub limits: Limits,
}

/// What is absent or empty limits nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    pub redemptions_max: Option<i32>,
    pub member_max: Option<i32>,
    pub valid_from: Option<DateTime<Utc>>,
    /// The first moment at which it no longer counts.
    pub valid_until: Option<DateTime<Utc>>,
    pub countries: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Unknown,
    OtherCampaign,
    NotActive,
    Expired,
    OtherCountry,
    Exhausted,
    AlreadyUsed,
}

impl Coupon {
    /// All that can be said without counting.
    pub fn check(&self, country: &str, now: DateTime<Utc>) -> Result<(), Refusal> {
        let Limits {
            valid_from,
            valid_until,
            countries,
            ..
        } = &self.limits;
        if valid_from.is_some_and(|begin| now < begin) {
            return Err(Refusal::NotActive);
        }
        if valid_until.is_some_and(|end| now >= end) {
            return Err(Refusal::Expired);
        }
        if !countries.is_empty() && !countries.contains(country) {
            return Err(Refusal::OtherCountry);
        }
        Ok(())
    }

    /// Whether the database must be asked how often it was taken.
    pub fn is_counted(&self) -> bool {
        self.limits.redemptions_max.is_some() || self.limits.member_max.is_some()
    }
}

/// An order's reservation of a coupon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reservation {
    Reserved { until: DateTime<Utc> },
    Redeemed { at: DateTime<Utc> },
    Released { at: DateTime<Utc> },
}

impl Reservation {
    /// The reservation that follows from the order's state.
    #[must_use]
    pub fn after(self, order: &OrderState, now: DateTime<Utc>) -> Self {
        match (self, order) {
            // Who tried for free has had it, also when nothing was paid in the end.
            (Self::Redeemed { .. }, _) => self,
            // Money counts even for an order the buyer walked away from, and so does what it was bought with.
            (_, OrderState::OnTrial { .. } | OrderState::Paid { .. }) => Self::Redeemed { at: now },
            (Self::Reserved { .. }, OrderState::Abandoned { .. }) => Self::Released { at: now },
            _ => self,
        }
    }

    /// Whether it counts against the coupon's limits.
    pub fn is_taken(self) -> bool {
        !matches!(self, Self::Released { .. })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::fixtures::{later, noon};
    use crate::domain::ids::PaymentId;

    fn coupon(limits: Limits) -> Coupon {
        Coupon {
            code: "SPRING".into(),
            percent_off: 20,
            limits,
        }
    }

    #[test]
    fn coupon_counts_from_its_first_moment_until_just_before_its_last() {
        let spring = coupon(Limits {
            valid_from: Some(noon()),
            valid_until: Some(later(2)),
            ..Limits::default()
        });
        assert_eq!(spring.check("TR", later(-1)), Err(Refusal::NotActive));
        assert_eq!(spring.check("TR", noon()), Ok(()));
        assert_eq!(spring.check("TR", later(1)), Ok(()));
        assert_eq!(spring.check("TR", later(2)), Err(Refusal::Expired));
    }

    #[test]
    fn coupon_of_some_countries_is_refused_elsewhere() {
        let turkish = coupon(Limits {
            countries: BTreeSet::from(["TR".to_owned()]),
            ..Limits::default()
        });
        assert_eq!(turkish.check("TR", noon()), Ok(()));
        assert_eq!(turkish.check("DE", noon()), Err(Refusal::OtherCountry));
        assert_eq!(coupon(Limits::default()).check("DE", noon()), Ok(()));
    }

    fn claims() -> impl Strategy<Value = Reservation> {
        prop_oneof![
            Just(Reservation::Reserved { until: later(1) }),
            Just(Reservation::Redeemed { at: noon() }),
            Just(Reservation::Released { at: noon() }),
        ]
    }

    fn orders() -> impl Strategy<Value = OrderState> {
        let by = PaymentId::new(noon());
        prop_oneof![
            Just(OrderState::Open),
            Just(OrderState::OnTrial { until: later(24) }),
            Just(OrderState::Paid { by, at: noon() }),
            Just(OrderState::Abandoned { at: noon() }),
        ]
    }

    proptest! {
        #[test]
        fn whatever_happens_a_redeemed_coupon_stays_so_and_a_sale_always_takes_one(
            claim in claims(),
            history in prop::collection::vec(orders(), 1..12),
        ) {
            let mut now = claim;
            for order in &history {
                let next = now.after(order, later(3));
                if let Reservation::Redeemed { .. } = now {
                    prop_assert_eq!(next, now);
                }
                if matches!(order, OrderState::OnTrial { .. } | OrderState::Paid { .. }) {
                    prop_assert!(next.is_taken() && matches!(next, Reservation::Redeemed { .. }), "{next:?}");
                }
                // The same news again changes nothing.
                prop_assert_eq!(next.after(order, later(4)), next);
                now = next;
            }
        }

        #[test]
        fn only_an_abandoned_order_gives_a_coupon_back(order in orders()) {
            let held = Reservation::Reserved { until: later(1) };
            let given_back = !held.after(&order, noon()).is_taken();
            prop_assert_eq!(given_back, matches!(order, OrderState::Abandoned { .. }));
        }
    }
}

//! The reservation of a coupon by an order.

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::order::OrderState;

/// How long an unpaid order reserves a coupon.
pub const RESERVED_FOR: TimeDelta = TimeDelta::minutes(30);

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

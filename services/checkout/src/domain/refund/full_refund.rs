//! The full refund of a one-time order: what it closes, and what its return opens again.

use kit::money::{Money, MoneyError};

use super::{Refund, RefundState};
use crate::domain::order::{Order, OrderState};
use crate::domain::pricing::opens::Opens;

/// Entitlements that depend on `refund`: the capture of the order is refunded in full with it and not without it.
/// `refunds` are all refunds of the order.
pub fn dependent_entitlements(
    order: &Order,
    captured: Money,
    refunds: &[Refund],
    refund: &Refund,
) -> Result<Opens, MoneyError> {
    let OrderState::Paid { by, .. } = order.state else {
        return Ok(Opens::default());
    };
    if refund.payment_id != by {
        return Ok(Opens::default());
    }
    let others = refunds.iter().filter(|other| {
        other.payment_id == by
            && other.refund_id != refund.refund_id
            && matches!(other.state, RefundState::Succeeded { .. })
    });
    let left = others
        .map(|other| other.amount)
        .try_fold(captured, Money::checked_sub)?;
    let left_with_it = left.checked_sub(refund.amount)?;
    Ok(if left.minor > 0 && left_with_it.minor <= 0 {
        order.opens_for_good()
    } else {
        Opens::default()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::fixtures::{intended, noon, premium, price, refund_of};
    use crate::domain::ids::PaymentId;
    use crate::domain::order::OrderKind;
    use crate::domain::payment::Payment;

    fn bought(kind: OrderKind) -> (Order, Payment) {
        let purchase = intended();
        let state = OrderState::Paid {
            by: purchase.payment.payment_id,
            at: noon(),
        };
        let order = Order {
            kind,
            state,
            ..purchase.order
        };
        (order, purchase.payment)
    }

    fn succeeded(payment: &Payment, minor: i64) -> Refund {
        Refund {
            state: RefundState::Succeeded { at: noon() },
            ..refund_of(payment, minor)
        }
    }

    fn returned(refund: Refund) -> Refund {
        let state = RefundState::Returned {
            given_at: noon(),
            at: noon(),
        };
        Refund { state, ..refund }
    }

    fn decided(order: &Order, refunds: &[Refund], refund: &Refund) -> Opens {
        dependent_entitlements(order, price(), refunds, refund).unwrap()
    }

    #[test]
    fn full_refund_closes_what_a_one_time_order_opened() {
        let full = price().minor;
        for kind in [OrderKind::Lifetime, OrderKind::Addition, OrderKind::OneTime] {
            let (order, payment) = bought(kind);
            let refund = succeeded(&payment, full);
            assert_eq!(decided(&order, std::slice::from_ref(&refund), &refund), premium());
        }
        for kind in [OrderKind::Subscription, OrderKind::Gift] {
            let (order, payment) = bought(kind);
            let refund = succeeded(&payment, full);
            assert_eq!(
                decided(&order, std::slice::from_ref(&refund), &refund),
                Opens::default()
            );
        }
    }

    #[test]
    fn refund_of_a_part_closes_nothing_until_the_last_one() {
        let (order, payment) = bought(OrderKind::Lifetime);
        let refunds = [
            succeeded(&payment, 1000),
            succeeded(&payment, price().minor - 1000),
        ];
        assert_eq!(decided(&order, &refunds[..1], &refunds[0]), Opens::default());
        assert_eq!(decided(&order, &refunds, &refunds[1]), premium());
    }

    #[test]
    fn refund_under_way_counts_when_it_has_succeeded() {
        let (order, payment) = bought(OrderKind::Lifetime);
        let refunds = [
            refund_of(&payment, 1000),
            succeeded(&payment, price().minor - 1000),
        ];
        assert_eq!(decided(&order, &refunds, &refunds[1]), Opens::default());
    }

    #[test]
    fn dispute_of_a_refunded_order_closes_nothing_more() {
        let (order, payment) = bought(OrderKind::Lifetime);
        let refunds = [
            succeeded(&payment, price().minor),
            succeeded(&payment, price().minor),
        ];
        assert_eq!(decided(&order, &refunds, &refunds[1]), Opens::default());
    }

    #[test]
    fn duplicate_capture_that_is_refunded_closes_nothing() {
        let (order, payment) = bought(OrderKind::Lifetime);
        let duplicate = Payment {
            payment_id: PaymentId::new(noon()),
            ..payment
        };
        let excess = succeeded(&duplicate, price().minor);
        assert_eq!(
            decided(&order, std::slice::from_ref(&excess), &excess),
            Opens::default()
        );
    }

    proptest! {
        /// Whatever succeeds and returns in whatever order, the emitted entitlements add up to the state of the order.
        #[test]
        fn entitlements_are_open_while_a_part_of_the_capture_is_kept(
            steps in prop::collection::vec((any::<bool>(), 1..4_i64), 1..12)
        ) {
            let (order, payment) = bought(OrderKind::Lifetime);
            let mut refunds: Vec<Refund> = Vec::new();
            let mut is_open = true;
            for (succeeds, quarters) in steps {
                let last = refunds.iter().rposition(|refund| matches!(refund.state, RefundState::Succeeded { .. }));
                let at = match last {
                    Some(at) if !succeeds => {
                        refunds[at] = returned(refunds[at].clone());
                        at
                    }
                    _ => {
                        refunds.push(succeeded(&payment, price().minor * quarters / 4));
                        refunds.len() - 1
                    }
                };
                if decided(&order, &refunds, &refunds[at]) == premium() {
                    let opens = matches!(refunds[at].state, RefundState::Returned { .. });
                    prop_assert_ne!(is_open, opens, "each is emitted once");
                    is_open = opens;
                }
                let given = refunds.iter().filter(|refund| matches!(refund.state, RefundState::Succeeded { .. }));
                let given: i64 = given.map(|refund| refund.amount.minor).sum();
                prop_assert_eq!(is_open, given < price().minor);
            }
        }
    }
}

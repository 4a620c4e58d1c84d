//! Where a payment becomes paid that is made once: the sibling of `settle_payment`, and like it the only place. Everybody who
//! hears from the provider comes here, in any order and any number of times.

use sqlx::PgConnection;

use super::Checkout;
use super::settle_payment::book_capture;
use super::start_trial::start_trial;
use super::tell_platron::tell_captured;
use crate::domain::ids::PaymentId;
use crate::domain::intent::IntentReport;
use crate::domain::order::{Order, OrderKind};
use crate::domain::sale::{self, Sale};
use crate::domain::settlement::Fact;
use crate::domain::settlement_once::{Room, Settlement, decide};
use crate::emit;
use crate::error::Result;
use crate::store::purchases::Which;
use crate::store::{StoreError, coupons, orders, payments, sales};

pub async fn settle_intent(
    checkout: &Checkout,
    payment_id: PaymentId,
    report: &IntentReport,
) -> Result<Sale> {
    let mut tx = checkout.pool.begin().await?;
    let (sale, facts) = settle_within(&mut tx, checkout, payment_id, report).await?;
    tx.commit().await?;
    announce(&sale, &facts);
    Ok(sale)
}

/// In the transaction of whoever has more to write with it, and commits and announces it.
pub async fn settle_within(
    tx: &mut PgConnection,
    checkout: &Checkout,
    payment_id: PaymentId,
    report: &IntentReport,
) -> Result<(Sale, Vec<Fact>)> {
    let now = checkout.clock.now();
    let Some(order_id) = payments::find_order(tx, payment_id).await? else {
        let unknown = StoreError::Inconsistent {
            table: "payment",
            column: "payment_id",
            row: payment_id.to_string(),
        };
        return Err(unknown.into());
    };
    let before = sales::lock(tx, order_id, Which::Payment(payment_id)).await?;
    let room = room(tx, &before.order).await?;

    let Settlement { mut sale, facts } = decide(before.clone(), report, room, now);
    if sale != before {
        sale.watch.checks = 0;
    }
    if sale.is_watched() {
        sale.watch.next_check_at = sale::next_check(&sale, checkout.patience, now);
        if sale.order.is_paid() && !payments::other_open(tx, &sale.payment).await?.is_empty() {
            sale.watch.next_check_at = Some(now + checkout.patience.0);
        }
    }

    sales::save(tx, &sale).await?;
    if let IntentReport::Seen(seen) = report {
        sales::name_guest(tx, &sale.order.user_id, &seen.payer).await?;
    }
    if sale.order.state != before.order.state {
        coupons::follow(tx, &sale.order, now).await?;
    }
    book_capture(tx, checkout, (&sale.order, &sale.payment), &facts).await?;
    emit::sale_facts(tx, &checkout.clock, &sale, &facts).await?;
    tell_captured(tx, checkout, (&sale.order, &sale.payment), &facts).await?;
    if let (IntentReport::Seen(seen), [Fact::OrderPaid { .. }]) = (report, facts.as_slice()) {
        start_trial(tx, checkout, &sale.order, seen).await?;
    }
    Ok((sale, facts))
}

/// A member who began a subscription to the product in the meantime, or owns for good what it opens, needs no trial of it: their
/// money goes back.
async fn room(tx: &mut PgConnection, order: &Order) -> Result<Room> {
    if !matches!(order.kind, OrderKind::Trial { .. }) {
        return Ok(Room::Free);
    }
    let held = orders::find_held(tx, &order.user_id, &order.product).await?;
    let is_taken = held.is_some()
        || order
            .opens
            .adds_nothing_to(sales::owned(tx, &order.user_id).await?);
    Ok(if is_taken { Room::Taken } else { Room::Free })
}

pub fn announce(sale: &Sale, facts: &[Fact]) {
    let order_id = sale.order.order_id;
    for fact in facts {
        match fact {
            Fact::OrderPaid { amount } => {
                metrics::counter!("checkout_orders_paid_total", "currency" => amount.currency.code())
                    .increment(1);
                tracing::info!(order.id = %order_id, "Order {order_id} is paid");
            }
            Fact::CapturedTwice { payment_id, .. } => {
                metrics::counter!("checkout_captured_twice_total").increment(1);
                tracing::error!(order.id = %order_id, "Payment {payment_id} of order {order_id} paid for nothing: it goes back");
            }
            _ => {}
        }
    }
}

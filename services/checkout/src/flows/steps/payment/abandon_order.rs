//! Abandons an unpaid order: another price was chosen, or its coupon reservation expired.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use kit::reconciler::Reconciler;
use sqlx::PgConnection;

use crate::domain::ids::OrderId;
use crate::domain::order::subscription_order::SubscriptionOrder;
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::Disposition;
use crate::domain::subscription::{Subscription, SubscriptionState};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::close_intent::give_back_coupon;
use crate::flows::steps::payment::close_payment::close_payment;
use crate::store::order::orders;
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::pricing::coupons;
use crate::store::subscription::subscriptions;

/// Until an order whose payment outcome is unknown is processed again.
const LEASE: TimeDelta = TimeDelta::minutes(1);

/// `held` is locked and can never be charged.
pub async fn abandon_order(
    tx: &mut PgConnection,
    checkout: &Checkout,
    held: SubscriptionOrder,
) -> Result<()> {
    let at = checkout.clock.now();
    let order = Order {
        state: OrderState::Abandoned { at },
        ..held.order
    };
    let subscription = Subscription {
        state: SubscriptionState::Expired { at },
        next_check_at: None,
        ..held.subscription
    };
    orders::save_state(tx, &order).await?;
    subscriptions::save(tx, &subscription).await?;
    coupons::update_reservation(tx, &order, at).await?;
    Ok(())
}

pub struct OverdueOrderReconciler(pub Arc<Checkout>);

#[async_trait]
impl Reconciler for OverdueOrderReconciler {
    type Item = (OrderId,);
    type Error = Error;
    const NAME: &'static str = "abandon-overdue-orders";
    const CONCURRENCY: usize = 1;

    async fn lease(&self, limit: i64) -> Result<Vec<(OrderId,)>> {
        let now = self.0.clock.now();
        Ok(coupons::OVERDUE.lease(&self.0.pool, now, LEASE, limit).await?)
    }

    fn id((order_id,): &(OrderId,)) -> String {
        order_id.to_string()
    }

    async fn process(&self, (order_id,): (OrderId,)) -> Result<()> {
        give_back(&self.0, order_id).await
    }
}

/// Closes chargeable attempts at the provider first, so that a coupon is never used by two paid orders.
async fn give_back(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    if orders::read(&mut connection, order_id).await?.kind != OrderKind::Subscription {
        drop(connection);
        return give_back_coupon(checkout, order_id).await;
    }
    let purchase = subscription_orders::read(&mut connection, order_id, AttemptSelector::Blocking).await?;
    drop(connection);
    if purchase.order.state == OrderState::Open && purchase.payment.disposition() == Disposition::AwaitsBuyer
    {
        close_payment(checkout, purchase.payment.payment_id).await?;
    }

    let mut tx = kit::database::begin(&checkout.pool).await?;
    let held = subscription_orders::lock(&mut tx, order_id, AttemptSelector::Blocking).await?;
    match (&held.order.state, held.payment.disposition()) {
        (OrderState::Open, Disposition::Closed) => {
            abandon_order(&mut tx, checkout, held).await?;
            tracing::info!(order.id = %order_id, "Order {order_id} is given up, and its coupon given back");
        }
        // Another process is executing it: it becomes due again after the lease.
        (OrderState::Open, _) => return Ok(()),
        _ => coupons::update_reservation(&mut tx, &held.order, checkout.clock.now()).await?,
    }
    tx.commit().await?;
    Ok(())
}

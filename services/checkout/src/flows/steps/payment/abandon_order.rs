//! Abandons an unpaid order: another price was chosen, or its coupon reservation expired.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use kit::reconciler::Reconciler;
use sqlx::PgConnection;

use crate::domain::ids::OrderId;
use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::Disposition;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::subscription_state::{Subscription, SubscriptionState};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::close_payment::close_payment;
use crate::store::order::order_attempts::{self, AttemptSelector};
use crate::store::pricing::coupons;

/// Until an order whose payment outcome is unknown is processed again.
const LEASE: TimeDelta = TimeDelta::minutes(1);

/// `held` is locked and can never be charged.
pub async fn abandon_order(tx: &mut PgConnection, checkout: &Checkout, held: OrderAttempt) -> Result<()> {
    let at = checkout.clock.now();
    let abandoned = OrderAttempt {
        order: Order {
            state: OrderState::Abandoned { at },
            ..held.order.clone()
        },
        subscription: held.subscription.clone().map(|subscription| Subscription {
            state: SubscriptionState::Expired { at },
            ..subscription
        }),
        poll: PollState::default(),
        ..held.clone()
    };
    order_attempts::save_changes(tx, &held, &abandoned).await?;
    coupons::update_reservation(tx, &abandoned.order, at).await?;
    Ok(())
}

pub struct OverdueOrderReconciler(pub Arc<Checkout>);

#[async_trait]
impl Reconciler for OverdueOrderReconciler {
    type Item = OrderId;
    type Error = Error;
    const NAME: &'static str = "abandon-overdue-orders";
    const CONCURRENCY: usize = 1;

    async fn lease(&self, limit: i64) -> Result<Vec<OrderId>> {
        let now = self.0.clock.now();
        let leased: Vec<(OrderId,)> = coupons::OVERDUE.lease(&self.0.pool, now, LEASE, limit).await?;
        Ok(leased.into_iter().map(|(order_id,)| order_id).collect())
    }

    fn id(order_id: &OrderId) -> String {
        order_id.to_string()
    }

    async fn process(&self, order_id: OrderId) -> Result<()> {
        release_coupon(&self.0, order_id).await
    }
}

/// Closes chargeable attempts at the provider first, so that a coupon is never used by two paid orders.
async fn release_coupon(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let attempt = order_attempts::read(&mut connection, order_id, AttemptSelector::Blocking).await?;
    drop(connection);
    if attempt.order.state == OrderState::Open && attempt.payment.disposition() == Disposition::AwaitsBuyer {
        close_payment(checkout, attempt.payment.payment_id).await?;
    }

    let mut tx = kit::database::begin(&checkout.pool).await?;
    let held = order_attempts::lock(&mut tx, order_id, AttemptSelector::Blocking).await?;
    match (&held.order.state, held.payment.disposition()) {
        (OrderState::Open, Disposition::Closed) => {
            abandon_order(&mut tx, checkout, held).await?;
            tracing::info!(order.id = %order_id, "order abandoned; its coupon is released");
        }
        // Another process is executing it: it becomes due again after the lease.
        (OrderState::Open, _) => return Ok(()),
        _ => coupons::update_reservation(&mut tx, &held.order, checkout.clock.now()).await?,
    }
    tx.commit().await?;
    Ok(())
}

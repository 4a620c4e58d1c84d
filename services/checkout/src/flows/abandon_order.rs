//! Gives up an order that was never paid: for another price, or because its coupon cannot be kept from others any longer.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use kit::periodic;
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use super::Checkout;
use super::close_intent::give_back_coupon;
use super::close_payment::close_payment;
use crate::domain::ids::OrderId;
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::Standing;
use crate::domain::purchase::Purchase;
use crate::domain::subscription::{Subscription, SubscriptionState};
use crate::error::Result;
use crate::store::purchases::{self, Which};
use crate::store::{coupons, orders, subscriptions};

const BATCH: i64 = 20;

/// Until an order is looked at again whose payment nobody knows the outcome of.
const LEASE: TimeDelta = TimeDelta::minutes(1);

/// `held` is locked and can never be charged.
pub async fn abandon_order(tx: &mut PgConnection, checkout: &Checkout, held: Purchase) -> Result<()> {
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
    coupons::follow(tx, &order, at).await?;
    Ok(())
}

pub async fn abandon_overdue_orders(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    periodic::every(every, "looking after held coupons", &shutdown, || {
        abandon_overdue(&checkout)
    })
    .await;
}

async fn abandon_overdue(checkout: &Checkout) -> Result<()> {
    let now = checkout.clock.now();
    let mut connection = checkout.pool.acquire().await?;
    let overdue = coupons::lease_overdue(&mut connection, now, LEASE, BATCH).await?;
    drop(connection);
    for order_id in overdue {
        if let Err(error) = give_back(checkout, order_id).await {
            tracing::warn!(order.id = %order_id, %error, "Order {order_id} keeps its coupon a little longer");
        }
    }
    Ok(())
}

/// What could still be charged is closed at the provider first: a coupon is never given to two who pay.
async fn give_back(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    if orders::read(&mut connection, order_id).await?.kind != OrderKind::Subscription {
        drop(connection);
        return give_back_coupon(checkout, order_id).await;
    }
    let purchase = purchases::read(&mut connection, order_id, Which::InTheWay).await?;
    drop(connection);
    if purchase.order.state == OrderState::Open && purchase.payment.standing() == Standing::AwaitsBuyer {
        close_payment(checkout, purchase.payment.payment_id).await?;
    }

    let mut tx = checkout.pool.begin().await?;
    let held = purchases::lock(&mut tx, order_id, Which::InTheWay).await?;
    match (&held.order.state, held.payment.standing()) {
        (OrderState::Open, Standing::Over) => {
            abandon_order(&mut tx, checkout, held).await?;
            tracing::info!(order.id = %order_id, "Order {order_id} is given up, and its coupon given back");
        }
        // Somebody is at work on it: the lease brings it back here.
        (OrderState::Open, _) => return Ok(()),
        _ => coupons::follow(&mut tx, &held.order, checkout.clock.now()).await?,
    }
    tx.commit().await?;
    Ok(())
}

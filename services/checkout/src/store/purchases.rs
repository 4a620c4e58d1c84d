//! An order with its subscription and one attempt, read and written together.

use sqlx::PgConnection;

use super::{StoreError, Stored, orders, payments, subscriptions};
use crate::domain::ids::{OrderId, PaymentId, UserId};
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::Payment;
use crate::domain::purchase::{Attempt, Purchase, in_the_way};
use crate::domain::subscription::Subscription;

/// Which attempt of an order is meant.
#[derive(Debug, Clone, Copy)]
pub enum Which {
    /// The one that paid it; until one has, the latest.
    Current,
    /// The one that decides whether somebody may pay in another way.
    InTheWay,
    Payment(PaymentId),
}

/// Holds the order's lock until the transaction ends: two settlements of one order go one after the other.
pub async fn lock(conn: &mut PgConnection, order_id: OrderId, which: Which) -> Stored<Purchase> {
    let order = orders::lock(conn, order_id).await?;
    assemble(conn, order, which).await
}

/// As [`lock`], of the order this payment is for.
pub async fn lock_payment(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<Purchase> {
    match orders::lock_by_payment(conn, payment_id).await? {
        Some(order) => assemble(conn, order, Which::Payment(payment_id)).await,
        None => Err(StoreError::inconsistent("payment", "payment_id", payment_id)),
    }
}

pub async fn read(conn: &mut PgConnection, order_id: OrderId, which: Which) -> Stored<Purchase> {
    let order = orders::read(conn, order_id).await?;
    assemble(conn, order, which).await
}

pub async fn read_payment(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<Purchase> {
    match orders::find_by_payment(conn, payment_id).await? {
        Some(order) => assemble(conn, order, Which::Payment(payment_id)).await,
        None => Err(StoreError::inconsistent("payment", "order_id", payment_id)),
    }
}

async fn assemble(conn: &mut PgConnection, order: Order, which: Which) -> Stored<Purchase> {
    let subscription = subscriptions::of_order(conn, order.order_id).await?;
    let attempts = payments::of_order(conn, order.order_id).await?;
    join(order, subscription, attempts, which)
}

/// `attempts` of this order, earliest first.
fn join(
    order: Order,
    subscription: Subscription,
    mut attempts: Vec<Payment>,
    which: Which,
) -> Stored<Purchase> {
    let latest = attempts.last().map(|payment| payment.payment_id);
    let wanted = match which {
        Which::Current => match &order.state {
            OrderState::Paid { by, .. } => Some(*by),
            _ => latest,
        },
        Which::InTheWay => in_the_way(&order, &attempts),
        Which::Payment(payment_id) => Some(payment_id),
    };
    let Some(at) = attempts
        .iter()
        .position(|payment| Some(payment.payment_id) == wanted)
    else {
        return Err(StoreError::inconsistent("payment", "order_id", order.order_id));
    };
    let attempt = if wanted == latest {
        Attempt::Latest
    } else {
        Attempt::Replaced
    };
    Ok(Purchase {
        order,
        subscription,
        payment: attempts.swap_remove(at),
        attempt,
    })
}

pub async fn insert(conn: &mut PgConnection, purchase: &Purchase) -> Stored<()> {
    orders::insert(conn, &purchase.order).await?;
    subscriptions::insert(conn, &purchase.order, &purchase.subscription).await?;
    payments::insert_intent(conn, &purchase.payment).await
}

/// Most of what is told is known already: what has not changed is not written again.
pub async fn save_changes(conn: &mut PgConnection, before: &Purchase, after: &Purchase) -> Stored<()> {
    if after.payment != before.payment {
        payments::save(conn, &after.payment).await?;
    }
    if after.order.state != before.order.state {
        orders::save_state(conn, &after.order).await?;
    }
    if after.subscription != before.subscription {
        subscriptions::save(conn, &after.subscription).await?;
    }
    Ok(())
}

/// Everything the member has bought or is buying, newest first: three statements, however much it is.
pub async fn of_member(conn: &mut PgConnection, user_id: &UserId, limit: i64) -> Stored<Vec<Purchase>> {
    let orders = orders::of_member(conn, user_id, limit).await?;
    let ids: Vec<OrderId> = orders.iter().map(|order| order.order_id).collect();
    let mut subscriptions = subscriptions::of_orders(conn, &ids).await?;
    let mut attempts = payments::of_orders(conn, &ids).await?;
    let purchases = orders.into_iter().map(|order| {
        let order_id = order.order_id;
        let own = attempts.extract_if(.., |payment| payment.order_id == order_id);
        let own = own.collect();
        let subscription = subscriptions.remove(&order_id);
        let subscription =
            subscription.ok_or_else(|| StoreError::inconsistent("subscription", "order_id", order_id))?;
        join(order, subscription, own, Which::Current)
    });
    purchases.collect()
}

//! An order with its subscription and one attempt, read and written together.

use sqlx::PgConnection;

use super::orders;
use super::orders::{OrderRow, order_columns};
use crate::domain::ids::{OrderId, PaymentId, UserId};
use crate::domain::order::subscription_order::{AttemptStatus, SubscriptionOrder, blocking_attempt};
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::Payment;
use crate::domain::subscription::Subscription;
use crate::store::payment::payments;
use crate::store::payment::payments::{PaymentRow, payment_columns};
use crate::store::subscription::subscriptions;
use crate::store::subscription::subscriptions::{SubscriptionRow, subscription_columns};
use crate::store::{StoreError, Stored};

/// Which attempt of an order is meant.
#[derive(Debug, Clone, Copy)]
pub enum AttemptSelector {
    /// The one that paid it; until one has, the latest.
    Current,
    /// The one that blocks another attempt.
    Blocking,
    Payment(PaymentId),
}

#[derive(sqlx::FromRow)]
struct SubscriptionOrderRow {
    #[sqlx(flatten)]
    order: OrderRow,
    #[sqlx(flatten)]
    subscription: SubscriptionRow,
    #[sqlx(flatten)]
    payment: PaymentRow,
}

/// A row for each attempt, earliest first.
macro_rules! select_subscription_order {
    ($which:literal) => {
        concat!(
            "select ",
            order_columns!(),
            ", ",
            payment_columns!(),
            ", ",
            subscription_columns!(),
            " from orders join subscription using (order_id) join payment using (order_id)
             where payment.kind = 'initial' and orders.order_id = ",
            $which,
            " order by attempt"
        )
    };
}

/// Holds the order's lock until the transaction ends: two settlements of one order go one after the other.
pub async fn lock(
    conn: &mut PgConnection,
    order_id: OrderId,
    which: AttemptSelector,
) -> Stored<SubscriptionOrder> {
    orders::hold(conn, order_id).await?;
    read(conn, order_id, which).await
}

/// As [`lock`], of the order this payment is for; with all its attempts, earliest first.
pub async fn lock_payment(
    conn: &mut PgConnection,
    payment_id: PaymentId,
) -> Stored<(SubscriptionOrder, Vec<Payment>)> {
    orders::hold_by_payment(conn, payment_id).await?;
    of_payment(conn, payment_id).await
}

pub async fn read(
    conn: &mut PgConnection,
    order_id: OrderId,
    which: AttemptSelector,
) -> Stored<SubscriptionOrder> {
    let (purchase, _) = of_order(conn, order_id, which).await?;
    Ok(purchase)
}

pub async fn read_payment(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<SubscriptionOrder> {
    let (purchase, _) = of_payment(conn, payment_id).await?;
    Ok(purchase)
}

async fn of_order(
    conn: &mut PgConnection,
    order_id: OrderId,
    which: AttemptSelector,
) -> Stored<(SubscriptionOrder, Vec<Payment>)> {
    let rows: Vec<SubscriptionOrderRow> = sqlx::query_as(select_subscription_order!("$1"))
        .bind(order_id)
        .fetch_all(conn)
        .await?;
    match assemble(rows, which)? {
        Some(purchase) => Ok(purchase),
        None => Err(StoreError::inconsistent("payment", "order_id", order_id)),
    }
}

async fn of_payment(
    conn: &mut PgConnection,
    payment_id: PaymentId,
) -> Stored<(SubscriptionOrder, Vec<Payment>)> {
    let rows: Vec<SubscriptionOrderRow> = sqlx::query_as(select_subscription_order!(
        "(select order_id from payment where payment_id = $1)"
    ))
    .bind(payment_id)
    .fetch_all(conn)
    .await?;
    match assemble(rows, AttemptSelector::Payment(payment_id))? {
        Some(purchase) => Ok(purchase),
        None => Err(StoreError::inconsistent("payment", "order_id", payment_id)),
    }
}

/// `None`: there is no such order, or it is of something that is no subscription.
fn assemble(
    rows: Vec<SubscriptionOrderRow>,
    which: AttemptSelector,
) -> Stored<Option<(SubscriptionOrder, Vec<Payment>)>> {
    let mut head = None;
    let mut attempts = Vec::with_capacity(rows.len());
    for row in rows {
        attempts.push(row.payment.try_into()?);
        head = Some((row.order, row.subscription));
    }
    let Some((order, subscription)) = head else {
        return Ok(None);
    };
    let all = attempts.clone();
    let purchase = join(order.try_into()?, subscription.try_into()?, attempts, which)?;
    Ok(Some((purchase, all)))
}

/// `attempts` of this order, earliest first.
fn join(
    order: Order,
    subscription: Subscription,
    mut attempts: Vec<Payment>,
    which: AttemptSelector,
) -> Stored<SubscriptionOrder> {
    let latest = attempts.last().map(|payment| payment.payment_id);
    let wanted = match which {
        AttemptSelector::Current => match &order.state {
            OrderState::Paid { by, .. } => Some(*by),
            _ => latest,
        },
        AttemptSelector::Blocking => blocking_attempt(&order, &attempts),
        AttemptSelector::Payment(payment_id) => Some(payment_id),
    };
    let Some(at) = attempts
        .iter()
        .position(|payment| Some(payment.payment_id) == wanted)
    else {
        return Err(StoreError::inconsistent("payment", "order_id", order.order_id));
    };
    let attempt = if wanted == latest {
        AttemptStatus::Current
    } else {
        AttemptStatus::Superseded
    };
    Ok(SubscriptionOrder {
        order,
        subscription,
        payment: attempts.swap_remove(at),
        attempt,
    })
}

pub async fn insert(conn: &mut PgConnection, purchase: &SubscriptionOrder) -> Stored<()> {
    orders::insert(conn, &purchase.order).await?;
    subscriptions::insert(conn, &purchase.order, &purchase.subscription).await?;
    payments::insert_intent(conn, &purchase.payment).await
}

/// Most results change nothing: only changed rows are written.
pub async fn save_changes(
    conn: &mut PgConnection,
    before: &SubscriptionOrder,
    after: &SubscriptionOrder,
) -> Stored<()> {
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
pub async fn of_member(
    conn: &mut PgConnection,
    user_id: &UserId,
    limit: i64,
) -> Stored<Vec<SubscriptionOrder>> {
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
        join(order, subscription, own, AttemptSelector::Current)
    });
    purchases.collect()
}

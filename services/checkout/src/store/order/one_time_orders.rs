//! One-time orders, and the reconciler's queue of them.

use chrono::{DateTime, Utc};
use kit::due_queue::DueQueue;
use sqlx::PgConnection;

use super::orders;
use super::subscription_orders::AttemptSelector;
use crate::domain::ids::{OrderId, PaymentId, UserId};
use crate::domain::order::intent::Payer;
use crate::domain::order::one_time_order::{OneTimeOrder, PollState};
use crate::domain::order::subscription_order::AttemptStatus;
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::pricing::opens::Opens;
use crate::store::payment::payments;
use crate::store::{StoreError, Stored, opens_of};

/// One-time orders to be reconciled.
pub const QUEUE: DueQueue = kit::due_queue! {
    table: "orders",
    key: "order_id",
    due_at: "next_check_at",
    attempts: "poll_count",
    returning: "order_id",
};

/// Locks the buyer, then the order, until the transaction ends; concurrent sales wait.
pub async fn lock(
    conn: &mut PgConnection,
    order_id: OrderId,
    which: AttemptSelector,
) -> Stored<OneTimeOrder> {
    sqlx::query(
        "select 1 from customer where user_id = (select user_id from orders where order_id = $1)
         for no key update",
    )
    .bind(order_id)
    .execute(&mut *conn)
    .await?;
    let order = orders::lock(conn, order_id).await?;
    assemble(conn, order, which).await
}

pub async fn read(
    conn: &mut PgConnection,
    order_id: OrderId,
    which: AttemptSelector,
) -> Stored<OneTimeOrder> {
    let order = orders::read(conn, order_id).await?;
    assemble(conn, order, which).await
}

pub async fn read_payment(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<OneTimeOrder> {
    match payments::find_order(conn, payment_id).await? {
        Some(order_id) => read(conn, order_id, AttemptSelector::Payment(payment_id)).await,
        None => Err(StoreError::inconsistent("payment", "order_id", payment_id)),
    }
}

async fn assemble(conn: &mut PgConnection, order: Order, which: AttemptSelector) -> Stored<OneTimeOrder> {
    let (next_check_at, checks) =
        sqlx::query_as("select next_check_at, poll_count from orders where order_id = $1")
            .bind(order.order_id)
            .fetch_one(&mut *conn)
            .await?;
    let mut attempts = payments::of_order(conn, order.order_id).await?;
    let latest = attempts.last().map(|payment| payment.payment_id);
    let wanted = match (which, &order.state) {
        (AttemptSelector::Payment(payment_id), _) => Some(payment_id),
        (AttemptSelector::Current | AttemptSelector::Blocking, OrderState::Paid { by, .. }) => Some(*by),
        (AttemptSelector::Current | AttemptSelector::Blocking, _) => latest,
    };
    let Some(at) = attempts
        .iter()
        .position(|payment| Some(payment.payment_id) == wanted)
    else {
        return Err(StoreError::inconsistent("payment", "order_id", order.order_id));
    };
    Ok(OneTimeOrder {
        order,
        payment: attempts.swap_remove(at),
        attempt: if wanted == latest {
            AttemptStatus::Current
        } else {
            AttemptStatus::Superseded
        },
        poll: PollState {
            next_check_at,
            poll_count: checks,
        },
    })
}

pub async fn insert(conn: &mut PgConnection, one_time: &OneTimeOrder) -> Stored<()> {
    orders::insert(conn, &one_time.order).await?;
    payments::insert_intent(conn, &one_time.payment).await?;
    save_poll_state(conn, one_time).await
}

pub async fn save(conn: &mut PgConnection, one_time: &OneTimeOrder) -> Stored<()> {
    payments::save(conn, &one_time.payment).await?;
    orders::save_state(conn, &one_time.order).await?;
    save_poll_state(conn, one_time).await
}

pub async fn save_poll_state(conn: &mut PgConnection, one_time: &OneTimeOrder) -> Stored<()> {
    sqlx::query("update orders set next_check_at = $2, poll_count = $3 where order_id = $1")
        .bind(one_time.order.order_id)
        .bind(one_time.poll.next_check_at)
        .bind(one_time.poll.poll_count)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whether the order is paid once. `None` for an id that is no payment of ours.
pub async fn is_one_time(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<Option<bool>> {
    let found = sqlx::query_scalar(
        "select orders.kind <> 'subscription' from payment join orders using (order_id) where payment_id = $1",
    )
    .bind(payment_id)
    .fetch_optional(conn)
    .await?;
    Ok(found)
}

pub async fn find_open(
    conn: &mut PgConnection,
    user_id: &UserId,
    product: &str,
    kind: OrderKind,
) -> Stored<Option<OrderId>> {
    let found = sqlx::query_scalar(
        "select order_id from orders where user_id = $1 and product = $2 and kind = $3 and state = 'open'",
    )
    .bind(user_id.as_str())
    .bind(product)
    .bind(kind.name())
    .fetch_optional(conn)
    .await?;
    Ok(found)
}

/// What is open to the member for good. An order whose money went back whole opens nothing.
pub async fn owned(conn: &mut PgConnection, user_id: &UserId) -> Stored<Opens> {
    let names: Vec<String> = sqlx::query_scalar(
        "select distinct unnest(opens) from orders
         where user_id = $1 and kind = 'lifetime' and state = 'paid' and amount_minor > coalesce((
             select sum(refund.amount_minor) from refund
             where refund.payment_id = orders.paid_by and refund.state not in ('failed', 'returned')), 0)",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    opens_of(&names).ok_or_else(|| StoreError::inconsistent("orders", "opens", user_id.as_str()))
}

/// Stores a guest's name and address from the payment form; existing values stay.
pub async fn name_guest(conn: &mut PgConnection, user_id: &UserId, payer: &Payer) -> Stored<()> {
    if !user_id.is_guest() {
        return Ok(());
    }
    sqlx::query(
        "update customer set email = case email when '' then $2 else email end,
             full_name = case full_name when '' then $3 else full_name end
         where user_id = $1",
    )
    .bind(user_id.as_str())
    .bind(&payer.email)
    .bind(&payer.full_name)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn next_check_at(conn: &mut PgConnection, order_id: OrderId) -> Stored<Option<DateTime<Utc>>> {
    let at = sqlx::query_scalar("select next_check_at from orders where order_id = $1")
        .bind(order_id)
        .fetch_one(conn)
        .await?;
    Ok(at)
}

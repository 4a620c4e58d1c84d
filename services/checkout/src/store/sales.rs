//! Orders that are paid once, which are also the reconciler's queue of them.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use super::purchases::Which;
use super::{StoreError, Stored, opens_of, orders, payments};
use crate::domain::ids::{OrderId, PaymentId, UserId};
use crate::domain::intent::Payer;
use crate::domain::opens::Opens;
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::purchase::Attempt;
use crate::domain::sale::{Sale, Watch};

/// Holds the buyer's lock, then the order's, until the transaction ends: whoever sells them something waits.
pub async fn lock(conn: &mut PgConnection, order_id: OrderId, which: Which) -> Stored<Sale> {
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

pub async fn read(conn: &mut PgConnection, order_id: OrderId, which: Which) -> Stored<Sale> {
    let order = orders::read(conn, order_id).await?;
    assemble(conn, order, which).await
}

pub async fn read_payment(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<Sale> {
    match payments::find_order(conn, payment_id).await? {
        Some(order_id) => read(conn, order_id, Which::Payment(payment_id)).await,
        None => Err(StoreError::inconsistent("payment", "order_id", payment_id)),
    }
}

async fn assemble(conn: &mut PgConnection, order: Order, which: Which) -> Stored<Sale> {
    let (next_check_at, checks) =
        sqlx::query_as("select next_check_at, poll_count from orders where order_id = $1")
            .bind(order.order_id)
            .fetch_one(&mut *conn)
            .await?;
    let mut attempts = payments::of_order(conn, order.order_id).await?;
    let latest = attempts.last().map(|payment| payment.payment_id);
    let wanted = match (which, &order.state) {
        (Which::Payment(payment_id), _) => Some(payment_id),
        (Which::Current | Which::InTheWay, OrderState::Paid { by, .. }) => Some(*by),
        (Which::Current | Which::InTheWay, _) => latest,
    };
    let Some(at) = attempts
        .iter()
        .position(|payment| Some(payment.payment_id) == wanted)
    else {
        return Err(StoreError::inconsistent("payment", "order_id", order.order_id));
    };
    Ok(Sale {
        order,
        payment: attempts.swap_remove(at),
        attempt: if wanted == latest {
            Attempt::Latest
        } else {
            Attempt::Replaced
        },
        watch: Watch {
            next_check_at,
            checks,
        },
    })
}

pub async fn insert(conn: &mut PgConnection, sale: &Sale) -> Stored<()> {
    orders::insert(conn, &sale.order).await?;
    payments::insert_intent(conn, &sale.payment).await?;
    save_watch(conn, sale).await
}

pub async fn save(conn: &mut PgConnection, sale: &Sale) -> Stored<()> {
    payments::save(conn, &sale.payment).await?;
    orders::save_state(conn, &sale.order).await?;
    save_watch(conn, sale).await
}

pub async fn save_watch(conn: &mut PgConnection, sale: &Sale) -> Stored<()> {
    sqlx::query("update orders set next_check_at = $2, poll_count = $3 where order_id = $1")
        .bind(sale.order.order_id)
        .bind(sale.watch.next_check_at)
        .bind(sale.watch.checks)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whether the order is paid once. `None` for an id that is no payment of ours.
pub async fn is_of_sale(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<Option<bool>> {
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

/// A guest becomes somebody by what they write beside the card; the first words stay.
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

/// Takes what is due for `lease`: should its holder die, somebody else finds it due again afterwards.
pub async fn lease_due(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
    lease: TimeDelta,
    limit: i64,
) -> Stored<Vec<OrderId>> {
    let leased = sqlx::query_scalar(
        "update orders set next_check_at = $2, poll_count = poll_count + 1
         where order_id in (
             select order_id from orders
             where next_check_at <= $1 order by next_check_at limit $3
             for update skip locked)
         returning order_id",
    )
    .bind(now)
    .bind(now + lease)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(leased)
}

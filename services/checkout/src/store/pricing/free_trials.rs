//! The `free_trial` table: which cards and accounts have begun a free trial.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::ids::UserId;
use crate::domain::order::Order;
use crate::domain::pricing::free_trial::{PayerMark, USED};
use crate::store::Stored;

/// Whether the member has begun a trial of the product, or was refused one because of the card.
pub async fn is_used(conn: &mut PgConnection, user_id: &UserId, product: &str) -> Stored<bool> {
    let is_used = sqlx::query_scalar(
        "select exists (
             select from orders join subscription using (order_id)
             where orders.user_id = $1 and orders.product = $2 and orders.trial_days > 0 and activated_at is not null)
         or exists (
             select from orders join payment using (order_id)
             where orders.user_id = $1 and orders.product = $2 and failure_code = $3)",
    )
    .bind(user_id.as_str())
    .bind(product)
    .bind(USED)
    .fetch_one(conn)
    .await?;
    Ok(is_used)
}

/// Whether the member has paid for the trial before this order: it is not free.
pub async fn is_paid(conn: &mut PgConnection, order: &Order) -> Stored<bool> {
    let is_paid = sqlx::query_scalar(
        "select exists (
             select from orders where user_id = $1 and kind = 'trial' and subscription_price_id = $2 and state = 'paid')",
    )
    .bind(order.user_id.as_str())
    .bind(order.price_id)
    .fetch_one(conn)
    .await?;
    Ok(is_paid)
}

/// Takes the card, or account, for the order's trial. `false`: `members_max` others have begun, or are beginning, a trial of the
/// product with it. The transaction locks the mark until it ends: of two members at once, the second sees the first.
pub async fn claim(
    conn: &mut PgConnection,
    order: &Order,
    mark: &PayerMark,
    members_max: i64,
    now: DateTime<Utc>,
) -> Stored<bool> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('free_trial' || $1, 0))")
        .bind(mark.as_str())
        .execute(&mut *conn)
        .await?;
    let others: i64 = sqlx::query_scalar(
        "select count(distinct orders.user_id)
         from free_trial join orders using (order_id) join subscription using (order_id)
         where payer_fingerprint = $1 and free_trial.product = $2 and orders.user_id <> $3 and (
             activated_at is not null or exists (
             select from payment where payment.order_id = orders.order_id
                 and payment.state in ('intended', 'unknown', 'processing', 'requires_action', 'requires_setup')))",
    )
    .bind(mark.as_str())
    .bind(&order.product)
    .bind(order.user_id.as_str())
    .fetch_one(&mut *conn)
    .await?;
    if others >= members_max {
        return Ok(false);
    }
    sqlx::query(
        "insert into free_trial (order_id, product, payer_fingerprint, created_at) values ($1, $2, $3, $4)
         on conflict (order_id) do update set payer_fingerprint = excluded.payer_fingerprint",
    )
    .bind(order.order_id)
    .bind(&order.product)
    .bind(mark.as_str())
    .bind(now)
    .execute(conn)
    .await?;
    Ok(true)
}

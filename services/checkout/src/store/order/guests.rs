//! Guests: buyers of one order without an account, in `hosted_checkout` before payment and in `customer` after it.
//! Purges take at most `limit` rows and return their number.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::ids::OrderId;
use crate::store::Stored;

/// `None` where the buyer is a member, is erased, or never was.
pub async fn email(conn: &mut PgConnection, order_id: OrderId) -> Stored<Option<String>> {
    let email = sqlx::query_scalar(
        "select email from customer join orders using (user_id)
         where order_id = $1 and user_id like 'guest\\_%' and email <> ''",
    )
    .bind(order_id)
    .fetch_optional(conn)
    .await?;
    Ok(email)
}

/// Of pages that are over, or beside the one that was paid, and opened before then.
pub async fn empty_pages(conn: &mut PgConnection, oldest: DateTime<Utc>, limit: i64) -> Stored<u64> {
    let emptied = sqlx::query(
        "update hosted_checkout set email = '', full_name = '' where hosted_checkout_id in (
             select hosted_checkout_id from hosted_checkout
             where user_id like 'guest\\_%' and email <> '' and created_at < $1 and state <> 'paid'
             order by created_at limit $2 for update skip locked)",
    )
    .bind(oldest)
    .bind(limit)
    .execute(conn)
    .await?;
    Ok(emptied.rows_affected())
}

/// Purges guests without any capture. Their orders stay, anonymised.
pub async fn empty_unpaid(conn: &mut PgConnection, oldest: DateTime<Utc>, limit: i64) -> Stored<u64> {
    let emptied = sqlx::query(
        "update customer set email = '', full_name = '' where user_id in (
             select user_id from customer
             where user_id like 'guest\\_%' and email <> '' and created_at < $1 and not exists (
                 select from payment join orders using (order_id)
                 where orders.user_id = customer.user_id and captured_minor is not null)
             order by created_at limit $2 for update skip locked)",
    )
    .bind(oldest)
    .bind(limit)
    .execute(conn)
    .await?;
    Ok(emptied.rows_affected())
}

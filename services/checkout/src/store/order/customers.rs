//! One row per member who ever submitted a payment.

use chrono::{DateTime, Utc};
use kit::erasure::tombstone_arguments;
use sqlx::PgConnection;

use crate::domain::ids::{PaymentId, UserId};
use crate::domain::order::buyer::Buyer;
use crate::store::{StoreError, Stored};

#[derive(Debug, Clone)]
pub struct Customer {
    /// The details that were, or will be, sent to the provider.
    pub buyer: Buyer,
    pub stripe_customer_id: Option<String>,
}

/// Makes sure the row is there and holds its lock until the transaction ends: a member's submits go one by one.
///
/// Details of an existing row stay as they are, because a repeated provider call must carry the same words.
pub async fn lock(conn: &mut PgConnection, buyer: &Buyer, now: DateTime<Utc>) -> Stored<()> {
    sqlx::query(
        "insert into customer (user_id, email, full_name, created_at) values ($1, $2, $3, $4)
         on conflict (user_id) do update set created_at = customer.created_at",
    )
    .bind(buyer.user_id.as_str())
    .bind(&buyer.email)
    .bind(&buyer.full_name)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Holds the lock of the buyer whose order this payment is for, until the transaction ends. Taken before the order's lock.
pub async fn hold_by_payment(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<()> {
    sqlx::query(
        "select from customer where user_id = (
             select orders.user_id from orders join payment using (order_id) where payment_id = $1)
         for no key update",
    )
    .bind(payment_id)
    .execute(conn)
    .await?;
    Ok(())
}

type Row = (String, String, Option<String>);

fn customer(user_id: &UserId, (email, full_name, stripe_customer_id): Row) -> Customer {
    Customer {
        buyer: Buyer {
            user_id: user_id.clone(),
            email,
            full_name,
        },
        stripe_customer_id,
    }
}

/// As [`lock`], and keeps the member from being erased until the transaction ends. `None`: they are erased.
pub async fn lock_unless_erased(
    conn: &mut PgConnection,
    buyer: &Buyer,
    now: DateTime<Utc>,
) -> Stored<Option<Customer>> {
    let (keys, marks) = tombstone_arguments(&[buyer.user_id.to_string()]);
    let row: Option<Row> = sqlx::query_as(
        "insert into customer (user_id, email, full_name, created_at)
         select $1, $2, $3, $4 where not is_tombstoned($5, $6)
         on conflict (user_id) do update set created_at = customer.created_at
         returning email, full_name, stripe_customer_id",
    )
    .bind(buyer.user_id.as_str())
    .bind(&buyer.email)
    .bind(&buyer.full_name)
    .bind(now)
    .bind(keys)
    .bind(marks)
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| customer(&buyer.user_id, row)))
}

pub async fn find(conn: &mut PgConnection, user_id: &UserId) -> Stored<Customer> {
    let row: Option<Row> =
        sqlx::query_as("select email, full_name, stripe_customer_id from customer where user_id = $1")
            .bind(user_id.as_str())
            .fetch_optional(conn)
            .await?;
    match row {
        Some(row) => Ok(customer(user_id, row)),
        None => Err(StoreError::inconsistent("customer", "user_id", user_id)),
    }
}

pub async fn provider_customer_id(conn: &mut PgConnection, user_id: &UserId) -> Stored<Option<String>> {
    let found: Option<Option<String>> =
        sqlx::query_scalar("select stripe_customer_id from customer where user_id = $1")
            .bind(user_id.as_str())
            .fetch_optional(conn)
            .await?;
    Ok(found.flatten())
}

/// Keeps the first id and returns it. `None`: the member was erased during the provider call.
pub async fn set_provider_customer_id(
    conn: &mut PgConnection,
    user_id: &UserId,
    provider_customer_id: &str,
) -> Stored<Option<String>> {
    let (keys, marks) = tombstone_arguments(&[user_id.to_string()]);
    let kept = sqlx::query_scalar(
        "update customer set stripe_customer_id = coalesce(stripe_customer_id, $2)
         where user_id = $1 and not is_tombstoned($3, $4) returning stripe_customer_id",
    )
    .bind(user_id.as_str())
    .bind(provider_customer_id)
    .bind(keys)
    .bind(marks)
    .fetch_optional(conn)
    .await?;
    Ok(kept)
}

//! One row per member who ever submitted a payment.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{StoreError, Stored};
use crate::domain::buyer::Buyer;
use crate::domain::ids::UserId;

#[derive(Debug, Clone)]
pub struct Customer {
    /// The words the provider was, or will be, told of the member.
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

pub async fn find(conn: &mut PgConnection, user_id: &UserId) -> Stored<Customer> {
    let row: Option<(String, String, Option<String>)> =
        sqlx::query_as("select email, full_name, stripe_customer_id from customer where user_id = $1")
            .bind(user_id.as_str())
            .fetch_optional(conn)
            .await?;
    let Some((email, full_name, stripe_customer_id)) = row else {
        return Err(StoreError::inconsistent("customer", "user_id", user_id));
    };
    Ok(Customer {
        buyer: Buyer {
            user_id: user_id.clone(),
            email,
            full_name,
        },
        stripe_customer_id,
    })
}

pub async fn stripe_id(conn: &mut PgConnection, user_id: &UserId) -> Stored<Option<String>> {
    let found: Option<Option<String>> =
        sqlx::query_scalar("select stripe_customer_id from customer where user_id = $1")
            .bind(user_id.as_str())
            .fetch_optional(conn)
            .await?;
    Ok(found.flatten())
}

/// The first id stays; returns the one that counts.
pub async fn set_stripe_id(conn: &mut PgConnection, user_id: &UserId, stripe_id: &str) -> Stored<String> {
    let kept = sqlx::query_scalar(
        "update customer set stripe_customer_id = coalesce(stripe_customer_id, $2)
         where user_id = $1 returning stripe_customer_id",
    )
    .bind(user_id.as_str())
    .bind(stripe_id)
    .fetch_one(conn)
    .await?;
    Ok(kept)
}

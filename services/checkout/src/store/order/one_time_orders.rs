//! One-time orders: open ones, what they opened for good, and the name of a guest.

use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, UserId};
use crate::domain::order::OrderKind;
use crate::domain::payment::intent::Payer;
use crate::domain::pricing::opens::Opens;
use crate::store::{StoreError, Stored, opens_of};

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

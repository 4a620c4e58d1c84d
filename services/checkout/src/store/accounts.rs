//! Whole orders with every attempt, for the invariants.

use sqlx::PgConnection;

use super::{Stored, orders, payments, subscriptions};
use crate::domain::invariants::Account;

pub async fn all(conn: &mut PgConnection) -> Stored<Vec<Account>> {
    let mut accounts = Vec::new();
    for order in orders::all(conn).await? {
        accounts.push(Account {
            subscription: subscriptions::of_order(conn, order.order_id).await?,
            payments: payments::of_order(conn, order.order_id).await?,
            order,
        });
    }
    Ok(accounts)
}

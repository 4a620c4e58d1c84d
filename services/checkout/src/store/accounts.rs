//! Whole orders with everything that hangs on them, for the invariants. To be read in one snapshot.

use sqlx::PgConnection;

use super::{Stored, ledger, orders, payments, refund_watches, refunds, subscriptions};
use crate::domain::ids::OrderId;
use crate::domain::invariants::Account;
use crate::domain::order::Order;

/// The next of all, by their ids.
pub async fn page(conn: &mut PgConnection, after: Option<OrderId>, limit: i64) -> Stored<Vec<Account>> {
    let mut accounts = Vec::new();
    for order in orders::page(conn, after, limit).await? {
        accounts.push(account(conn, order).await?);
    }
    Ok(accounts)
}

async fn account(conn: &mut PgConnection, order: Order) -> Stored<Account> {
    let order_id = order.order_id;
    Ok(Account {
        subscription: subscriptions::of_order(conn, order_id).await?,
        payments: payments::of_order(conn, order_id).await?,
        refunds: refunds::of_order(conn, order_id).await?,
        bookings: ledger::of_order(conn, order_id).await?,
        watched: refund_watches::of_order(conn, order_id).await?,
        order,
    })
}

//! Whole orders with everything that hangs on them, for the invariants. To be read in one snapshot.

use sqlx::PgConnection;

use super::{
    Stored, ledger, lives, orders, payments, refund_watches, refunds, renewals, sales, subscriptions,
};
use crate::domain::ids::OrderId;
use crate::domain::invariants::Account;
use crate::domain::order::{Order, OrderKind};

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
    let subscription = match order.kind {
        OrderKind::Subscription => Some(subscriptions::of_order(conn, order_id).await?),
        _ => None,
    };
    let life = match &subscription {
        Some(held) => lives::find(conn, held.subscription_id).await?,
        None => None,
    };
    Ok(Account {
        subscription,
        next_check_at: sales::next_check_at(conn, order_id).await?,
        payments: payments::of_order(conn, order_id).await?,
        renewals: renewals::of_order(conn, order_id).await?,
        life,
        refunds: refunds::of_order(conn, order_id).await?,
        bookings: ledger::of_order(conn, order_id).await?,
        watched: refund_watches::of_order(conn, order_id).await?,
        order,
    })
}

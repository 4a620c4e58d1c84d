//! Order aggregates for the invariants. Read in one snapshot.

use sqlx::PgConnection;

use super::orders;
use crate::domain::ids::OrderId;
use crate::domain::invariants::OrderAggregate;
use crate::domain::order::{Order, OrderKind};
use crate::store::payment::{payments, renewals};
use crate::store::refund::{refund_reconciliations, refunds};
use crate::store::subscription::{billing_states, subscriptions};
use crate::store::{Stored, ledger};

/// The next of all, by their ids.
pub async fn page(
    conn: &mut PgConnection,
    after: Option<OrderId>,
    limit: i64,
) -> Stored<Vec<OrderAggregate>> {
    let mut accounts = Vec::new();
    for order in orders::page(conn, after, limit).await? {
        accounts.push(order_aggregate(conn, order).await?);
    }
    Ok(accounts)
}

async fn order_aggregate(conn: &mut PgConnection, order: Order) -> Stored<OrderAggregate> {
    let order_id = order.order_id;
    let subscription = match order.kind {
        OrderKind::Subscription => Some(subscriptions::of_order(conn, order_id).await?),
        _ => None,
    };
    let billing = match &subscription {
        Some(held) => billing_states::find(conn, held.subscription_id).await?,
        None => None,
    };
    Ok(OrderAggregate {
        subscription,
        next_check_at: orders::next_check_at(conn, order_id).await?,
        payments: payments::of_order(conn, order_id).await?,
        renewals: renewals::of_order(conn, order_id).await?,
        billing_state: billing,
        refunds: refunds::of_order(conn, order_id).await?,
        postings: ledger::of_order(conn, order_id).await?,
        reconciled_refunds: refund_reconciliations::of_order(conn, order_id).await?,
        order,
    })
}

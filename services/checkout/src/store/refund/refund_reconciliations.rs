//! Queue of payments whose refunds are reconciled with the provider.

use chrono::{DateTime, Utc};
use kit::due_queue::DueQueue;
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId};
use crate::store::Stored;

pub const QUEUE: DueQueue = kit::due_queue! {
    table: "refund_reconciliation",
    key: "payment_id",
    due_at: "next_check_at",
    attempts: "poll_count",
    returning: "payment_id, next_check_at, poll_count",
};

/// One leased reconciliation. Ending it keeps an update that arrived meanwhile.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub struct RefundReconciliation {
    pub payment_id: PaymentId,
    pub next_check_at: DateTime<Utc>,
    pub poll_count: i32,
}

/// Due immediately, independent of the clock.
pub async fn schedule_now(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<()> {
    sqlx::query(
        "insert into refund_reconciliation (payment_id, next_check_at) values ($1, '-infinity')
         on conflict (payment_id) do update set next_check_at = excluded.next_check_at, poll_count = 0",
    )
    .bind(payment_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the reconciliation, unless a refund was planned meanwhile.
pub async fn end(conn: &mut PgConnection, watch: RefundReconciliation) -> Stored<()> {
    sqlx::query("delete from refund_reconciliation where payment_id = $1 and next_check_at = $2")
        .bind(watch.payment_id)
        .bind(watch.next_check_at)
        .execute(conn)
        .await?;
    Ok(())
}

/// Which of the order's payments are watched.
pub async fn of_order(conn: &mut PgConnection, order_id: OrderId) -> Stored<Vec<PaymentId>> {
    let watched = sqlx::query_scalar(
        "select payment_id from refund_reconciliation join payment using (payment_id) where order_id = $1",
    )
    .bind(order_id)
    .fetch_all(conn)
    .await?;
    Ok(watched)
}

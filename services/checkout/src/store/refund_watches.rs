//! The queue of payments whose refunds the provider has to be asked about.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use super::Stored;
use crate::domain::ids::{OrderId, PaymentId};

/// One look that somebody has taken on. It ends with that very lease: news that came meanwhile stay due.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub struct Watch {
    pub payment_id: PaymentId,
    pub next_check_at: DateTime<Utc>,
    pub poll_count: i32,
}

/// At once, by whichever clock.
pub async fn make_due(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<()> {
    sqlx::query(
        "insert into refund_reconciliation (payment_id, next_check_at) values ($1, '-infinity')
         on conflict (payment_id) do update set next_check_at = excluded.next_check_at, poll_count = 0",
    )
    .bind(payment_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes what is due for `lease`: should its holder die, somebody else finds it due again afterwards.
pub async fn lease_due(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
    lease: TimeDelta,
    limit: i64,
) -> Stored<Vec<Watch>> {
    let leased = sqlx::query_as(
        "update refund_reconciliation set next_check_at = $2, poll_count = poll_count + 1
         where payment_id in (
             select payment_id from refund_reconciliation
             where next_check_at <= $1 order by next_check_at limit $3
             for update skip locked)
         returning payment_id, next_check_at, poll_count",
    )
    .bind(now)
    .bind(now + lease)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(leased)
}

pub async fn postpone(conn: &mut PgConnection, watch: Watch, until: DateTime<Utc>) -> Stored<()> {
    sqlx::query(
        "update refund_reconciliation set next_check_at = $3 where payment_id = $1 and next_check_at = $2",
    )
    .bind(watch.payment_id)
    .bind(watch.next_check_at)
    .bind(until)
    .execute(conn)
    .await?;
    Ok(())
}

/// Nothing more is expected, unless somebody has just planned a refund.
pub async fn end(conn: &mut PgConnection, watch: Watch) -> Stored<()> {
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

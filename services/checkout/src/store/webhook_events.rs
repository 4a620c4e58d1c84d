//! What providers told us, as it arrived.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::Stored;
use crate::domain::notice::{Notice, Receipt};
use crate::domain::provider::Provider;

pub async fn insert(
    conn: &mut PgConnection,
    provider: Provider,
    notice: &Notice,
    // Nothing of somebody who is erased: then only that it came is kept.
    body: Option<&[u8]>,
    now: DateTime<Utc>,
) -> Stored<Receipt> {
    let inserted = sqlx::query(
        "insert into webhook_event (provider, event_id, kind, body, received_at, provider_customer_id)
         values ($6, $1, $2, $3, $4, $5) on conflict do nothing",
    )
    .bind(&notice.event_id)
    .bind(&notice.kind)
    .bind(body.unwrap_or_default())
    .bind(now)
    .bind(body.and(notice.customer.as_deref()))
    .bind(provider.name())
    .execute(conn)
    .await?;
    Ok(if inserted.rows_affected() == 1 {
        Receipt::First
    } else {
        Receipt::Duplicate
    })
}

/// As it arrived; empty of somebody who is erased.
pub async fn body(conn: &mut PgConnection, provider: Provider, event_id: &str) -> Stored<Option<Vec<u8>>> {
    let found =
        sqlx::query_scalar("select body from webhook_event where provider = $1 and event_id = $2")
            .bind(provider.name())
            .bind(event_id)
            .fetch_optional(conn)
            .await?;
    Ok(found)
}

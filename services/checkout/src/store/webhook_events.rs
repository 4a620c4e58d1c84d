//! What providers told us, as it arrived.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::Stored;
use crate::domain::notice::{Notice, Receipt};

pub async fn insert(
    conn: &mut PgConnection,
    notice: &Notice,
    body: &[u8],
    now: DateTime<Utc>,
) -> Stored<Receipt> {
    let inserted = sqlx::query(
        "insert into webhook_event (provider, event_id, kind, body, received_at)
         values ('stripe', $1, $2, $3, $4) on conflict do nothing",
    )
    .bind(&notice.event_id)
    .bind(&notice.kind)
    .bind(body)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(if inserted.rows_affected() == 1 {
        Receipt::First
    } else {
        Receipt::Duplicate
    })
}

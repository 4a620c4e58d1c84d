//! Deletes kit's records that no redelivery, replay or retry can need.

use std::time::Duration;

use crate::database::Pool;

/// In real time, like the ages below: advancing the virtual clock must not empty the outbox.
pub(crate) const PURGE_INTERVAL: Duration = Duration::from_mins(10);

/// Each statement deletes a limited batch, so that locks are short.
const PURGES: [(&str, &str); 3] = [
    (
        // The stream is a copy that can lose its last minutes; this is what it is refilled from.
        "outbox",
        "delete from outbox where seq in (
             select seq from outbox where published_at < now() - interval '8 days' limit 1000)",
    ),
    (
        // Longer than the stream's retention: a delivered event always finds its inbox row.
        "inbox",
        "delete from inbox where ctid in (
             select ctid from inbox where applied_at < now() - interval '45 days' limit 1000)",
    ),
    (
        "idempotency",
        "delete from idempotency where ctid in (
             select ctid from idempotency where stored_at < now() - interval '8 days' limit 1000)",
    ),
];

const MAX_BATCHES: usize = 100;

pub(crate) async fn purge(pool: &Pool) -> Result<(), sqlx::Error> {
    for (table, statement) in PURGES {
        for _ in 0..MAX_BATCHES {
            let deleted = sqlx::query(statement).execute(pool).await?.rows_affected();
            if deleted == 0 {
                break;
            }
            tracing::debug!(table, deleted, "old rows purged");
        }
    }
    Ok(())
}

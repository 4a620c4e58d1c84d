//! Lock of one item until the transaction ends.

use sqlx::PgConnection;

use crate::domain::ContentKey;
use crate::error::Error;

/// Several locks are taken in the order of the keys.
pub async fn item(connection: &mut PgConnection, content_key: &ContentKey) -> Result<(), Error> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('content ' || $1 || ' ' || $2, 0))")
        .bind(content_key.locale.code())
        .bind(content_key.item.stored())
        .execute(connection)
        .await?;
    Ok(())
}

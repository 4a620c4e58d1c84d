//! One writer at a time for each item: what is read after it stays true until the transaction ends.

use sqlx::PgConnection;

use crate::domain::Place;
use crate::error::Error;

/// Whoever locks several does so in their order.
pub async fn item(connection: &mut PgConnection, place: &Place) -> Result<(), Error> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('content ' || $1 || ' ' || $2, 0))")
        .bind(place.locale.code())
        .bind(place.item.stored())
        .execute(connection)
        .await?;
    Ok(())
}
